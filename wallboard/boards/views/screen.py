"""The page on a TV: no session, no navigation, no phone numbers; a cookie of its own, which can be revoked."""

from typing import Any

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from accounts import attempts
from wallboard.boards import heartbeats, pairing, rotations, screens
from wallboard.boards.models import Screen
from wallboard.boards.stage import release
from wallboard.boards.tv_words import tv_words
from wallboard.boards.views.board import page_of

MOST_BYTES = 2000  # of a heartbeat


@never_cache
@require_GET
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Swap the token in the address for a cookie, so that it stands neither on the screen nor in a history."""
    if screens.screen_of(token) is None:
        return gone(request)
    response = redirect("boards:screen")
    screens.keep(response, token)
    response["Referrer-Policy"] = "no-referrer"
    return response


@never_cache
@require_GET
def show(request: HttpRequest) -> HttpResponse:
    """The board of this TV."""
    token = request.COOKIES.get(screens.COOKIE, "")
    screen = screens.screen_of(token)
    if screen is None:
        return gone(request)
    heartbeats.hear(screen, heartbeats.Report(**screen.report), request.headers.get("User-Agent", ""))
    response = render(request, "boards/board.html", context_of(screen))
    screens.keep(response, token)
    return response


def context_of(screen: Screen) -> dict[str, Any]:
    """The board page for a TV: it begins with the first of its boards."""
    steps = rotations.shown_by(screen)
    context = page_of(steps[0][0], "screen", screen.name)
    page = context["page"]
    page["rotation"] = [{"board": board.pk, "seconds": seconds} for board, seconds in steps]
    page["alerts"]["sound"] = screen.has_sound
    page["words"]["tv"] = tv_words()
    page["release"] = release()
    if screen.shows_numbers:
        page["feeds"]["calls"] = "calls"
    return context


def gone(request: HttpRequest) -> HttpResponse:
    """What a TV shows that may not look (any more), and how to bring it back."""
    response = render(request, "boards/screen_gone.html", {"address": f"{settings.PUBLIC_URL}/pair/"}, status=403)
    screens.forget(response)
    return response


@csrf_exempt  # the cookie that proves the TV is not sent across sites (SameSite)
@require_POST
def alive(request: HttpRequest) -> HttpResponse:
    """The TV says now and then that it still shows its page, and how it is doing."""
    screen = screens.screen_of(request.COOKIES.get(screens.COOKIE, ""))
    if screen is None:
        return HttpResponse(status=403)
    try:
        is_told = request.content_type == "application/json"  # pages of earlier releases say nothing
        report = heartbeats.read(request.body[:MOST_BYTES] if is_told else b"")
    except msgspec.DecodeError:
        return HttpResponse(status=400)
    heartbeats.hear(screen, report, request.headers.get("User-Agent", ""))
    return HttpResponse(status=204)


@never_cache
@require_GET
def pair(request: HttpRequest) -> HttpResponseBase:
    """A TV shows its code here and waits until a supervisor enters it."""
    device = request.COOKIES.get(pairing.COOKIE, "")
    waiting = pairing.of_device(device)
    if waiting is not None:
        return render(request, "boards/pair.html", shown(waiting.code))
    try:
        begun = pairing.begin(attempts.address_of(request))
    except pairing.TooMany:
        return render(request, "boards/pair.html", shown(""), status=503)
    response = render(request, "boards/pair.html", shown(begun.code))
    keep_device(response, begun.device)
    return response


def shown(code: str) -> dict[str, object]:
    """What the page of a waiting TV shows."""
    half = pairing.LENGTH // 2
    address = f"{settings.PUBLIC_URL}/screens/"
    return {
        "code": f"{code[:half]} {code[half:]}" if code else "",
        "picture": pairing.picture(f"{address}?code={code}") if code else "",
        "address": address,
        "minutes": int(pairing.VALID.total_seconds() // 60),
    }


def keep_device(response: HttpResponse, device: str) -> None:
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
    screens.keep(response, token)
    response.delete_cookie(pairing.COOKIE, path=pairing.PATH, samesite="Lax")
    return response
