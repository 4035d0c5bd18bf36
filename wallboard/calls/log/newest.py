"""Which calls come first in the log: from the newest legs on, as far as is needed, whatever is looked for.

What matches often is found among the newest legs. What matches seldom is found by an index over the words of a leg
where a text is looked for (PostgreSQL); else the looking ends after so many legs, and says since when it looked.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connections
from django.db.models import Case, CharField, F, Func, Min, Q, QuerySet, Value, When

from wallboard.calls.log import filters
from wallboard.calls.models import Leg

LEGS_FOR_A_CALL = 5  # that are looked at for each call of a page, at first
CALLS_AT_ONCE = 5000  # asked for by their ids
FIRST_LOOK = 20_000  # legs, matching or not
SELDOM = 4  # where the newest so-manieth part of those has nothing of it, an index is asked at once
LOOK_AGAIN = 4  # times as many, where those did not hold a page
SHORTEST_INDEXED = 3  # letters; trigrams tell nothing of fewer
MOST_WORDS = 50  # that the index is asked for at once
# documents.call_of in the database.
CALL_OF = Case(When(from_call_id="", then=F("to_call_id")), default=F("from_call_id"))


class Words(Func):
    """What a leg is found by, as the index `legs_by_words` has it in capitals (migration 0010)."""

    template = "(%(expressions)s || ' ')"
    arg_joiner = " || ' ' || "
    output_field = CharField()


WORDS = Words(
    *("from_name", "to_name", "from_number", "to_number", "caller_e164"),
    *("from_user", "to_user", "queue"),
)


@dataclass(frozen=True)
class Sought:
    """What is looked for: `rows` are the matching legs among those `within` some time, by `outcome` too.

    `parts` and `words` are what of the leg's words is to be there, any of them; with none of both no index helps.
    """

    within: QuerySet[Leg]
    rows: QuerySet[Leg]
    parts: Collection[str] = ()
    words: Collection[str] = ()
    outcome: str = ""

    @property
    def is_indexed(self) -> bool:
        """Whether an index finds the matching legs, however few they are."""
        count = len(self.parts) + len(self.words)
        return 0 < count <= MOST_WORDS and all(len(part) >= SHORTEST_INDEXED for part in self.parts)

    def among(self, **bounds: datetime) -> QuerySet[Leg]:
        """The matching legs within these bounds, found quickly where few of many match."""
        return self.rows.filter(filters.hint(self.within.filter(**bounds), self.outcome), **bounds)

    def by_index(self) -> QuerySet[Leg]:
        """The matching legs, newest first, found by that index."""
        if connections[self.rows.db].vendor != "postgresql":
            return self.rows.order_by("-first_seen_at")
        told = Q(ended_at=None)
        for text in [*self.parts, *(f" {word} " for word in self.words)]:
            told |= Q(ended_at__isnull=False, leg_words__icontains=text)
        found = self.rows.annotate(leg_words=WORDS).filter(told)
        # By an expression: by the column itself the database would go through all legs in that order.
        return found.order_by((F("first_seen_at") + Value(timedelta())).desc())


def newest(sought: Sought, count: int, most_looked: int | None = None) -> tuple[list[str], datetime | None]:
    """So many calls by when their first matching leg began, newest first; fewer where there are no more.

    With `most_looked` the looking may end after so many legs: then also since when was looked.
    """
    looked = None if _is_seldom(sought) else FIRST_LOOK
    older: dict[str, datetime] = {}  # than this are all calls that match
    while True:
        edge = edge_of(sought.within, looked) if looked else None
        if looked is None and sought.is_indexed:
            rows = sought.by_index()
        else:
            rows = sought.among(first_seen_at__gt=edge, **older) if edge else sought.rows.filter(**older)
            rows = rows.order_by("-first_seen_at")
        page = _page(sought, rows, count, edge)
        if looked is None or edge is None or len(page) == count:
            return page, None
        if not page:
            older = {"first_seen_at__lte": edge}
        is_rare = LOOK_AGAIN * len(page) < count or looked > FIRST_LOOK
        if sought.is_indexed or most_looked is None:
            # The index is for what is rare: of what is not it gives too much.
            looked = None if is_rare else LOOK_AGAIN * looked
        elif looked >= most_looked:
            return page, edge
        else:
            looked = min(LOOK_AGAIN * looked, most_looked)


def _is_seldom(sought: Sought) -> bool:
    """Whether the newest legs have nothing of what an index finds."""
    edge = edge_of(sought.within, FIRST_LOOK // SELDOM) if sought.is_indexed else None
    return edge is not None and not sought.among(first_seen_at__gt=edge).exists()


def is_of(calls: Collection[str]) -> Q:
    """Legs of these calls."""
    # Both halves have an index of their own.
    return Q(from_call_id__in=calls) | Q(from_call_id="", to_call_id__in=calls)


def _page(sought: Sought, rows: QuerySet[Leg], count: int, edge: datetime | None) -> list[str]:
    """The newest calls of these legs, which are all that match after the edge."""
    most = LEGS_FOR_A_CALL * count + LEGS_FOR_A_CALL
    while True:
        legs = list(rows.values_list(CALL_OF, "first_seen_at")[:most])
        began = began_of(sought.rows, [call for call, _at in legs])
        since = legs[-1][1] if len(legs) == most else edge
        # What began before may stand behind calls that were not met yet.
        settled = [call for call, at in began.items() if since is None or at > since]
        if len(legs) < most or len(settled) >= count:
            return ordered(began, settled)[:count]
        most *= 4


def ordered(began: Mapping[str, datetime], calls: Collection[str]) -> list[str]:
    """These calls as the log has them: the newest first, by when they began."""
    return sorted(calls, key=lambda call: (-began[call].timestamp(), call))


def edge_of(within: QuerySet[Leg], looked: int) -> datetime | None:
    """When the leg before the newest so many was first seen; None where there are no more."""
    return within.order_by("-first_seen_at").values_list("first_seen_at", flat=True)[looked : looked + 1].first()


def began_of(rows: QuerySet[Leg], calls: list[str]) -> dict[str, datetime]:
    """When the first matching leg of each of these calls began."""
    known, found = list(dict.fromkeys(calls)), dict[str, datetime]()
    for start in range(0, len(known), CALLS_AT_ONCE):
        of_calls = rows.filter(is_of(known[start : start + CALLS_AT_ONCE])).order_by().values(call=CALL_OF)
        found |= {row["call"]: row["at"] for row in of_calls.annotate(at=Min("first_seen_at"))}
    return found
