"""Routes, the destinations of the company and its mail server, for administrators."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from accounts.saving import stamps
from wallboard.notifications import confirming, destinations, mail_servers, routes, trying
from wallboard.notifications.forms.addresses import AddressForm, MailServerForm
from wallboard.notifications.forms.filters import RouteForm
from wallboard.notifications.models import Delivery, MailServer, Route
from wallboard.notifications.views.mine import act, show, show_asked

RECENT = 30
FRESH_ROUTE = {"level": "late", "is_enabled": True, "tells_resolved": True, "after_minutes": 0}


@never_cache
@require_GET
@for_role(Person.Role.ADMINISTRATOR)
def manage(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Everything about messages of the company on one page."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    return page(request, domain, MailServerForm(instance=MailServer.objects.filter(domain=domain).first()))


def page(
    request: HttpRequest, domain: Domain, server: MailServerForm, address: AddressForm | None = None, status: int = 200
) -> HttpResponse:
    """The page with these forms."""
    steps = ("steps__people", "steps__teams", "steps__destinations")
    context = {
        "routes": Route.objects.filter(domain=domain).prefetch_related(*steps),
        "destinations": destinations.of_company(domain),
        "may_show_numbers": True,
        "address_form": address or AddressForm(),
        "server_form": server,
        "server": mail_servers.of_company(domain.pk),
        "has_own_server": MailServer.objects.filter(domain=domain).exists(),
        "recent": Delivery.objects.filter(domain=domain).select_related("person").order_by("-pk")[:RECENT],
        "zone": domain.time_zone,
        "clock": domain.clock,
    }
    return render(request, "notifications/manage.html", context, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def route(request: HttpRequest, viewer: Viewer, route_id: int | None = None) -> HttpResponseBase:
    """One route, new or changed."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    stored = None if route_id is None else get_object_or_404(Route, pk=route_id, domain=domain)
    initial = RouteForm.initial_of(stored) if stored else FRESH_ROUTE
    form, stamp, status = RouteForm(domain, stored, initial=initial), stamps.shown(request, initial), 200
    if request.method == "POST":
        form = RouteForm(domain, stored, request.POST)
        if stored is None and Route.objects.filter(domain=domain).count() >= routes.MOST_ROUTES:
            form.add_error(None, _("There are as many routes as there can be."))
        status = 400
        try:
            if form.is_valid():
                save_route(request, domain, form, stored)
                messages.success(request, _("Saved. The route holds for alerts raised from now on."))
                return redirect("notifications:manage")
        except stamps.Changed as changed:
            messages.error(request, str(changed))
            stamp, status = changed.stamp, 409
    return render(request, "notifications/route.html", {"form": form, "route": stored, "stamp": stamp}, status=status)


def save_route(request: HttpRequest, domain: Domain, form: RouteForm, stored: Route | None) -> None:
    """Make the route or change it. Raises Changed where somebody else changed it since the form was made."""
    if stored is None:
        routes.save(domain, form.values(), form.steps())
        return
    with stamps.saving(request, stored, RouteForm.initial_of) as locked:
        routes.save(domain, form.values(), form.steps(), locked)


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def change_route(request: HttpRequest, viewer: Viewer, route_id: int) -> HttpResponseBase:
    """Test or remove a route."""
    stored = get_object_or_404(Route, pk=route_id, domain_id=viewer.domain_id)
    if request.POST.get("do") == "remove":
        routes.remove(stored)
        messages.success(request, _("%(name)s is removed.") % {"name": stored})
    elif request.POST.get("do") == "test":
        count = trying.test_route(stored)
        if count:
            messages.success(request, _("%(count)d test messages are on their way; see below.") % {"count": count})
        else:
            messages.error(request, _("This route leads nowhere: nobody on it has a destination."))
    return redirect("notifications:manage")


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def add_mail(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Add an e-mail address of the company; a mail asks whoever reads it to confirm it."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = AddressForm(request.POST)
    if not form.is_valid():
        server = MailServerForm(instance=MailServer.objects.filter(domain=domain).first())
        return page(request, domain, server, form, status=400)
    address = form.cleaned_data["address"]
    show_asked(request, confirming.add_mail(domain, address))
    return redirect("notifications:manage")


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def change_destination(request: HttpRequest, viewer: Viewer, destination_id: int) -> HttpResponseBase:
    """Test, switch or remove a destination of the company."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    act(request, get_object_or_404(destinations.of_company(domain), pk=destination_id))
    return redirect("notifications:manage")


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def save_server(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Store the company's mail server and send a test mail by it, or go back to the installation's."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    if request.POST.get("do") == "remove":
        mail_servers.remove(domain)
        messages.success(request, _("Mail goes out by the server of this installation again."))
        return redirect("notifications:manage")
    form = MailServerForm(request.POST)
    if not form.is_valid():
        return page(request, domain, form, status=400)
    mail_servers.save(domain, form.server())
    messages.success(request, _("The mail server is saved."))
    return redirect("notifications:manage")


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def test_server(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Send a test mail by the server in force."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form, server = AddressForm(request.POST), mail_servers.of_company(domain.pk)
    if server is None:
        messages.error(request, _("No mail server is set up."))
    elif not form.is_valid():
        messages.error(request, _("Say to which address."))
    else:
        show(request, trying.test_mail(server, form.cleaned_data["address"], domain))
    return redirect("notifications:manage")
