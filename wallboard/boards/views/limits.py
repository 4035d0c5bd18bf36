"""For administrators: who sees which queues and people, and the teams that this is said with."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import limits
from accounts.access import Viewer, for_role
from accounts.models import Domain, Person, Team
from wallboard.queues.models import Queue


class LimitForm(forms.Form):
    """Which queues and people somebody sees: all, or only these."""

    every_queue = forms.ChoiceField(choices=[("1", "all"), ("", "these")], required=False)
    queues = forms.MultipleChoiceField(required=False)
    team = forms.ModelChoiceField(Team.objects.none(), required=False)

    def __init__(self, domain: Domain, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        numbers = Queue.objects.filter(domain=domain).values_list("number", flat=True)
        self.fields["queues"].choices = [(number, number) for number in numbers]  # type: ignore[attr-defined]
        self.fields["team"].queryset = domain.teams.all()  # type: ignore[attr-defined]


class TeamForm(forms.Form):
    """A team's name and people."""

    name = forms.CharField(max_length=80)
    people = forms.MultipleChoiceField(required=False)

    def __init__(self, domain: Domain, team: Team | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._domain, self._team = domain, team
        extensions = domain.people.values_list("extension", flat=True)
        self.fields["people"].choices = [(each, each) for each in extensions]  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        """No other team of the company may have this name."""
        name: str = self.cleaned_data["name"].strip()
        others = self._domain.teams.filter(name=name).exclude(pk=self._team.pk if self._team else 0)
        if others.exists():
            raise forms.ValidationError(gettext_lazy("There is a team of this name already."))
        return name


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def limit(request: HttpRequest, viewer: Viewer, person_id: int) -> HttpResponseBase:
    """What one person sees."""
    person = get_object_or_404(Person, pk=person_id, domain_id=viewer.domain_id)
    if request.method == "POST":
        form = LimitForm(person.domain, request.POST)
        if form.is_valid():
            chosen = form.cleaned_data
            limits.give(person, None if chosen["every_queue"] else chosen["queues"], chosen["team"])
            messages.success(request, _("Saved. Open pages of %(person)s follow at once.") % {"person": person})
            return redirect("boards:limit", person.pk)
        messages.error(request, _("Choose queues and a team from the lists."))
    context = {
        "person": person,
        "queues": Queue.objects.filter(domain=person.domain),
        "only_queues": person.only_queues,
        "teams": person.domain.teams.all(),
    }
    return render(request, "boards/limit.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def teams(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """All teams; a POST makes one."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    if request.method == "POST":
        form = TeamForm(domain, None, request.POST)
        if form.is_valid():
            made = limits.save_team(domain, form.cleaned_data["name"], form.cleaned_data["people"])
            return redirect("boards:team", made.pk)
        messages.error(request, _("A team needs a name of its own."))
    rows = [(team, sorted(limits.members(team.pk))) for team in domain.teams.all()]
    return render(request, "boards/teams.html", {"rows": rows})


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def team(request: HttpRequest, viewer: Viewer, team_id: int) -> HttpResponseBase:
    """Who belongs to a team, and what it is called."""
    chosen = get_object_or_404(Team.objects.select_related("domain"), pk=team_id, domain_id=viewer.domain_id)
    if request.method == "POST":
        form = TeamForm(chosen.domain, chosen, request.POST)
        if form.is_valid():
            limits.save_team(chosen.domain, form.cleaned_data["name"], form.cleaned_data["people"], chosen)
            messages.success(request, _("Saved. Open pages follow at once."))
            return redirect("boards:teams")
        messages.error(request, _("A team needs a name of its own."))
    context = {
        "team": chosen,
        "people": chosen.domain.people.order_by("extension"),
        "members": limits.members(chosen.pk),
        "seen_by": chosen.seen_by.order_by("extension"),
    }
    return render(request, "boards/team.html", context)


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def remove_team(request: HttpRequest, viewer: Viewer, team_id: int) -> HttpResponse:
    """Forget a team that nobody is limited to."""
    chosen = get_object_or_404(Team, pk=team_id, domain_id=viewer.domain_id)
    if limits.remove_team(chosen):
        messages.success(request, _("The team is removed."))
    else:
        messages.error(request, _("Somebody may see this team only. Give them another team first."))
    return redirect("boards:teams")
