"""The life of the alerts of queues' levels, which readings raise and end; and how anybody acknowledges any alert."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from accounts import audit
from accounts.models import Domain, Person
from accounts.spreading.together import Together
from accounts.statements import planned
from wallboard.alerts import records, rules, wording
from wallboard.alerts.evaluation import Changes, PreviousState, Reading, Why, evaluate
from wallboard.alerts.models import LEVEL, Alert, AlertEvent, EvaluationState
from wallboard.live.feeds import milliseconds
from wallboard.queues import figures, pacing
from wallboard.queues.figures import QueueDocument
from wallboard.queues.hours import calendar
from wallboard.queues.models import Level, PollState, Queue
from wallboard.queues.rounds import polls

RETENTION = timedelta(days=400)  # as long as the samples that explain them
GATHER_SECONDS = 0.02  # those whose answers were stored together come at about the same time
Queues = Mapping[str, QueueDocument]
# In words, as each reading asks for it.
NEWEST = f"""SELECT s.domain_id, s.figures,
        EXISTS (SELECT 1 FROM {Alert._meta.db_table} a
            WHERE a.domain_id = s.domain_id AND a.kind = %s AND a.ended_at IS NULL),
        EXISTS (SELECT 1 FROM {EvaluationState._meta.db_table} e
            WHERE e.domain_id = s.domain_id AND e.pending <> '{{}}')
    FROM {PollState._meta.db_table} s WHERE s.domain_id = ANY(%s) AND s.read_at IS NOT NULL"""  # noqa: S608


def apply_newest(domain_id: int) -> bool:
    """As apply_reading() of the company with this id; False where nothing was to be done, found in one statement."""
    is_to_do = _looks.ask(domain_id) if polls.is_crowded() else None
    if is_to_do is None:
        (is_to_do,) = _is_to_do([domain_id])
    if is_to_do:
        apply_reading(Domain.objects.get(pk=domain_id))
    return is_to_do


def _is_to_do(domain_ids: Sequence[int]) -> list[bool]:
    """Whether anything is to be done about the newest reading of each of these companies."""
    found = {pk: any(is_under_way) or _is_any_worse(stored) for pk, stored, *is_under_way in _newest(domain_ids)}
    return [found.get(pk, False) for pk in domain_ids]


_looks = Together(_is_to_do, GATHER_SECONDS)


def _newest(domain_ids: Sequence[int]) -> list[tuple[int, Any, bool, bool]]:
    """By company the figures of the newest reading, whether an alert is open, and whether time runs for one."""
    if planned.is_possible():
        found = planned.answer(NEWEST, [LEVEL, list(domain_ids)])
        return [(pk, msgspec.json.decode(text), is_open, is_pending) for pk, text, is_open, is_pending in found]
    is_open = Exists(Alert.objects.filter(domain=OuterRef("domain"), kind=LEVEL, ended_at=None))
    is_pending = Exists(EvaluationState.objects.filter(domain=OuterRef("domain")).exclude(pending={}))
    states = PollState.objects.filter(domain__in=domain_ids, read_at__isnull=False)
    return list(states.values_list("domain_id", "figures", is_open, is_pending))


def _is_any_worse(stored: Mapping[str, tuple[int, Mapping[str, object]]]) -> bool:
    """Whether a queue is at a level from which on a rule may count; what is stored is read as it lies there."""
    documents = (document for _, document in stored.values())
    return any(each.get("level", Level.NORMAL) != Level.NORMAL for each in documents)


def apply_reading(domain: Domain) -> None:
    """Raise, change and end alerts after a poll; without a new reading nothing changes.

    With an old one the alerts of queues end that have closed meanwhile, or were hidden: nobody is called about them.
    After a clock was set back the last reading seems to lie ahead of now; it is ignored then.
    """
    state = PollState.objects.filter(domain=domain).first()
    if state is None or state.read_at is None:
        return
    if timezone.now() - state.read_at > max_reading_age(domain):
        _end_silent(domain)
        return
    queues: Queues = {number: document for number, (_, document) in figures.held(state.figures).items()}
    # Most readings find nothing to do: they take no lock and write nothing.
    if is_idle(domain, queues):
        return
    # The row that the lock below is taken on must exist first.
    EvaluationState.objects.get_or_create(domain=domain)
    with transaction.atomic():
        progress = EvaluationState.objects.select_for_update().get(domain=domain)
        # Stored before a clock was set back: it would hold off every reading until the clock has caught up.
        is_ahead = progress.read_at is not None and progress.read_at > timezone.now() + max_reading_age(domain)
        if progress.read_at is None or progress.read_at < state.read_at or is_ahead:
            _apply(domain, progress, state.read_at, queues)


def max_reading_age(domain: Domain) -> timedelta:
    """The age from which on a reading is no longer live; after a longer gap the time at a level starts anew."""
    return pacing.live_for(domain)


def is_idle(domain: Domain, queues: Queues) -> bool:
    """Whether there is nothing to do: every queue is normal, no alert is open, no time runs."""
    if any(each.level != Level.NORMAL and each.missing_since is None for each in queues.values()):
        return False
    is_open = Alert.objects.filter(domain=domain, kind=LEVEL, ended_at=None).exists()
    return not is_open and not EvaluationState.objects.filter(domain=domain).exclude(pending={}).exists()


def _end_silent(domain: Domain) -> None:
    """End the alerts of queues that must not alert anybody now, while nobody knows how these queues are."""
    now = timezone.now()
    open_now = Alert.objects.filter(domain=domain, kind=LEVEL, ended_at=None, queue__isnull=False)
    known = {each.subject: each.queue for each in open_now.select_related("queue") if each.queue is not None}
    silent = silent_queues(domain, known, now) if known else {}
    if not silent:
        return
    EvaluationState.objects.get_or_create(domain=domain)
    with transaction.atomic():
        EvaluationState.objects.select_for_update().get(domain=domain)
        over = [records.end(each, now, silent[each.subject]) for each in open_now.filter(subject__in=silent)]
        records.publish_after_commit(domain.pk, over)


def _apply(domain: Domain, progress: EvaluationState, read_at: datetime, queues: Queues) -> None:
    rule_set = rules.rule_set(domain.pk)
    known = {queue.number: queue for queue in Queue.objects.filter(domain=domain)}
    reading = Reading(milliseconds(read_at), queues, silent_queues(domain, known, read_at))
    before = _previous_state(domain, progress, read_at, rule_set)
    changes = evaluate(reading, before, rule_set)
    changed = [
        # Ends first: a queue has one open alert at most, and one that got worse is ended and raised anew.
        *_end(changes, before, read_at),
        *_update_open(changes, before, queues, read_at),
        *_raise(domain, changes, known, queues, read_at),
    ]
    progress.pending, progress.read_at = changes.pending, read_at
    progress.save(update_fields=["pending", "read_at"])
    records.publish_after_commit(domain.pk, changed)


def silent_queues(domain: Domain, known: Mapping[str, Queue], moment: datetime) -> dict[str, str]:
    """The queues that must not alert anybody now, and why: hidden, or outside their business hours."""
    schedule = calendar.schedule(domain)
    closed = {number: Why.CLOSED.value for number in known if not schedule.is_open(number, moment)}
    return closed | {number: Why.HIDDEN.value for number, queue in known.items() if queue.is_hidden}


def _previous_state(
    domain: Domain, progress: EvaluationState, read_at: datetime, rule_set: rules.RuleSet
) -> PreviousState:
    # Nobody knows what happened between two readings that lie far apart, so a time does not run on through it.
    is_unbroken = progress.read_at is not None and abs(read_at - progress.read_at) <= max_reading_age(domain)
    since = read_at - timedelta(seconds=rule_set.longest_cooldown)
    # None that ended after the reading: after a clock was set back it would prolong the cooldown.
    has_ended_lately = Q(ended_at__gte=since, ended_at__lte=read_at)
    of_levels = Alert.objects.filter(domain=domain, kind=LEVEL).select_related("queue")
    alerts = of_levels.filter(Q(ended_at=None) | has_ended_lately)
    last_ended: dict[str, int] = {}
    for each in alerts:
        if each.ended_at is not None:
            last_ended[each.subject] = max(last_ended.get(each.subject, 0), milliseconds(each.ended_at))
    open_now = {each.subject: each for each in alerts if each.ended_at is None}
    return PreviousState(progress.pending if is_unbroken else {}, open_now, last_ended)


def _end(changes: Changes, before: PreviousState, read_at: datetime) -> list[Alert]:
    return [records.end(before.open[number], read_at, why) for number, why in changes.ended.items()]


def _update_open(changes: Changes, before: PreviousState, queues: Queues, read_at: datetime) -> list[Alert]:
    changed = []
    for number in changes.continuing:
        alert, document = before.open[number], queues[number]
        if (alert.level, alert.reason) != (document.level, document.reason):
            changed.append(records.change(alert, read_at, document.level, reason=document.reason))
    return changed


def _raise(
    domain: Domain, changes: Changes, known: Mapping[str, Queue], queues: Queues, read_at: datetime
) -> list[Alert]:
    raised = []
    for number, since in changes.raised.items():
        if number not in known:
            continue
        level, reason = queues[number].level, queues[number].reason
        alert = Alert(domain=domain, subject=number, queue=known[number], level=level, worst=level, reason=reason)
        alert.began_at, alert.raised_at = datetime.fromtimestamp(since / 1000, UTC), read_at
        raised.append(records.store(alert))
    return raised


def acknowledge(domain_id: int, alert_id: int, by: Person) -> Alert | None:
    """Acknowledge an alert for everybody; None where it has ended. The first person counts."""
    with transaction.atomic():
        wanted = Alert.objects.filter(pk=alert_id, domain_id=domain_id, ended_at=None)
        # One statement decides who was first, without a lock.
        fresh = wanted.filter(acknowledged_at=None).update(
            acknowledged_at=timezone.now(),
            acknowledged_by=by,
            acknowledged_name=str(by),
            acknowledged_level=F("level"),  # only this much was acknowledged: what gets worse is raised again
            version=F("version") + 1,
        )
        alert = wanted.select_related("queue").first()
        if alert is not None and fresh:
            records.note(alert, AlertEvent.What.ACKNOWLEDGED, timezone.now())
            audit.log(domain_id, "alert acknowledged", wording.title(alert))
            records.publish_after_commit(domain_id, [alert])
    return alert


def delete_old() -> None:
    """Delete alerts past their retention."""
    Alert.objects.filter(ended_at__lt=timezone.now() - RETENTION).delete()
