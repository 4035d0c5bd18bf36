"""Calls that ring, are answered, end and were missed, from the legs that the intake marked as changed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import Domain
from wallboard.calls import legs
from wallboard.calls.documents import answered_at, call_of
from wallboard.calls.models import ChangedLeg, Leg
from wallboard.calls.webhooks import replays
from wallboard.outgoing import kinds
from wallboard.outgoing.deciding import events
from wallboard.outgoing.models import Endpoint, Event

SETTLES = timedelta(seconds=3)  # events overtake each other: so long after its last leg a call counts as over
AT_ONCE = 500


def follow(now: datetime) -> int:
    """Tell what became of some legs that changed; gives how many are done with. One caller at a time."""
    with transaction.atomic():
        rows = list(
            ChangedLeg.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("leg__domain")
            .order_by("pk")[:AT_ONCE]
        )
        changed: dict[Domain, dict[int, Leg]] = defaultdict(dict)
        for row in rows:
            changed[row.leg.domain][row.leg_id] = row.leg
        for domain, of_domain in changed.items():
            _tell(domain, of_domain.values(), now)
        # What ended just now is looked at again: another leg of its call may be on its way.
        done = [row.pk for row in rows if row.leg.ended_at is None or _has_settled(row.leg, now)]
        ChangedLeg.objects.filter(pk__in=done).delete()
    return len(done)


def _tell(domain: Domain, changed: Iterable[Leg], now: datetime) -> None:
    listeners = [each for each in Endpoint.objects.filter(domain=domain) if kinds.OF_CALLS & set(each.kinds)]
    fresh = [leg for leg in changed if now - leg.first_seen_at < 2 * events.NEWS]
    news = [leg for leg in fresh if not replays.is_old(leg, domain.call_time_zone)]
    if listeners and news:
        events.store(domain, [*_of_legs(news), *_of_calls(domain, news, now)], listeners)


def _of_legs(changed: Iterable[Leg]) -> Iterator[Event]:
    for leg in changed:
        rang_at = leg.ringing_at or (leg.first_seen_at if leg.queue else None)
        if rang_at is not None:
            yield _event(kinds.RINGING, leg, rang_at, f"leg {leg.pk}")
        if legs.is_spoken(leg):
            yield _event(kinds.ANSWERED, leg, leg.active_at or leg.heard_at, f"leg {leg.pk}")


def _of_calls(domain: Domain, changed: Iterable[Leg], now: datetime) -> Iterator[Event]:
    ended = [leg for leg in changed if leg.ended_at is not None and _has_settled(leg, now)]
    heads = {leg.from_call_id for leg in ended if leg.from_call_id}
    calls: dict[str, dict[int, Leg]] = defaultdict(dict)
    for leg in [*Leg.objects.filter(domain=domain, from_call_id__in=heads), *ended]:
        calls[call_of(leg)][leg.pk] = leg
    for call, by_id in calls.items():
        of_call = list(by_id.values())
        if all(leg.ended_at is not None and _has_settled(leg, now) for leg in of_call):
            yield from _over(call, of_call)


def _over(call: str, of_call: list[Leg]) -> Iterator[Event]:
    """That a call is over; it is told by the leg on which somebody spoke, else by its first."""
    first = min(of_call, key=lambda leg: (leg.first_seen_at, leg.pk))
    spoken = min((leg for leg in of_call if legs.is_spoken(leg)), key=answered_at, default=None)
    at = max(leg.ended_at for leg in of_call if leg.ended_at is not None)
    yield _event(kinds.ENDED, spoken or first, at, f"call {call}")
    if spoken is None and legs.direction(first) == "in":
        yield _event(kinds.MISSED, first, at, f"call {call}")


def _has_settled(leg: Leg, now: datetime) -> bool:
    return leg.ended_at is not None and now - leg.ended_at >= SETTLES


def _event(kind: str, leg: Leg, at: datetime, subject: str) -> Event:
    return Event(domain_id=leg.domain_id, kind=kind, leg=leg, at=at, subject=subject)
