"""Callers whom nobody answered: the list that closes itself once somebody spoke with them, whoever rang whom.

Derived from call events of the last days; withheld numbers cannot be called back and are not listed.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max, Q
from django.db.models.functions import Coalesce, Least
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit, company_day, limits
from accounts.access import Viewer
from accounts.limits import EVERYTHING, Limit
from accounts.models import Domain, Person
from wallboard.calls import numbers, visible_calls
from wallboard.calls.documents import call_of
from wallboard.calls.legs import IS_SPOKEN, is_end_lost
from wallboard.calls.log.newest import CALL_OF
from wallboard.calls.models import Leg
from wallboard.contacts import address_book
from wallboard.desk import time_phrases
from wallboard.desk.card.caller import display_name
from wallboard.desk.models import CallBack
from wallboard.live.feeds import milliseconds

# Over a weekend.
LOOKBACK = timedelta(days=3)
SNOOZE = timedelta(hours=1)
YOUNG = timedelta(hours=1)
MOST_LISTED = 100
MOST_COUNTED = 2000  # numbers; who has more unanswered callers than that needs no exact figure
CACHE_SECONDS = 3  # for so long one reading of the calls serves every desk and board of the company, in each process
INBOUND = Q(from_user="")
AUDIT_VERBS = {"take": "taken", "leave": "left", "done": "done", "snooze": "put off"}


@dataclass(frozen=True)
class MissedCall:
    """One call of a number: its id, when it came here, the name that came with it, and when the caller gave up."""

    call: str
    at: datetime
    caller_name: str
    until: datetime | None

    @property
    def seconds(self) -> float | None:
        """How long the caller waited, in queues and at phones; None where the end was never heard."""
        return None if self.until is None else (self.until - self.at).total_seconds()


@dataclass(frozen=True)
class MissedCaller:
    """A number nobody spoke with since it last called; `calls` are those since anybody did (`spoke_at`), never none."""

    number: str
    calls: tuple[MissedCall, ...]
    spoke_at: datetime | None = None

    @property
    def last(self) -> MissedCall:
        return self.calls[-1]


@dataclass(frozen=True)
class OpenCallback:
    """A call-back that is open now: since when they wait, how often they called since, and who has taken it."""

    missed: MissedCaller
    since: datetime
    times: int
    owner: Person | None


@dataclass(frozen=True)
class CallbackSummary:
    """How many callers wait to be rung back, by age and by whom.

    The three ages add up to `open`: under an hour, longer but since the company's day began, and older.
    `owners` holds (name, count) of people who have taken some, most first; people who are not shown have no name.
    """

    open: int
    taken: int
    under_an_hour: int
    today: int
    older: int
    oldest_at: datetime | None
    owners: tuple[tuple[str, int], ...]


def missed_callers(domain_id: int) -> list[MissedCaller]:
    """Every number that called and reached nobody, newest first; not while it is on the line."""
    since = timezone.now() - LOOKBACK
    legs = Leg.objects.filter(domain_id=domain_id, first_seen_at__gte=since, caller_e164__startswith="+")
    rows: Iterable[Any] = legs.values("caller_e164").annotate(
        # Either way round: who was rung back has been spoken with, though they never called again.
        last_at=Max("first_seen_at", filter=INBOUND),
        # Where the end was lost, all that is known of the talk is its last news.
        spoke_at=Max(Least(Coalesce("ended_at", "heard_at"), "heard_at"), filter=IS_SPOKEN),
        # A leg that something speaks against must not hide a caller for hours.
        live=Count("pk", filter=Q(ended_at=None, is_unconfirmed=False)),
    )
    waiting = [row for row in rows if row["last_at"] and not row["live"] and not _is_answered(row)]
    newest = sorted(waiting, key=lambda row: row["last_at"], reverse=True)[:MOST_COUNTED]
    return _with_calls(legs, {row["caller_e164"]: row["spoke_at"] for row in newest})


def summary(domain_id: int, limit: Limit = EVERYTHING) -> CallbackSummary:
    """The open call-backs of a company in figures, as boards and desks show them; with a limit those within it."""
    domain, now = Domain.objects.get(pk=domain_id), timezone.now()
    return _summary(open_callbacks(domain, now, limit), domain, now)


def callback_list(viewer: Viewer, domain: Domain, *, is_whole: bool = False) -> dict[str, Any]:
    """The open call-backs as the desk shows them, ready for JSON, and how many there are by person and age; all of
    them where `is_whole`, else those that called last.
    """
    now = timezone.now()
    waiting = open_callbacks(domain, now, viewer.limit)
    shown = waiting if is_whole else waiting[:MOST_LISTED]
    known = address_book.unique_by_caller_id(domain.pk, {each.missed.number for each in shown})
    rows = [_row(each, viewer, domain, known.get(each.missed.number)) for each in shown]
    # Of all, not only of those that are listed.
    figures = _summary(waiting, domain, now, viewer)
    counts = {
        "open": figures.open,
        "mine": sum(each.owner is not None and each.owner.pk == viewer.person_id for each in waiting),
        "taken": figures.taken,
        "under_an_hour": figures.under_an_hour,
        "today": figures.today,
        "older": figures.older,
        "oldest_ms": round((now - figures.oldest_at).total_seconds() * 1000) if figures.oldest_at else None,
        "owners": [{"name": name, "count": count} for name, count in figures.owners],
    }
    return {"rows": rows, "counts": counts}


def change(domain: Domain, person: Person, number: str, act: str) -> bool:
    """Take, leave, finish or put off a call-back; False where a colleague has taken it or it is not open."""
    # Asked of the database, not of the cache: somebody may have spoken with them a second ago.
    waiting = visible(
        [each for each in missed_callers(domain.pk) if each.number == number], domain.pk, limits.of(person)
    )
    if not waiting:
        return False
    state, _is_new = CallBack.objects.get_or_create(domain=domain, number_e164=number)
    now = timezone.now()
    changes: dict[str, dict[str, Any]] = {
        "take": {"owner": person},
        "leave": {"owner": None},
        "done": {"owner": None, "done_at": now, "done_by": person},
        "snooze": {"snoozed_until": now + SNOOZE},
    }
    # One conditional update: of two colleagues who take it at once exactly one gets it.
    if decided(waiting[0], state) is None:
        changes[act] = {"owner": None, "snoozed_until": None, "done_at": None, "done_by": None} | changes[act]
    is_free = Q(owner=None) | Q(owner=person)
    if waiting[0].spoke_at:
        is_free |= Q(decided_at__lte=waiting[0].spoke_at)
    free = CallBack.objects.filter(is_free, pk=state.pk)
    if act == "take":
        # Whoever takes what a colleague finished a moment ago would ring somebody a second time.
        if _open_callback(waiting[0], state, now) is None:
            return False
        free = free.filter(done_at=state.done_at, snoozed_until=state.snoozed_until)
    if not free.update(decided_at=now, **changes[act]):
        return False
    audit.log(domain.pk, f"call-back {AUDIT_VERBS[act]}", numbers.masked(number))
    return True


def visible(found: list[MissedCaller], domain_id: int, limit: Limit) -> list[MissedCaller]:
    """Of these, the calls that somebody with this limit may see, and the numbers of which any are left."""
    if not limit.is_set or not found:
        return found
    since = timezone.now() - LOOKBACK
    legs = Leg.objects.filter(INBOUND, domain_id=domain_id, first_seen_at__gte=since)
    # By the calls and not by the number: a caller may have tried several queues.
    theirs = legs.filter(caller_e164__in=[each.number for each in found])
    calls = set(visible_calls.shown(theirs, domain_id, limit).values_list(CALL_OF, flat=True))
    left = [replace(each, calls=tuple(ring for ring in each.calls if ring.call in calls)) for each in found]
    return sorted((each for each in left if each.calls), key=lambda each: each.last.at, reverse=True)


def invalidate_cache(domain_id: int) -> None:
    """Trust no reading of the calls that was made so far."""
    cache.delete(_cache_key(domain_id))


def _recent(domain_id: int) -> list[MissedCaller]:
    found: list[MissedCaller] = (
        cache.get_or_set(_cache_key(domain_id), lambda: missed_callers(domain_id), CACHE_SECONDS) or []
    )
    return found


def _cache_key(domain_id: int) -> str:
    return f"call-backs-{domain_id}"


def _is_answered(row: dict[str, Any]) -> bool:
    """Phones that rang beside the one that was answered were first seen before that talk ended."""
    return row["spoke_at"] is not None and row["spoke_at"] >= row["last_at"]


def _with_calls(legs: Any, waiting: dict[str, datetime | None]) -> list[MissedCaller]:
    """What these numbers did since somebody spoke with them, in the order in which they came here."""
    calls: dict[str, dict[str, MissedCall]] = {number: {} for number in waiting}
    for leg in legs.filter(INBOUND, caller_e164__in=list(waiting)).order_by("first_seen_at", "pk"):
        spoke_at = waiting[leg.caller_e164]
        if spoke_at is None or leg.first_seen_at > spoke_at:
            of_number, call = calls[leg.caller_e164], call_of(leg)
            began = of_number[call].at if call in of_number else leg.first_seen_at
            ended_at = None if is_end_lost(leg.ended_at, leg.heard_at) else leg.ended_at
            ends = [end for end in (ended_at, of_number[call].until if call in of_number else None) if end]
            of_number[call] = MissedCall(call, began, display_name(leg), max(ends, default=None))
    return [MissedCaller(number, tuple(rings.values()), waiting[number]) for number, rings in calls.items() if rings]


def decided(caller: MissedCaller, state: CallBack | None) -> CallBack | None:
    """What somebody decided about these calls; None where the caller was spoken with since: that was about others."""
    at = state.decided_at if state else None
    return None if at and caller.spoke_at and at <= caller.spoke_at else state


def open_callbacks(domain: Domain, now: datetime, limit: Limit = EVERYTHING) -> list[OpenCallback]:
    """The call-backs nobody has finished or put off, newest first; with a limit as far as they may be seen."""
    states = {row.number_e164: row for row in CallBack.objects.filter(domain=domain).select_related("owner")}
    recent = visible(_recent(domain.pk), domain.pk, limit)
    found = (_open_callback(each, states.get(each.number), now) for each in recent)
    return [each for each in found if each is not None]


def _open_callback(each: MissedCaller, state: CallBack | None, now: datetime) -> OpenCallback | None:
    # Most callers were never touched by anybody: no row is needed for them.
    if (state := decided(each, state)) is None:
        return OpenCallback(each, each.calls[0].at, len(each.calls), None)
    # Whoever calls again after “done” is open again by itself.
    calls = [ring.at for ring in each.calls if state.done_at is None or ring.at > state.done_at]
    is_snoozed = state.snoozed_until is not None and state.snoozed_until > now
    return None if is_snoozed or not calls else OpenCallback(each, calls[0], len(calls), state.owner)


def _row(each: OpenCallback, viewer: Viewer, domain: Domain, contact: Any) -> dict[str, Any]:
    shown, owner = numbers.shown(each.missed.number, domain.country), each.owner
    return {
        "number": each.missed.number,
        "shown": shown,
        "name": contact.name if contact else each.missed.last.caller_name or shown,
        "at": milliseconds(each.missed.last.at),
        "waited": "" if each.missed.last.seconds is None else time_phrases.duration(each.missed.last.seconds),
        "times": each.times,
        "owner": (name_for(viewer, owner) or _("a colleague")) if owner else "",
        "is_mine": owner is not None and owner.pk == viewer.person_id,
    }


def name_for(viewer: Viewer | None, owner: Person) -> str:
    """What somebody who has taken a call-back is called; "" where they are not shown, or not to this viewer."""
    if viewer is not None and owner.pk == viewer.person_id:
        return str(owner)
    # Boards have no viewer: there only people who are hidden from everybody are left out.
    is_shown = not owner.is_hidden and (viewer is None or viewer.limit.shows_person(owner.extension))
    return str(owner) if is_shown else ""


def _summary(
    waiting: list[OpenCallback], domain: Domain, now: datetime, viewer: Viewer | None = None
) -> CallbackSummary:
    began = company_day.start(domain, now)
    young = sum(each.since > now - YOUNG for each in waiting)
    # Just after midnight a caller of 23:50 is both of yesterday and young: young counts.
    older = sum(each.since <= now - YOUNG and each.since < began for each in waiting)
    owners = Counter(name_for(viewer, each.owner) for each in waiting if each.owner)
    return CallbackSummary(
        open=len(waiting),
        taken=sum(owners.values()),
        under_an_hour=young,
        today=len(waiting) - young - older,
        older=older,
        oldest_at=min((each.since for each in waiting), default=None),
        owners=tuple(sorted(owners.items(), key=lambda owned: (-owned[1], owned[0]))),
    )
