"""The log as a whole, for sheets: looked through in stretches of time, and read some hundred calls at a time."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import QuerySet

from accounts.limits import Limit
from accounts.models import Domain
from wallboard.calls.log import newest, search
from wallboard.calls.log.filters import CallFilter
from wallboard.calls.log.newest import CALL_OF, Sought
from wallboard.calls.log.search import LoggedCall
from wallboard.calls.models import Leg

STRETCH = 20_000  # legs, matching or not
LONGEST = 320_000
RARE = 100  # less than one leg in so many matches: then an index finds the others, where there is one
READ_AT_ONCE = 500  # calls, with all their legs
MOST_INDEXED = 1_000_000  # matching legs


def find(domain: Domain, wanted: CallFilter, limit: Limit, most: int) -> list[str]:
    """The newest calls that are wanted, so many at most, in the order of the log."""
    sought = search.sought(domain, wanted, limit)
    calls: list[str] = []
    until: datetime | None = None
    looked = STRETCH
    while True:
        since = newest.edge_of(_before(sought.within, until), looked - 1)
        rows = _before(sought.rows, until)
        legs = list(
            (rows.filter(first_seen_at__gte=since) if since else rows).order_by().values_list(CALL_OF, flat=True)
        )
        calls += _in_order(sought, legs, since)
        if since is None or len(calls) >= most:
            return calls[:most]
        if sought.is_indexed and RARE * len(legs) < looked:
            return (calls + _by_index(sought, set(calls)))[:most]
        until, looked = since, _next(looked, len(legs))


def read(domain: Domain, calls: list[str]) -> Iterator[LoggedCall]:
    """These calls with all their legs, a part of them at a time."""
    for start in range(0, len(calls), READ_AT_ONCE):
        yield from search.logged(domain, calls[start : start + READ_AT_ONCE])


def _before(rows: QuerySet[Leg], until: datetime | None) -> QuerySet[Leg]:
    return rows.filter(first_seen_at__lt=until) if until else rows


def _next(looked: int, found: int) -> int:
    """Where little was found, the next stretch is longer."""
    return min(4 * looked, LONGEST) if RARE * found < looked else STRETCH


def _in_order(sought: Sought, legs: list[str], since: datetime | None) -> list[str]:
    """Those of the calls whose first matching leg is among these; a later stretch has the others."""
    began = newest.began_of(sought.rows, legs)
    return newest.ordered(began, [call for call, at in began.items() if since is None or at >= since])


def _by_index(sought: Sought, known: set[str]) -> list[str]:
    began: dict[str, datetime] = {}
    for call, at in sought.by_index().values_list(CALL_OF, "first_seen_at")[:MOST_INDEXED].iterator():
        began[call] = min(at, began.get(call, at))
    return newest.ordered(began, began.keys() - known)
