"""What time makes of live legs: marked where something speaks against them, and ended at the company's limit.

Silence proves nothing, since a talk has no events between its answer and its end. So a leg stays what it is,
and is only marked as unconfirmed, where more than silence speaks against it: it rings for longer than phones do, its
person has answered another call since, or its queue has fewer callers than we count. Of these a caller is let go whose
own end was told on another leg: some providers never end the one to the queue.

Looked for without any lock and written in small pieces: deliveries wait for the lock that writers of calls take.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from accounts.models import Domain
from wallboard.calls import floors, leg_store, legs
from wallboard.calls.floors import Member
from wallboard.calls.leg_store import Changes
from wallboard.calls.models import Leg
from wallboard.calls.presence import states
from wallboard.live import feeds, publish
from wallboard.queues import pacing
from wallboard.queues.models import PollState

T = TypeVar("T")
log = logging.getLogger(__name__)
# From then on a talk says how old its last news is (also in static/js/views/news.js).
NO_NEWS_AFTER = timedelta(minutes=10)
RINGING_AFTER = timedelta(minutes=3)  # the same for what is not answered; phones ring for a minute or so
LONGEST_RINGING = timedelta(minutes=10)  # how long a call that was answered may have been known before
PIECE = 50  # legs or people in one transaction
COMPANIES = 10  # whose rows are read together


@dataclass(frozen=True)
class Verdict:
    """What is to become of a leg of which nothing was heard after `heard_at`."""

    heard_at: datetime
    is_unconfirmed: bool
    over_at: datetime | None  # None while it lives


def outdated(domain_ids: Collection[int]) -> set[int]:
    """Of these companies those for which refresh() may have anything to do, in two queries."""
    live = Leg.objects.filter(domain__in=domain_ids, ended_at=None)
    return {*live.values_list("domain_id", flat=True).distinct(), *states.outdated_without_calls(domain_ids)}


def refresh(domain_ids: Collection[int]) -> Iterator[dict[int, Changes]]:
    """Bring live legs and everyone's presence up to date with the time; gives what changed, piece by piece.

    What is wrong with one company keeps none of the others from it; only a database that is away is raised.
    """
    for ids in _pieces(sorted(domain_ids), COMPANIES):
        members, live, queues = floors.everyone(ids), floors.live(ids), floors.queue_names(ids)
        for domain in Domain.objects.filter(pk__in=ids).order_by("pk"):
            numbers = set(queues[domain.pk])
            try:
                for changes in _refresh(domain, members[domain.pk], live[domain.pk], numbers):
                    yield {domain.pk: changes}
            except (OperationalError, InterfaceError):
                publish.missed.add(feeds.of_calls(domain.pk))  # it may have kept what nobody tells then
                raise
            except Exception:
                log.exception("What time makes of the calls of domain %d could not be worked out", domain.pk)


def _refresh(domain: Domain, members: list[Member], live: list[Leg], queue_numbers: set[str]) -> Iterator[Changes]:
    verdicts = _verdicts(domain, live, queue_numbers)
    for ids in _pieces(verdicts, PIECE):
        yield _carry_out(domain, {pk: verdicts[pk] for pk in ids})
    for extensions in _pieces(states.outdated(members, live, queue_numbers, timezone.now()), PIECE):
        # Each piece in a transaction of its own, so that deliveries get in between.
        with transaction.atomic():
            [locked] = leg_store.lock_domains([domain.pk])
            # Read again under the lock; what was found without it is only a list of whom to look at.
            numbers = leg_store.queue_numbers_of(locked)
            changed = states.refresh(locked, dict.fromkeys(extensions, ""), numbers, timezone.now(), heard=False)
        yield Changes(presences={row.person.extension: row for row in changed})


def without_news(rows: "QuerySet[Leg]") -> "QuerySet[Leg]":
    """Of these legs those that are live by our events, though nothing was heard of them for long."""
    is_silent = Q(is_unconfirmed=True) | Q(heard_at__lte=timezone.now() - NO_NEWS_AFTER)
    return rows.filter(is_silent, ended_at=None)


def has_no_news(leg: Leg) -> bool:
    """Whether this is such a leg."""
    is_silent = leg.is_unconfirmed or timezone.now() - leg.heard_at >= NO_NEWS_AFTER
    return leg.ended_at is None and is_silent


def _pieces(whole: Iterable[T], size: int) -> Iterator[list[T]]:
    rows = list(whole)
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _verdicts(domain: Domain, live: list[Leg], queue_numbers: set[str]) -> dict[int, Verdict]:
    """What is to change of these live legs, by the leg's id."""
    now = timezone.now()
    doubtful = _doubtful(domain, live, queue_numbers, now)
    gone = _hung_up(domain, [leg for leg in live if leg.pk in doubtful and leg.queue], now)
    longest = timedelta(hours=domain.longest_call_hours)
    found = {}
    for leg in live:
        over_at = now if now - leg.heard_at >= longest else gone.get(leg.pk)
        # With the time it was judged by: whoever was heard of since is left alone.
        verdict = Verdict(leg.heard_at, leg.pk in doubtful, over_at)
        if over_at or leg.is_unconfirmed != verdict.is_unconfirmed or _is_queue_new(leg, queue_numbers):
            found[leg.pk] = verdict
    return found


def _is_queue_new(leg: Leg, queue_numbers: set[str]) -> bool:
    return leg.queue != leg_store.queue_of(leg, queue_numbers)


