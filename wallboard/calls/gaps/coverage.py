"""How far what is counted from call events is complete: since when they come at all, and what of a span is missing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Max, Min, Q
from django.utils import timezone

from accounts.models import Domain
from wallboard.calls.models import EventGap, Leg, Subscription

Span = tuple[datetime, datetime]  # from, until
WORTH_SAYING = timedelta(minutes=1)  # a first event so soon after a span began tells nothing


@dataclass(frozen=True)
class Missing:
    """What is missing of a span: how much in how many pieces, from the begin of the first until the end of the last."""

    seconds: int
    pieces: int
    since: datetime
    until: datetime

    @property
    def minutes(self) -> int:
        """Whole minutes, rounded up: what is missing is never called nothing."""
        return -(-self.seconds // 60)


@dataclass(frozen=True)
class Coverage:
    """`counted_since` is when events began to come, where that is within the span; None where they came before.

    Where they began after the span nothing of it was told: `untold_until` is when they did. With
    `is_deleted` calls came before and are no longer kept.
    """

    counted_since: datetime | None = None
    missing: Missing | None = None
    untold_until: datetime | None = None
    is_deleted: bool = False

    @property
    def is_whole(self) -> bool:
        return self == Coverage()


def of(domain_id: int, since: datetime, until: datetime | None = None, unusable: Sequence[Span] = ()) -> Coverage:
    """The coverage of a span, until now at most; `unusable` are times whose events came and cannot be counted."""
    return of_spans(domain_id, [(since, until or timezone.now())], unusable)[0]


def of_spans(domain_id: int, spans: Iterable[Span], unusable: Sequence[Span] = ()) -> list[Coverage]:
    """The same for each of several spans, with three queries in all."""
    now = timezone.now()
    wanted = [(since, min(until, now)) for since, until in spans]
    if not wanted:
        return []
    began, kept = events_known(domain_id, now)
    gaps = _gaps(domain_id, min(since for since, _ in wanted), max(until for _, until in wanted), now, unusable)
    is_deleted = began is not None and began < kept
    found = (_coverage(span, kept if is_deleted else began, gaps) for span in wanted)
    return [replace(each, is_deleted=is_deleted and bool(each.counted_since or each.untold_until)) for each in found]


def first_event_at(domain_id: int) -> datetime | None:
    """Since when call events of this company are known; None where none ever came."""
    return events_known(domain_id, timezone.now())[0]


def events_known(domain_id: int, now: datetime) -> tuple[datetime | None, datetime]:
    """Since when call events came, and since when their calls are kept.

    What was deleted does not come back where calls are to be kept for longer afterwards.
    """
    of_calls = Q(subscriptions__kind=Subscription.Kind.CALLS)
    known = Domain.objects.filter(pk=domain_id).aggregate(
        ready_at=Min("subscriptions__ready_at", filter=of_calls),
        days=Max("log_kept_days"),
        deleted_until=Max("forgetting__deleted_until"),
    )
    first_leg = Leg.objects.filter(domain_id=domain_id).aggregate(at=Min("first_seen_at"))["at"]
    began = min(filter(None, (known["ready_at"], first_leg)), default=None)
    return began, max(filter(None, (now - timedelta(days=known["days"] or 0), known["deleted_until"])))


def _gaps(domain_id: int, since: datetime, until: datetime, now: datetime, unusable: Sequence[Span] = ()) -> list[Span]:
    """What is missing in that time, without overlaps; a gap that is open goes on until now."""
    of_company = EventGap.objects.filter(domain_id=domain_id, since__lt=until)
    rows = of_company.filter(Q(until=None) | Q(until__gt=since)).values_list("since", "until")
    joined: list[Span] = []
    for piece in sorted([*((begin, end or now) for begin, end in rows), *unusable]):
        if joined and piece[0] <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], piece[1])
        else:
            joined.append(piece)
    return joined


def _coverage(span: Span, began: datetime | None, gaps: list[Span]) -> Coverage:
    since, until = span
    if began and since < until <= began:
        return Coverage(untold_until=began)
    counted_since = began if began and since + WORTH_SAYING < began < until else None
    begin = counted_since or since
    cut = [(max(begin, first), min(until, last)) for first, last in gaps]
    pieces = [piece for piece in cut if piece[0] < piece[1]]
    if not pieces:
        return Coverage(counted_since)
    seconds = -(-sum((last - first).total_seconds() for first, last in pieces) // 1)
    return Coverage(counted_since, Missing(int(seconds), len(pieces), pieces[0][0], pieces[-1][1]))
