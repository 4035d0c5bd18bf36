"""The clock that a board goes by: its own time zone, or the company's."""

from copy import copy
from zoneinfo import ZoneInfo, available_timezones

from django.utils.translation import gettext as _

from accounts.models import Domain
from wallboard.boards.models import Board


def zone_named(value: object) -> str:
    """The name of a time zone, "" for none. Raises ValueError with a sentence."""
    if value == "":
        return ""
    try:
        return ZoneInfo(str(value)).key
    except (ValueError, OSError, LookupError) as error:
        raise ValueError(_("there is no such time zone. Choose one from the list.")) from error


def offered(domain: Domain) -> list[tuple[str, str]]:
    """The time zones that a board can have, as a form offers them; the company's is the usual one."""
    own = _("The company’s: %(zone)s") % {"zone": domain.time_zone}
    return [("", own), *((zone, zone.replace("_", " ")) for zone in sorted(available_timezones()))]


def company_of(board: Board) -> Domain:
    """The board's company with the board's own time zone, by which its days begin; never to be saved."""
    domain = copy(board.domain)
    domain.time_zone = board.time_zone or domain.time_zone
    return domain
