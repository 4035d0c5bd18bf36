"""The pages of programs that are told of calls, call-backs and days, for administrators."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import company_day
from accounts.access import Viewer, for_role, person_of
from accounts.models import Domain, Person
from accounts.posting import shown_once
from accounts.saving import stamps
from wallboard.outgoing import endpoints
from wallboard.outgoing.forms import EndpointForm, SinceForm, stored_in
from wallboard.outgoing.kinds import KINDS
from wallboard.outgoing.models import Delivery, Endpoint

RECENT = 50


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def webhooks(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All endpoints of the company; a POST adds one, and its page shows the secret this once."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    every = Endpoint.objects.filter(domain=domain).select_related("only_team")
    form = EndpointForm(domain, request.POST if request.method == "POST" else None)
    if form.is_bound and every.count() >= endpoints.MOST_ENDPOINTS:
        form.add_error(None, _("There are as many webhooks as there can be. Remove one first."))
    if form.is_valid():
        wanted, person = form.wanted(), person_of(viewer)
        return shown_once.answer(request, lambda: _with_secret(*endpoints.add(domain, wanted, person)))
    context = {
        "form": form,
        "endpoints": [(each, _told(each), endpoints.host_of(each)) for each in every],
        "clock": domain.clock,
        "zone": domain.time_zone,
    }
    return render(request, "outgoing/webhooks.html", context, status=400 if form.is_bound else 200)


def _with_secret(endpoint: Endpoint, secret: str) -> tuple[str, str]:
    return reverse("outgoing:webhook", args=[endpoint.pk]), secret


def _told(endpoint: Endpoint) -> list[str]:
    return [str(KINDS[kind]) for kind in KINDS if kind in endpoint.kinds]


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def webhook(request: HttpRequest, viewer: Viewer, endpoint_id: int) -> HttpResponseBase:
    """What one endpoint is told, and what became of it."""
    endpoint = _endpoint(viewer, endpoint_id)
    form = EndpointForm(endpoint.domain, request.POST if request.method == "POST" else None, endpoint)
    try:
        if form.is_valid():
            with stamps.saving(request, endpoint, stored_in) as stored:
                endpoints.change(stored, form.wanted())
            messages.success(request, _("Saved."))
            return redirect("outgoing:webhook", endpoint.pk)
    except stamps.Changed as changed:
        messages.error(request, str(changed))
        return _page(request, endpoint, form, stamp=changed.stamp, status=409)
    return _page(request, endpoint, form)


def _page(
    request: HttpRequest,
    endpoint: Endpoint,
    form: EndpointForm | None = None,
    since: SinceForm | None = None,
    stamp: str = "",
    status: int = 200,
) -> HttpResponse:
    domain = endpoint.domain
    recent = Delivery.objects.filter(endpoint=endpoint).select_related("event").order_by("-pk")[:RECENT]
    context = {
        "endpoint": endpoint,
        "host": endpoints.host_of(endpoint),
        "secret": shown_once.take(request),
        "form": form or EndpointForm(domain, endpoint=endpoint),
        "stamp": stamp or stamps.shown(request, stored_in(endpoint)),
        "since_form": since or SinceForm(),
        "recent": [(each, KINDS.get(each.event.kind, _("A test"))) for each in recent],
        "waiting": Delivery.objects.filter(endpoint=endpoint, state=Delivery.State.WAITING).count(),
        "clock": domain.clock,
        "zone": domain.time_zone,
    }
    is_refused = any(each is not None and each.errors for each in (form, since))
    return render(request, "outgoing/webhook.html", context, status=400 if is_refused else status)


@never_cache
@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def act(request: HttpRequest, viewer: Viewer, endpoint_id: int) -> HttpResponseBase:
    """Pause it, let it go on, try it, give it another secret, send again, or remove it, as `do` says."""
    endpoint, wanted = _endpoint(viewer, endpoint_id), request.POST.get("do", "")
    if wanted == "remove":
        endpoints.remove(endpoint)
        messages.success(request, _("%(name)s is removed.") % {"name": endpoint})
        return redirect("outgoing:webhooks")
    if wanted == "secret":
        messages.success(request, _("The secret before this one stays valid for another day."))
        return shown_once.answer(request, lambda: _with_secret(endpoint, endpoints.new_secret(endpoint)))
    if wanted in ("pause", "resume"):
        endpoints.pause(endpoint, paused=wanted == "pause")
    elif wanted == "test":
        endpoints.test(endpoint)
        messages.success(request, _("A test is on its way; the list below says what became of it."))
    elif wanted == "again":
        _show_count(request, endpoints.send_again(endpoint, delivery_id=_number(request.POST.get("delivery", ""))))
    elif wanted == "since":
        with timezone.override(company_day.zone_of(endpoint.domain)):
            form = SinceForm(request.POST)
            if not form.is_valid():
                return _page(request, endpoint, since=form)
        _show_count(request, endpoints.send_again(endpoint, since=form.cleaned_data["since"]))
    return redirect("outgoing:webhook", endpoint.pk)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def _show_count(request: HttpRequest, count: int) -> None:
    text = ngettext("%(count)d event is sent again.", "%(count)d events are sent again.", count)
    messages.success(request, text % {"count": count})


def _endpoint(viewer: Viewer, endpoint_id: int) -> Endpoint:
    found = Endpoint.objects.filter(domain_id=viewer.domain_id).select_related("domain", "only_team")
    return get_object_or_404(found, pk=endpoint_id)
