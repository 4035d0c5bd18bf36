"""The page on a TV: no session, no navigation, no phone numbers; a cookie of its own, which can be revoked."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from accounts.companies import addresses, hosts
from accounts.languages import choosing
from accounts.signin import client_address, fetch_metadata
from wallboard.boards.views.board import board_page
from wallboard.live.release import release
from wallboard.screens import heartbeats, pairing, rotations, screens
from wallboard.screens.models import Screen
from wallboard.screens.texts import tv_texts

MAX_BYTES = 2000  # of a heartbeat
PAUSED_SECONDS = 30  # between two looks whether the company is resumed


@never_cache
@require_GET
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Swap the token in the address for a cookie, so that it stands neither on the screen nor in a history."""
    if screens.screen_at(request, token) is None and not screens.is_paused(request, token):
        return gone(request)
    response = redirect("screens:tv")
    screens.set_cookies(response, token)
    response["Referrer-Policy"] = "no-referrer"  # the token is in this page's address
    return response


@never_cache
@require_GET
def show(request: HttpRequest) -> HttpResponse:
    """The board of this TV."""
    token = request.COOKIES.get(screens.COOKIE, "")
    screen = screens.screen_at(request)
    if screen is None:
        return paused(request) if screens.is_paused(request, token) else gone(request)
    # That it was seen is new; what it says of itself stays until its page reports.
    heartbeats.record(screen, heartbeats.stored_heartbeat(screen), request.headers.get("User-Agent", ""))
    with choosing.page_in(request, screens.language_of(screen)):
        response = render(request, "boards/board.html", context_of(screen))
    screens.set_cookies(response, token)
    return response


def context_of(screen: Screen) -> dict[str, Any]:
    """The board page for a TV: it begins with the first of its boards."""
    steps = rotations.screen_steps(screen)
    context = board_page(steps[0][0], "screen", screen.name)
    page = context["page"]
    page["rotation"] = [{"board": board.pk, "seconds": seconds} for board, seconds in steps]
    page["alerts"]["sound"] = screen.has_sound
    page["texts"]["tv"] = tv_texts()
    page["release"] = release()
    if screen.shows_numbers:
        # Only what the script asks for: whether it gets that is decided where the socket connects.
        page["feeds"]["calls"] = "calls"
    return context


@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """The TV's service worker. Under its own address: one may look after pages below its address only."""
    script = (Path(settings.FILES_DIR) / "static" / "js" / "pages" / "tv-worker.js").read_bytes()
    return HttpResponse(script, "text/javascript", headers={"Cache-Control": "no-cache"})


@require_GET
def waiting(request: HttpRequest) -> HttpResponse:
    """What a TV shows while the server is away; its service worker keeps it for that."""
    screen = screens.screen_at(request)
    with choosing.page_in(request, screens.language_of(screen) if screen is not None else ""):
        return render(request, "screens/waiting.html")


def gone(request: HttpRequest) -> HttpResponse:
    """What a TV shows that may not look (any more), and how to bring it back."""
    address = addresses.in_sentence(f"{addresses.here(request)}/pair/")
    response = render(request, "screens/screen_gone.html", {"address": address}, status=403)
    screens.delete_cookies(response)
    return response


def paused(request: HttpRequest) -> HttpResponse:
    """What a TV shows while its company is paused; it keeps its cookie and asks again by itself."""
    response = render(request, "screens/screen_paused.html", status=403)
    response["Refresh"] = str(PAUSED_SECONDS)
    return response


@csrf_exempt  # the cookie that proves the TV is not sent across sites (SameSite)
@require_POST
def alive(request: HttpRequest) -> HttpResponse:
    """The TV says now and then that it still shows its page, and how it is doing; it gets its name and its sound.

    So also one learns of them that was away when they were changed, and heard no order.
    """
    screen = screens.screen_at(request)
    if screen is None:
        return HttpResponse(status=403)
    has_report = request.content_type == "application/json"  # pages of earlier releases say nothing
    report = heartbeats.parse(request.body[:MAX_BYTES] if has_report else b"")
    heartbeats.record(screen, report, request.headers.get("User-Agent", ""))
    return JsonResponse(screens.page_settings(screen))


@never_cache
@require_GET
def pair(request: HttpRequest) -> HttpResponseBase:
    """A TV shows its code here and waits until a supervisor enters it."""
    if not fetch_metadata.is_page_visit(request):
        return HttpResponse(status=403)  # a picture on a page of another site: it would use up the codes of an office
    device = request.COOKIES.get(pairing.COOKIE, "")
    waiting = pairing.of_device(device)
    if waiting is not None:
        return render(request, "screens/pair.html", pairing_context(request, waiting.code))
    try:
        begun = pairing.begin(client_address.of_request(request), hosts.company_at(request))
    except pairing.TooMany:
        return render(request, "screens/pair.html", pairing_context(request, ""), status=503)
    response = render(request, "screens/pair.html", pairing_context(request, begun.code))
    set_device_cookie(response, begun.device)
    return response


def pairing_context(request: HttpRequest, code: str) -> dict[str, object]:
    """What the page of a waiting TV shows."""
    half = pairing.LENGTH // 2
    address = f"{addresses.here(request)}/screens/"
    return {
        "code": f"{code[:half]} {code[half:]}" if code else "",
        "picture": pairing.qr_code(f"{address}?code={code}") if code else "",
        "address": address,
        "address_in_sentence": addresses.in_sentence(address),
        "minutes": int(pairing.VALID.total_seconds() // 60),
    }


def set_device_cookie(response: HttpResponse, device: str) -> None:
    response.set_cookie(
        pairing.COOKIE,
        device,
        max_age=pairing.VALID,
        path=pairing.PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


@never_cache
@require_GET
def pair_state(request: HttpRequest) -> JsonResponse:
    """What the waiting TV asks: waiting, over (show a new code), or where to go now, with the screen's cookie."""
    waiting = pairing.of_device(request.COOKIES.get(pairing.COOKIE, ""))
    if waiting is None:
        return JsonResponse({"state": "over"})
    token = pairing.finish(waiting)
    if token is None:
        return JsonResponse({"state": "waiting"})
    response = JsonResponse({"state": "paired", "next": "/screen/"})
    screens.set_cookies(response, token)
    response.delete_cookie(pairing.COOKIE, path=pairing.PATH, samesite="Lax")
    return response
