"""What the browser's side of Web Push asks for: the key, whether it is on, turning it on and off, the worker."""

from pathlib import Path

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import payloads
from accounts.access import Viewer, for_role, person_of
from accounts.models import Person
from wallboard.notifications import push_devices, push_keys, trying
from wallboard.notifications.channels import webpush
from wallboard.notifications.outbound import Refused

WORKER = Path(settings.FILES_DIR) / "static" / "js" / "pages" / "push-worker.js"


class SubscriptionInput(msgspec.Struct, frozen=True):
    """What a browser sends when it was subscribed, or when its push service replaced its subscription."""

    subscription: dict[str, object]
    old_endpoint: str = ""
    is_new: bool = False


class EndpointInput(msgspec.Struct, frozen=True):
    """Which subscription is meant."""

    endpoint: str


def card(request: HttpRequest) -> dict[str, object]:
    """What the card of a page needs (templates/notifications/_push.html, static/js/pages/push.js)."""
    names = {"worker": "push_worker", "state": "push_state", "subscribe": "push_subscribe", "end": "push_end"}
    return {
        "key": push_keys.public_key(),
        "csrf": get_token(request),
        "urls": {name: reverse(f"notifications:{target}") for name, target in names.items()},
        "texts": {
            "on": _("On. Alerts reach this device."),
            "off": _("Off on this device."),
            "wait": _("One moment …"),
            "refused": _("The browser was not allowed to show notifications. Try again and allow them."),
            "failed": _("That did not work. Check the connection and try again."),
            "insecure": _("Browsers show notifications of pages with https only."),
            "unsupported": _("This browser knows no push messages."),
            "install": _(
                "On iPhone and iPad this works in the installed page: choose Share, then Add to Home Screen, open the "
                "wallboard from there and come back to this page."
            ),
            "blocked": _(
                "Notifications of this page are blocked. Allow them in the browser’s settings, then load it again."
            ),
        },
    }


@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker that shows what is pushed; no secret, and the same for everybody."""
    return HttpResponse(WORKER.read_bytes(), "text/javascript", headers={"Cache-Control": "no-cache"})


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def key(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """What the service worker needs to subscribe anew when nobody has a page open."""
    return JsonResponse({"key": push_keys.public_key(), "csrf": get_token(request)})


@require_POST
@for_role(Person.Role.AGENT)
def state(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Whether messages for this person are pushed to this browser."""
    wanted = payloads.parse(request, EndpointInput)
    return JsonResponse({"is_on": push_devices.of(person_of(viewer), wanted.endpoint) is not None})


@require_POST
@for_role(Person.Role.AGENT)
def subscribe(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Push to this browser; a test message shows at once that it works."""
    wanted = payloads.parse(request, SubscriptionInput)
    try:
        agent = request.headers.get("User-Agent", "")
        device = push_devices.subscribe(person_of(viewer), wanted.subscription, agent, wanted.old_endpoint)
    except webpush.BadSubscription:
        return HttpResponse(status=400)
    except Refused as refusal:
        return JsonResponse({"message": refusal.reason}, status=400)
    except push_devices.TooMany:
        message = _("Remove one first: you have as many destinations as you can have.")
        return JsonResponse({"message": message}, status=400)
    outcome = trying.test(device) if wanted.is_new else None
    return JsonResponse({"message": "" if outcome is None or outcome.is_good else outcome.words})


@require_POST
@for_role(Person.Role.AGENT)
def end(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Push nothing more to this browser."""
    wanted = payloads.parse(request, EndpointInput)
    push_devices.end(person_of(viewer), wanted.endpoint)
    return HttpResponse(status=204)