def _doubtful(domain: Domain, live: list[Leg], queue_numbers: set[str], now: datetime) -> set[int]:
    """The legs against which more than silence speaks."""
    waiting: list[Leg] = []
    others: list[Leg] = []
    for leg in live:
        (waiting if leg_store.queue_of(leg, queue_numbers) else others).append(leg)
    talks = [leg for leg in others if legs.state_of(leg) == Leg.State.ACTIVE]
    ringing = [leg for leg in others if legs.state_of(leg) != Leg.State.ACTIVE]
    found = {leg.pk for leg in ringing if now - leg.heard_at >= RINGING_AFTER}
    found |= _followed_by_another(domain, [leg for leg in talks if now - leg.heard_at >= NO_NEWS_AFTER])
    # A caller whom somebody talks to has left the queue, even if that leg's end was lost.
    at_phones = {leg.from_call_id for leg in talks}
    return found | _beyond_polls(domain, [leg for leg in waiting if leg.from_call_id not in at_phones], now)


def _followed_by_another(domain: Domain, silent: list[Leg]) -> set[int]:
    """Talks whose person has answered or placed another call since the last news of them."""
    if not silent:
        return set()
    earliest = min(leg.heard_at for leg in silent)
    recent = Leg.objects.filter(domain=domain, active_at__gt=earliest, first_seen_at__gt=earliest - LONGEST_RINGING)
    newest: dict[str, datetime] = {}
    for end in ("from_user", "to_user"):
        for extension, at in recent.exclude(**{end: ""}).values_list(end).annotate(Max("active_at")):
            newest[extension] = max(at, newest.get(extension, at))
    ends = {leg.pk: [newest[end] for end in (leg.from_user, leg.to_user) if end in newest] for leg in silent}
    return {leg.pk for leg in silent if any(at > leg.heard_at for at in ends[leg.pk])}


def _beyond_polls(domain: Domain, waiting: list[Leg], now: datetime) -> set[int]:
    """Of the callers whom we count in a queue, those without news for longest: as many as the polls do not."""
    # Polls and events come apart by some seconds: only who is silent for long is doubted.
    silent = {leg.pk for leg in waiting if now - leg.heard_at >= RINGING_AFTER}
    if not silent:
        return silent
    state = PollState.objects.filter(domain=domain).first()
    # An old reading proves nothing about who waits now.
    if state is None or state.read_at is None or now - state.read_at > pacing.live_for(domain):
        return set()
    by_queue: dict[str, list[Leg]] = defaultdict(list)
    for leg in waiting:
        by_queue[leg.queue].append(leg)
    found: set[int] = set()
    for number, callers in by_queue.items():
        _version, document = state.figures.get(number) or (0, None)
        # A queue that the provider left out has no figure to hold against ours.
        if document and document["missing_since"] is None:
            oldest = sorted(callers, key=lambda leg: leg.heard_at)[: max(0, len(callers) - document["waiting"])]
            found |= {leg.pk for leg in oldest} & silent
    return found


def _hung_up(domain: Domain, doubtful: list[Leg], now: datetime) -> dict[int, datetime]:
    """When these callers left their queue, by leg, where their own end was told on another leg: the last news of them,
    and long ago. A phone that gives up may tell its caller's end, too, so by itself that ends no call; here the
    provider's own count says the same.
    """
    if not doubtful:
        return {}
    of_call: dict[str, list[Leg]] = defaultdict(list)
    callers = {leg.from_call_id for leg in doubtful} - {""}
    for each in Leg.objects.filter(domain=domain, from_call_id__in=callers).order_by("heard_at", "pk"):
        of_call[each.from_call_id].append(each)
    ends = ((leg, _left_at(leg, of_call[leg.from_call_id], now)) for leg in doubtful if leg.from_call_id)
    return {leg.pk: at for leg, at in ends if at}


def _left_at(waiting: Leg, of_call: list[Leg], now: datetime) -> datetime | None:
    """When a caller left this queue: as somebody answered, else as they hung up; None where that was not told."""
    newest = of_call[-1]
    if newest.from_state != Leg.State.ENDED or now - newest.heard_at < RINGING_AFTER:
        return None
    answers = (each.active_at for each in of_call if not each.queue)
    return min((at for at in answers if at and at > waiting.first_seen_at), default=newest.ended_at)


def _carry_out(domain: Domain, verdicts: dict[int, Verdict]) -> Changes:
    """Write them, but for legs that were heard of meanwhile."""
    with transaction.atomic():
        [domain] = leg_store.lock_domains([domain.pk])
        queue_numbers = leg_store.queue_numbers_of(domain)
        live = Leg.objects.filter(pk__in=verdicts, ended_at=None).order_by("pk")
        rows = [leg for leg in live if leg.heard_at == verdicts[leg.pk].heard_at]
        for leg in rows:
            leg.is_unconfirmed = verdicts[leg.pk].is_unconfirmed
            leg_store.fill_derived(leg, domain, queue_numbers)
            if over_at := verdicts[leg.pk].over_at:
                legs.apply_facts(leg, legs.closed(legs.facts_of_leg(leg), over_at))
        leg_store.save(domain, rows)
        leg_store.note_past(domain, rows)
        presences = leg_store.refresh_presences(domain, rows, queue_numbers, heard=False)
    by_id = {leg.pk: leg for leg in rows}
    return Changes(by_id, dict(by_id), presences)
