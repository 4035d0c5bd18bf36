"""The time zone of a board: its own, or the company's."""

from copy import copy
from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from accounts.models import Domain
from wallboard.boards.models import Board


def parse_zone(value: object) -> str:
    """The name of a time zone, checked; "" for none. Raises ValueError with a sentence."""
    if value == "":
        return ""
    try:
        return ZoneInfo(str(value)).key
    # A path, the name of a folder, a name that is unknown.
    except (ValueError, OSError, LookupError) as error:
        raise ValueError(_("there is no such time zone. Choose one from the list.")) from error


@cache
def names() -> list[str]:
    """The names on offer: those of zone.tab, one for each region of a country, without their former names, and UTC."""
    return [*sorted(countries()), "UTC"]


@cache
def countries() -> dict[str, str]:
    """The country, by its two letters, of each zone of zone.tab."""
    rows = [line.split("\t") for line in _lines("zone.tab") if not line.startswith("#")]
    return {row[2]: row[0] for row in rows}


def former_names() -> dict[str, str]:
    """The zone on offer for each name that means the same and is not: browsers say Asia/Calcutta."""
    links = [line.split() for line in _lines("tzdata.zi") if line.startswith("L ")]
    return {name: zone for _mark, zone, name in links if zone in countries() and name not in countries()}


def _lines(file: str) -> list[str]:
    return resources.files("tzdata.zoneinfo").joinpath(file).read_text().splitlines()


def zone_choices(domain: Domain, chosen: str = "") -> list[tuple[str, str]]:
    """The time zones that a board can have, as a form offers them; the company's is the usual one."""
    return [("", _("The company’s: %(zone)s") % {"zone": domain.time_zone}), *choices(chosen)]


def choices(chosen: str) -> list[tuple[str, str]]:
    """All zones as a form offers them, the chosen one among them by whatever name."""
    further = [chosen] if chosen and chosen not in names() else []
    return [(zone, zone.replace("_", " ")) for zone in (*names(), *further)]


def domain_in_board_zone(board: Board) -> Domain:
    """The board's company with the board's own time zone, by which its days begin; never to be saved."""
    domain = copy(board.domain)
    domain.time_zone = board.time_zone or domain.time_zone
    return domain
