"""Reading the queues of a domain: one owner at a time, whole answers, and misses that everybody can see."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.encryption import WrongKey
from accounts.leases import HeldLease
from accounts.models import Domain
from accounts.spreading.together import Together
from accounts.statements import planned
from accounts.statements.lost import if_lost
from accounts.tokens import clients
from wallboard.live import feeds, publish
from wallboard.queues import documents as queue_documents
from wallboard.queues import figures, pacing, past_changes
from wallboard.queues.models import PollState, Queue
from wallboard.queues.rounds import poll_groups, poll_rows, polls
from wallboard.queues.targets import levels
from wallboard.telephony.errors import ProviderError
from wallboard.telephony.resources import QueueStatsList

log = logging.getLogger(__name__)
TAKE_SECONDS, STORE_SECONDS = 0.02, 0.04  # who comes within these is taken along; answers lie further apart
TOO_LATE = "A poll came too late and was dropped: another one has written since."


def poll(domain: Domain) -> float | None:
    """Read the queues now, if it is time and nobody else does it. Never raises for the provider's sake.

    A failed reading keeps the last good figures and publishes the failure with its age and the next try. Answers in
    how many seconds that is, None after a success and where nothing was read.
    """
    return poll_by_id(domain.pk)


def poll_by_id(domain_id: int) -> float | None:
    """As poll(), of the domain with this id, which is read together with all that a poll needs of it."""
    found = _takes.ask(domain_id) if polls.is_crowded() else None
    found = found or poll_rows.taken(domain_id)
    if found is None:
        return None
    lease, domain = found
    with lease:
        # Under the lease: another worker may have read since this one was planned.
        state = pacing.state_of(domain) or _first_state(domain)
        tried_at = timezone.now()
        if not pacing.is_due(domain, state, tried_at):
            return None
        try:
            answer = clients.client_of_joined(domain).queue_stats()
        # A wrong TOKEN_KEYS is no crash of the poll: boards have to say why there are no figures.
        except (ProviderError, WrongKey) as error:
            return _record_failure(domain, state, lease.fence, tried_at, error)
        if not (polls.is_crowded() and _stores.ask(poll_groups.Answered(domain, state, lease, tried_at, answer))):
            _store_answer(domain, state, lease, tried_at, answer)
        return None


def poll_now(domain: Domain) -> None:
    """Read at once, whatever pause was planned after a failure."""
    clients.try_now(domain)
    PollState.objects.filter(domain=domain).update(not_before=None, tried_at=None)
    poll(domain)


def keep(domain: Domain, numbers: Iterable[str], known_at: datetime | None) -> None:
    """Keep queues of which the provider tells for the first time; `known_at` is the last reading without them, if any.

    Calls to them that came since then passed for those of a person (calls/presence/new_queues.py).
    """
    since = known_at or past_changes.EVER
    queues = [Queue(domain=domain, number=number, mistaken_since=since) for number in numbers]
    if queues:
        Queue.objects.bulk_create(queues, ignore_conflicts=True)


def _first_state(domain: Domain) -> PollState:
    state, is_new = PollState.objects.get_or_create(domain=domain)
    if is_new:
        # Without targets nothing is ever late, and a first board would look broken.
        levels.make_default(domain)
    return state


def _store_answer(
    domain: Domain, state: PollState, lease: HeldLease, tried_at: datetime, answer: QueueStatsList
) -> None:
    read_at, before = timezone.now(), figures.held(state.figures)
    changes = _changes(tried_at, read_at, answer)
    # Every hub compares the feed then: what may have been stored is told by nobody.
    with if_lost(lambda: publish.missed.add([feeds.queues(domain.pk)])), transaction.atomic():
        # What waits mean may have been found out while the provider was asked, and all that is stored read again.
        newest = poll_rows.merged(before, answer, poll_rows.held(domain), state.version + 1, read_at)
        new_numbers = [number for number in newest.reading if number not in before]
        changes |= {"figures": newest.held, "moved_at": poll_rows.moved_at(state, newest, read_at)}
        # A lease ends by time, so somebody may have read since. The newer reading stays, ours leaves no trace.
        if not poll_rows.store(state, lease, changes, newest.reading, poll_rows.raw_of(answer)):
            log.warning(TOO_LATE)
            return
        keep(domain, new_numbers, state.read_at)
    lease.is_over = planned.is_possible()
    _log_success(domain, state, answer.skipped)
    documents = _changed(newest)
    # Boards show no queue of which they do not know the name.
    if new_numbers:
        documents |= queue_documents.about(domain.pk, new_numbers)
    _publish(domain, state, changes, documents)


def _store_together(answered: Sequence[poll_groups.Answered]) -> list[bool | None]:
    """Store what several providers answered at about the same time; None for those who have to do so by themselves."""
    with if_lost(lambda: publish.missed.add([feeds.queues(each.domain.pk) for each in answered])):
        found = poll_groups.store(answered)
    told = []
    for each, stored in zip(answered, found, strict=True):
        if stored is not None and stored.is_written:
            _log_success(each.domain, each.state, each.answer.skipped)
            changes = _changes(each.tried_at, each.read_at, each.answer)
            told.append(_documents(each.domain, each.state, changes, _changed(stored.newest)))
        elif stored is not None:
            log.warning(TOO_LATE)
    publish.tell_all(told)
    return [None if stored is None else True for stored in found]


# Most of what it takes to take and store a poll is the way to the database, there and back.
_takes = Together(poll_groups.taken, TAKE_SECONDS)
_stores = Together(_store_together, STORE_SECONDS)


def _changes(tried_at: datetime, read_at: datetime, answer: QueueStatsList) -> dict[str, Any]:
    of_success = {"failing_since": None, "failure": "", "failures": 0, "not_before": None}
    return {"tried_at": tried_at, "read_at": read_at, "skipped_rows": answer.skipped, **of_success}


def _changed(newest: figures.Newest) -> dict[str, tuple[int, Any]]:
    return {f"queue:{number}": newest.held[number] for number in newest.changed}


def _record_failure(
    domain: Domain, state: PollState, fence: int, tried_at: datetime, error: ProviderError | WrongKey
) -> float:
    now = timezone.now()
    pause_seconds = pacing.pause_seconds(domain, error, state.failures + 1)
    changes = {
        "tried_at": tried_at,
        "failing_since": state.failing_since or tried_at,
        "failure": error.kind if isinstance(error, ProviderError) else "wrong_key",
        "failures": state.failures + 1,
        "not_before": now + timedelta(seconds=pause_seconds),
    }
    if not poll_rows.write(state, fence, changes):
        log.warning(TOO_LATE)
        return pause_seconds
    # Once when it breaks and once when it heals, not at each miss.
    if not state.failures:
        log.warning("%s: the queues cannot be read, %s (%s)", domain.slug, changes["failure"], error)
    _publish(domain, state, changes, {})
    return pause_seconds


def _log_success(domain: Domain, state: PollState, skipped: int) -> None:
    if state.failures:
        log.info("%s: the queues are read again, after %d misses", domain.slug, state.failures)
    # As above: a row that cannot be read is so at every poll.
    if skipped and not state.skipped_rows:
        log.warning("%s: %d rows of the queue statistics cannot be read", domain.slug, skipped)
    elif state.skipped_rows and not skipped:
        log.info("%s: all rows of the queue statistics can be read again", domain.slug)


def _publish(
    domain: Domain, state: PollState, changes: Mapping[str, Any], documents: queue_documents.Documents
) -> None:
    publish.tell(*_documents(domain, state, changes, documents))


def _documents(
    domain: Domain, state: PollState, changes: Mapping[str, Any], documents: queue_documents.Documents
) -> tuple[feeds.Feed, queue_documents.Documents]:
    """What the feed is told once these changes are stored."""
    for name, value in changes.items():
        setattr(state, name, value)
    state.version += 1
    return feeds.queues(domain.pk), {**queue_documents.poll(domain, state), **documents}
