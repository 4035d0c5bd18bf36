"""My notifications: where messages reach a person, what reaches them, and when."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.access import Viewer, for_role, person_of
from accounts.models import Person
from wallboard.notifications import choices, confirming, destinations, mail_servers, trying
from wallboard.notifications.forms.addresses import AddressForm
from wallboard.notifications.forms.filters import ChoiceForm
from wallboard.notifications.models import Destination
from wallboard.notifications.views import push


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def mine(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page of one's own."""
    person = person_of(viewer)
    return page(request, viewer, person, choice_form(viewer, person))


def choice_form(viewer: Viewer, person: Person) -> ChoiceForm:
    """The form of a person's choice, as it is stored."""
    stored = choices.of(person)
    return ChoiceForm(person.domain, viewer.limit, stored, initial=ChoiceForm.initial_of(stored))


def page(
    request: HttpRequest,
    viewer: Viewer,
    person: Person,
    form: ChoiceForm,
    address: AddressForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page with these forms."""
    context = {
        "person": person,
        "destinations": destinations.of_person(person),
        "form": form,
        "address_form": address or AddressForm(),
        "may_show_numbers": viewer.may(Person.Role.SUPERVISOR),
        "push": push.card(request),
        "has_mail_server": mail_servers.of_company(person.domain_id) is not None,
        "zone": person.domain.time_zone,
        "clock": person.domain.clock,
    }
    return render(request, "notifications/mine.html", context, status=status)


@require_POST
@for_role(Person.Role.AGENT)
def save_choice(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Store what reaches this person."""
    person = person_of(viewer)
    form = ChoiceForm(person.domain, viewer.limit, choices.of(person), request.POST)
    if not form.is_valid():
        return page(request, viewer, person, form, status=400)
    choices.save(person, **form.values())
    messages.success(request, _("Saved."))
    return redirect("notifications:mine")


@require_POST
@for_role(Person.Role.AGENT)
def add_mail(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Add an e-mail address; a mail asks whoever reads it to confirm it."""
    person = person_of(viewer)
    form = AddressForm(request.POST)
    if form.is_valid() and destinations.of_person(person).count() >= destinations.MOST_PER_PERSON:
        form.add_error("address", _("Remove one first: you have as many destinations as you can have."))
    if not form.is_valid():
        return page(request, viewer, person, choice_form(viewer, person), form, status=400)
    address = form.cleaned_data["address"]
    show_asked(request, confirming.add_mail(person.domain, address, person))
    return redirect("notifications:mine")


@require_POST
@for_role(Person.Role.AGENT)
def change(request: HttpRequest, viewer: Viewer, destination_id: int) -> HttpResponseBase:
    """Test, switch or remove one of one's own destinations."""
    # Agents do not see the numbers of their colleagues' calls, so no message shows them any.
    if request.POST.get("do") == "numbers" and not viewer.may(Person.Role.SUPERVISOR):
        raise PermissionDenied
    own = destinations.of_person(person_of(viewer))
    act(request, get_object_or_404(own, pk=destination_id))
    return redirect("notifications:mine")


def act(request: HttpRequest, destination: Destination) -> None:
    """What the pressed button says."""
    wanted = request.POST.get("do", "")
    if wanted == "test" and not destination.is_confirmed:
        show_asked(request, confirming.ask(destination))
    elif wanted == "test":
        show(request, trying.test(destination))
    elif wanted == "remove":
        destinations.remove(destination)
        messages.success(request, _("%(name)s is removed.") % {"name": destination})
    elif wanted in ("on", "off"):
        destinations.switch(destination, on=wanted == "on")
    elif wanted in ("numbers", "no numbers"):
        destinations.show_numbers(destination, on=wanted == "numbers")


def show(request: HttpRequest, outcome: trying.Outcome) -> None:
    """Say what came of a test, in the other side's words."""
    values = {"name": outcome.name, "words": outcome.words}
    if outcome.is_good:
        messages.success(request, _("A test message went to %(name)s: %(words)s") % values)
    else:
        messages.error(request, _("The test message to %(name)s did not go out: %(words)s") % values)


def show_asked(request: HttpRequest, outcome: trying.Outcome) -> None:
    """Say what came of asking whoever reads a mailbox, in the mail server's words."""
    values = {"name": outcome.name, "words": outcome.words}
    if outcome.is_good:
        told = _("A mail went to %(name)s: %(words)s. Alerts follow once the link in it has been confirmed.")
        messages.success(request, told % values)
    else:
        messages.error(request, _("The mail to %(name)s did not go out: %(words)s") % values)
