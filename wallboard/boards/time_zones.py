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
    table = resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text()
    rows = [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
    return [*sorted(row[2] for row in rows), "UTC"]


def zone_choices(domain: Domain, chosen: str = "") -> list[tuple[str, str]]:
    """The time zones that a board can have, as a form offers them; the company's is the usual one.

    The chosen one stays on offer, by whatever name.
    """
    own = _("The company’s: %(zone)s") % {"zone": domain.time_zone}
    further = [chosen] if chosen and chosen not in names() else []
    return [("", own), *((zone, zone.replace("_", " ")) for zone in (*names(), *further))]


def domain_in_board_zone(board: Board) -> Domain:
    """The board's company with the board's own time zone, by which its days begin; never to be saved."""
    domain = copy(board.domain)
    domain.time_zone = board.time_zone or domain.time_zone
    return domain
