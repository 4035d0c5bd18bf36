"""The people of a company, for its administrators: roles, names, and who may be whom."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import audit, domains, people, validators
from accounts.access import Viewer, for_role
from accounts.forms import LinkForm, NewPersonForm, PersonForm
from accounts.languages.digits import ascii_digits
from accounts.models import Domain, Person
from accounts.saving import stamps
from accounts.signin import proof_texts

PER_PAGE = 50


@never_cache
@require_GET
@for_role(Person.Role.ADMINISTRATOR)
def people_page(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Everybody with an extension, found by name or extension, and those who wait to be linked."""
    return _page(request, viewer, request.GET.get("q", "").strip())


def _page(
    request: HttpRequest, viewer: Viewer, query: str, refused: Person | None = None, stamp: str = ""
) -> HttpResponse:
    """The page; with a row that was refused it shows that one alone, as it was written."""
    found = Person.objects.filter(domain_id=viewer.domain_id).select_related("user__grant").order_by("extension")
    if refused:
        found = found.filter(pk=refused.pk)
    elif query:
        is_extension = Q(extension__icontains=query) | Q(extension__icontains=ascii_digits(query))
        found = found.filter(is_extension | Q(name__icontains=query))
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [(refused, stamp)] if refused else [(each, stamps.of(_values(each))) for each in page],
        "waiting": [(grant, proof_texts.reasons(grant)) for grant in people.awaiting_link(viewer.domain_id)],
        "roles": Person.Role.choices,
        "words": query,
    }
    return render(request, "accounts/people.html", context, status=409 if refused else 200)


def _values(person: Person) -> list[str]:
    return [person.name, person.role]


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def change(request: HttpRequest, viewer: Viewer, person_id: int) -> HttpResponse:
    """Give a person of the own company another name or role."""
    person = get_object_or_404(Person, pk=person_id, domain_id=viewer.domain_id)
    form = PersonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose a role from the list and a name of at most 200 characters."))
        return redirect("accounts:people")
    try:
        with transaction.atomic():
            people.lock_administrators(viewer.domain_id)
            with stamps.saving(request, person, _values) as stored:
                people.change_role(stored, form.cleaned_data["role"])
                people.rename(stored, form.cleaned_data["name"])
        messages.success(request, _("%(person)s is saved.") % {"person": stored})
    except stamps.Changed as changed:
        messages.error(request, str(changed))
        person.name, person.role = form.cleaned_data["name"], form.cleaned_data["role"]
        return _page(request, viewer, person.extension, person, changed.stamp)
    except people.LastAdministrator:
        messages.error(request, _("Make somebody else an administrator first: one has to remain."))
    return redirect("accounts:people")


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def add(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Make a person before anybody has called or signed in, for instance to give a role in advance."""
    form = NewPersonForm(request.POST)
    if form.is_valid():
        domain = Domain.objects.get(pk=viewer.domain_id)
        person = people.get_or_create(domain, form.cleaned_data["extension"], form.cleaned_data["name"])
        audit.log(domain.pk, "person added", audit.person_label(person))
        messages.success(request, _("%(person)s is on the list.") % {"person": person})
    else:
        messages.error(request, validators.WRONG_EXTENSION)
    return redirect("accounts:people")


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def link(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Confirm which extension a waiting sign-in belongs to."""
    form = LinkForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Say which extension the sign-in belongs to."))
        return redirect("accounts:people")
    grant = get_object_or_404(people.awaiting_link(viewer.domain_id), user_id=form.cleaned_data["user"])
    person = people.get_or_create(grant.domain, form.cleaned_data["extension"])
    is_taken = person.user_id and not form.cleaned_data["replace"]
    if form.cleaned_data["is_somebody_new"] and not is_taken:
        try:
            person = people.hand_over(person)
        except people.LastAdministrator:
            messages.error(request, _("Make somebody else an administrator first: one has to remain."))
            return redirect("accounts:people")
    if is_taken:
        messages.error(
            request,
            _("%(person)s is signed in already. Tick “replace” if the new sign-in is right.") % {"person": person},
        )
    else:
        people.link(person, grant.user)
        domains.learn_from_link(grant, person.extension)
        messages.success(request, _("The sign-in belongs to %(person)s now.") % {"person": person})
    return redirect("accounts:people")


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def unlink(request: HttpRequest, viewer: Viewer, person_id: int) -> HttpResponse:
    """Take the sign-in away from a person: it is signed out everywhere and has to sign in again."""
    person = get_object_or_404(Person, pk=person_id, domain_id=viewer.domain_id)
    try:
        people.unlink(person)
        messages.success(request, _("%(person)s is signed out.") % {"person": person})
    except people.LastAdministrator:
        messages.error(request, _("Make somebody else an administrator first: one has to remain."))
    return redirect("accounts:people")
