"""How pages look: which of the colour sheets hold for a theme, and the company's own colour, logo and direction."""

from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language_bidi

from accounts import company_day
from accounts.access import Viewer
from accounts.languages import choosing
from accounts.models import Domain
from wallboard.boards import themes
from wallboard.boards.models import Board
from wallboard.setup import brands, rtl_styles

register = template.Library()
COOKIE = "look"  # what somebody chose for the pages in this browser
CHOICES = (Board.Theme.SYSTEM, Board.Theme.LIGHT, Board.Theme.DARK, Board.Theme.CONTRAST)


register.filter("dark_media", themes.dark_media)
register.filter("contrast_media", themes.contrast_media)
register.filter("contrast_dark_media", themes.contrast_dark_media)


@register.simple_tag(takes_context=True)
def look(context: template.Context) -> dict[str, Any]:
    """How this page looks and writes times and dates; without a company as the product does."""
    brand = brands.of(domain_id) if (domain_id := domain_of(context)) else None
    given = brand.direction if brand else ""
    direction = given or ("rtl" if get_language_bidi() else "ltr")
    mirror = reverse("setup:rtl_style", args=[rtl_styles.digest()]) if direction == "rtl" else ""
    theme, clock, locale = theme_of(context), clock_of(context), locale_of(context)
    shown = {"theme": theme, "direction": direction, "mirrored": mirror, "clock": clock, "style": "", "logo": ""}
    shown |= {"locale": locale, "times": company_day.locale_of(clock, locale)}
    if brand is None:
        return shown
    style = reverse("setup:brand_style", args=[brand.domain_id, brands.digest(brand.colour)]) if brand.colour else ""
    # The cookie of a TV reaches addresses below /screen/ only.
    picture = "screens:image" if context.get("is_tv") else "boards:image"
    logo = reverse(picture, args=[brand.logo.pk, brand.logo.digest]) if brand.logo else ""
    return {**shown, "style": style, "logo": logo}


def locale_of(context: template.Context) -> str:
    """How the page's scripts write dates and figures (static/js/lib/format.js)."""
    request = context.get("request")
    return choosing.locale_of(request if isinstance(request, HttpRequest) else None)


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


def clock_of(context: template.Context) -> str:
    """How the page's scripts write times of day (Domain.clock)."""
    viewer, board = context.get("viewer"), context.get("board")
    if isinstance(viewer, Viewer):
        return viewer.clock
    return board.domain.clock if isinstance(board, Board) else Domain.Clock.H24.value
