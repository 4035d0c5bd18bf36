"""For administrators: who sees which queues and people, and the teams that this is said with."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import limits
from accounts.access import Viewer, for_role
from accounts.forms import LimitForm, TeamForm, limit_shown, team_shown
from accounts.models import Domain, Person, Team
from accounts.saving import stamps


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def limit(request: HttpRequest, viewer: Viewer, person_id: int) -> HttpResponseBase:
    """What one person sees."""
    person = get_object_or_404(Person, pk=person_id, domain_id=viewer.domain_id)
    form = LimitForm(person, request.POST if request.method == "POST" else None)
    stamp, status = stamps.shown(request, form.initial), 400 if form.is_bound else 200
    if form.is_valid():
        try:
            with stamps.saving(request, person, limit_shown):
                form.save()
        except stamps.Changed as changed:
            messages.error(request, str(changed))
            stamp, status = changed.stamp, 409
        else:
            messages.success(request, _("Saved. Open pages of %(person)s follow at once.") % {"person": person})
            return redirect("teams:limit", person.pk)
    return render(request, "accounts/limit.html", {"person": person, "form": form, "stamp": stamp}, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def teams(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """All teams; a POST makes one."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = TeamForm(domain, None, request.POST if request.method == "POST" else None)
    if form.is_valid():
        return redirect("teams:team", form.save().pk)
    rows = [(team, sorted(team.people.all(), key=str)) for team in domain.teams.prefetch_related("people")]
    return render(request, "accounts/teams.html", {"rows": rows, "form": form}, status=400 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def team(request: HttpRequest, viewer: Viewer, team_id: int) -> HttpResponseBase:
    """Who belongs to a team, and what it is called."""
    chosen = get_object_or_404(Team.objects.select_related("domain"), pk=team_id, domain_id=viewer.domain_id)
    form = TeamForm(chosen.domain, chosen, request.POST if request.method == "POST" else None)
    stamp, status = stamps.shown(request, form.initial), 400 if form.is_bound else 200
    if form.is_valid():
        try:
            with stamps.saving(request, chosen, team_shown):
                form.save()
        except stamps.Changed as changed:
            messages.error(request, str(changed))
            stamp, status = changed.stamp, 409
        else:
            messages.success(request, _("Saved. Open pages follow at once."))
            return redirect("teams:teams")
    context = {"team": chosen, "form": form, "stamp": stamp, "seen_by": chosen.seen_by.order_by("extension")}
    return render(request, "accounts/team.html", context, status=status)


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def remove_team(request: HttpRequest, viewer: Viewer, team_id: int) -> HttpResponse:
    """Forget a team that nobody is limited to."""
    chosen = get_object_or_404(Team, pk=team_id, domain_id=viewer.domain_id)
    if limits.remove_team(chosen):
        messages.success(request, _("The team is removed."))
    else:
        messages.error(request, _("Somebody may see this team only. Give them another team first."))
    return redirect("teams:teams")
