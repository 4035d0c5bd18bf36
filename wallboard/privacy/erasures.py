"""Erasing a number as a job of the worker: step by step, gone on with after a worker that died, ended once."""

from collections import Counter
from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import audit
from accounts.audit import Actor
from accounts.encryption import sealed
from accounts.models import Domain
from wallboard.calls import numbers
from wallboard.calls.retention import traces
from wallboard.calls.retention.retention import NotNow
from wallboard.calls.retention.traces import Trace
from wallboard.privacy import erasing
from wallboard.privacy.models import Erasure

State = Erasure.State
STALLED_AFTER = timedelta(seconds=120)  # a run that has not been heard of for so long has died
RENEWED_AFTER = timedelta(seconds=10)  # within a step; each writes the row
WORKER_WITHIN = timedelta(seconds=15)  # a worker that runs begins sooner
SHOWN_FOR = timedelta(days=7)  # after that the audit log alone tells of it
MOST_PLACES = 20  # named of what still holds the number


class _Overtaken(Exception):
    """Another run was begun in place of this one, which was not heard of for too long, or there is nothing to do."""


def create(domain: Domain, trace: Trace) -> Erasure:
    """Plan it for whoever acts now. Raises NotNow where it cannot be; planned twice it is planned once."""
    erasing.check(domain, trace)
    masked = numbers.masked(trace.number)
    with transaction.atomic():
        Domain.objects.select_for_update().get(pk=domain.pk)
        # The number itself is sealed, and each seal differs.
        for waiting in _open(domain).filter(masked=masked):
            if waiting.number.open() == trace.number:
                return waiting
        audit.log(domain.pk, "erasing asked for", masked)
        actor = audit.current_actor()
        return Erasure.objects.create(
            domain=domain, number=sealed(trace.number), masked=masked, who=actor.name[:300], user_id=actor.user_id
        )


def run_due() -> None:
    """Begin what waits, and go on with what a worker that died has left."""
    for pk in _due().order_by("pk").values_list("pk", flat=True):
        run(pk)


def run(erasure_id: int) -> None:
    """Erase, step by step, unless it runs already or is done."""
    taken = _due().filter(pk=erasure_id).update(state=State.RUNNING, heard_at=timezone.now())
    if not taken:
        return
    erasure = Erasure.objects.select_related("domain").get(pk=erasure_id)
    trace = traces.of(erasure.number.open(), erasure.domain.country)
    assert trace is not None  # it was one when it was planned
    # Whoever was overtaken leaves the rest, and what is said about it, to the other.
    with suppress(_Overtaken):
        try:
            _take_steps(erasure, trace)
        except NotNow as reason:
            _set(erasure, state=State.REFUSED, refusal=str(reason)[:300], number="")
            return
        _finish(erasure, trace)


def _take_steps(erasure: Erasure, trace: Trace) -> None:
    steps = erasing.steps(erasure.domain, trace, lambda: _renew(erasure))
    _set(erasure, steps=len(steps))
    for number, step in enumerate(steps):
        # Done before a worker died; the steps that follow may be taken twice without harm.
        if number < erasure.step:
            continue
        _set(erasure)
        # Together, so that a step that was taken is never taken again as if it were new.
        with step.together():
            if step.is_atomic:
                _hold(erasure)
            found = Counter(erasure.counts)
            found.update(step.take())
            _set(erasure, step=number + 1, counts=dict(found))


def _finish(erasure: Erasure, trace: Trace) -> None:
    remaining = erasing.remaining(erasure.domain, trace, lambda: _renew(erasure))
    with transaction.atomic(), audit.acting_as(lambda: Actor(erasure.who, erasure.user_id)):
        _set(erasure, state=State.DONE, remaining=remaining[:MOST_PLACES], number="")
        erasing.note(erasure.domain, trace, erasure.counts)


def recent(domain: Domain) -> list[Erasure]:
    """Those that are under way or were asked for lately, newest first."""
    return list(Erasure.objects.filter(domain=domain, made_at__gt=timezone.now() - SHOWN_FOR))


def is_busy(erasure: Erasure) -> bool:
    return erasure.state in (State.WAITING, State.RUNNING)


def lacks_worker(erasure: Erasure) -> bool:
    """Whether no worker has begun it, though one that runs would have."""
    waited = timezone.now() - erasure.heard_at
    return waited > WORKER_WITHIN if erasure.state == State.WAITING else waited > STALLED_AFTER and is_busy(erasure)


def delete_old(domain: Domain) -> None:
    """Drop what is shown no more."""
    old = Erasure.objects.filter(domain=domain, made_at__lt=timezone.now() - SHOWN_FOR)
    old.filter(state__in=(State.DONE, State.REFUSED)).delete()


def _open(domain: Domain) -> QuerySet[Erasure]:
    return Erasure.objects.filter(domain=domain, state__in=(State.WAITING, State.RUNNING))


def _due() -> QuerySet[Erasure]:
    dead = Q(state=State.RUNNING, heard_at__lt=timezone.now() - STALLED_AFTER)
    return Erasure.objects.filter(Q(state=State.WAITING) | dead)


def _ours(erasure: Erasure) -> QuerySet[Erasure]:
    """The row, as long as nobody but this run has written it."""
    return Erasure.objects.filter(pk=erasure.pk, state=State.RUNNING, heard_at=erasure.heard_at)


def _hold(erasure: Erasure) -> None:
    """Keep others from beginning anew before the transaction ends: nothing that is written in it tells them before."""
    if _ours(erasure).select_for_update().first() is None:
        raise _Overtaken


def _renew(erasure: Erasure) -> None:
    if timezone.now() - erasure.heard_at > RENEWED_AFTER:
        _set(erasure)


def _set(erasure: Erasure, **columns: object) -> None:
    """Write it, with that this run lives. Raises _Overtaken."""
    columns["heard_at"] = timezone.now()
    if not _ours(erasure).update(**columns):
        raise _Overtaken
    for name, value in columns.items():
        setattr(erasure, name, value)
