"""How pages look: which of the colour sheets hold for a theme, and the company's own colour, logo and direction."""

from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language_bidi

from accounts.access import Viewer
from wallboard.boards import brands, mirrored
from wallboard.boards.models import Board

register = template.Library()
COOKIE = "look"  # what somebody chose for the pages in this browser
CHOICES = (Board.Theme.SYSTEM, Board.Theme.LIGHT, Board.Theme.DARK, Board.Theme.CONTRAST)
ALWAYS, NEVER, MORE, DARK = "all", "not all", "(prefers-contrast: more)", "(prefers-color-scheme: dark)"
DARK_THEMES = (Board.Theme.DARK, Board.Theme.CALM_DARK, Board.Theme.CONTRAST)


@register.filter
def dark_media(theme: str) -> str:
    """When the dark sheet holds; views/frame.js knows the same."""
    return ALWAYS if theme in DARK_THEMES else DARK if theme in (Board.Theme.SYSTEM, "") else NEVER


@register.filter
def contrast_media(theme: str) -> str:
    """When the high-contrast sheet holds."""
    return ALWAYS if theme == Board.Theme.CONTRAST else MORE


@register.filter
def contrast_dark_media(theme: str) -> str:
    """When its dark half does."""
    if theme == Board.Theme.CONTRAST:
        return ALWAYS
    dark = dark_media(theme)
    return MORE if dark == ALWAYS else f"{MORE} and {DARK}" if dark == DARK else NEVER


@register.simple_tag(takes_context=True)
def look(context: template.Context) -> dict[str, Any]:
    """{theme, direction, mirrored, style, logo}: how this page looks; without a company as the product does."""
    brand = brands.of(domain_id) if (domain_id := domain_of(context)) else None
    given = brand.direction if brand else ""
    direction = given or ("rtl" if get_language_bidi() else "ltr")
    mirror = reverse("boards:mirrored_style", args=[mirrored.digest()]) if direction == "rtl" else ""
    shown = {"theme": theme_of(context), "direction": direction, "mirrored": mirror, "style": "", "logo": ""}
    if brand is None:
        return shown
    style = reverse("boards:brand_style", args=[brand.domain_id, brands.digest(brand.colour)]) if brand.colour else ""
    picture = "boards:screen_image" if context.get("is_tv") else "boards:image"
    logo = reverse(picture, args=[brand.logo.pk, brand.logo.digest]) if brand.logo else ""
    return {**shown, "style": style, "logo": logo}


def theme_of(context: template.Context) -> str:
    """What was chosen for the pages in this browser; a board has a theme of its own."""
    request = context.get("request")
    chosen = request.COOKIES.get(COOKIE) if isinstance(request, HttpRequest) else None
    return chosen if chosen in CHOICES else Board.Theme.SYSTEM


@register.simple_tag
def theme_choices() -> list[tuple[str, str]]:
    """What can be chosen, and what each is called."""
    return [(each.value, str(each.label)) for each in CHOICES]


def domain_of(context: template.Context) -> int:
    """Whose page it is: the viewer's company, or on a TV that of its board; 0 for nobody's."""
    viewer, board = context.get("viewer"), context.get("board")
    if isinstance(viewer, Viewer):
        return viewer.domain_id
    return board.domain_id if isinstance(board, Board) and context.get("is_tv") else 0
