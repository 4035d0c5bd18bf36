"""What an embed link answers: the frame, its pictures, and its card as a PNG. No cookie has a part in it."""

from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.companies import hosts
from accounts.languages import choosing
from accounts.signin.start_throttle import StartThrottle
from wallboard.boards.models import Board
from wallboard.boards.views.board import board_page
from wallboard.boards.views.images import picture
from wallboard.screens.embeds import figures, links, scope
from wallboard.screens.embeds import picture as pictures
from wallboard.screens.models import Embed

PICTURE_SECONDS = 10
throttle = StartThrottle(3_000, "pictures")  # of one link in ten minutes


@never_cache
@require_GET
def show(request: HttpRequest, token: str) -> HttpResponse:
    """The board or the card, for the sites of the link and no others."""
    embed = found(request, token)
    if embed is None:
        return framed(render(request, "screens/embed_gone.html", status=404))
    with choosing.page_in(request, links.language_of(embed)):
        context = context_of(embed, token) if links.is_alive(embed) else None
        if context is None:
            return framed(render(request, "screens/embed_gone.html", status=403), embed)
        links.note_seen(embed)
        return framed(render(request, "boards/board.html", context), embed)


@require_GET
def card_picture(request: HttpRequest, token: str) -> HttpResponse:
    """The link's card as a PNG, made at most every few seconds; anybody who has the link may show it anywhere."""
    embed = found(request, token)
    if embed is None or not links.is_alive(embed):
        raise Http404
    if throttle.is_exceeded(str(embed.pk)):
        return HttpResponse(status=429, headers={"Retry-After": "60"})
    links.note_seen(embed)
    theme, language = embed.theme or embed.board.theme, links.language_of(embed)
    key = f"embed-picture-{embed.pk}-{embed.board.version}"
    if (made := cache.get(key)) is None:
        with choosing.speaking(language):
            told = figures.told(embed)
        if told is None:
            raise Http404
        made = pictures.png(told, theme)
        cache.set(key, made, PICTURE_SECONDS)
    headers = {"Cache-Control": f"max-age={PICTURE_SECONDS}", "Cross-Origin-Resource-Policy": "cross-origin"}
    return HttpResponse(made, "image/png", headers=headers)


def found(request: HttpRequest, token: str) -> Embed | None:
    """The link with this token, unless the host that is asked is another company's."""
    embed = links.find(token)
    return None if embed is None or hosts.is_elsewhere(request, embed.domain_id) else embed


def framed(response: HttpResponse, embed: Embed | None = None) -> HttpResponse:
    """The answer, which the sites of the link may frame."""
    if embed is not None:
        response.xframe_options_exempt = True
        response.frame_ancestors = embed.origins  # type: ignore[attr-defined]
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def context_of(embed: Embed, token: str) -> dict[str, Any] | None:
    """The board page for a frame; None where its card is no longer on the board."""
    shown = links.scope_of(embed)
    context = board_page(embed.board, "screen", embed.name)
    page = context["page"]
    document = scope.narrowed(page["board"], shown) if shown is not None else None
    if document is None:
        return None
    board = Board(pk=embed.board_id, domain=embed.domain, name=document["name"], notice=document["notice"])
    board.theme = document["theme"]
    page |= {
        "board": document,
        "socket": "embed=1",
        # What the socket is known by: no cookie reaches a frame on another site.
        "protocols": ["wallboard", f"embed.{token}"],
        "images": f"/embed/{token}/images/",
        "isTv": bool(embed.card),
        "isEmbed": True,
    }
    page["feeds"]["calls"] = "calls" if embed.shows_numbers else "wall"
    return {**context, "board": board, "is_embed": True, "is_one_card": bool(embed.card)}


@require_GET
def image(request: HttpRequest, token: str, image_id: int, digest: str) -> HttpResponse:
    """A picture that stands on what the link shows."""
    embed = found(request, token)
    context = context_of(embed, token) if embed is not None and links.is_alive(embed) else None
    if embed is None or context is None or str(image_id) not in context["page"]["board"]["images"]:
        raise Http404
    return picture(embed.domain_id, image_id, digest)
