"""Conditions beside a queue's level: a room says for which subjects one holds, and that raises and ends alerts."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import Domain
from wallboard.alerts import records
from wallboard.alerts.evaluation import is_worse
from wallboard.alerts.models import LEVEL, Alert, EvaluationState
from wallboard.alerts.ruling import kind_rules
from wallboard.alerts.ruling.kind_rules import EffectiveKindRule
from wallboard.live.feeds import milliseconds
from wallboard.queues.models import Queue

Why = Alert.Ended
UNBROKEN = timedelta(minutes=5)  # nobody knows what was between two reports that lie further apart


@dataclass(frozen=True, slots=True)
class State:
    """A condition that holds for a subject.

    `since` is when it began, None for the first report of it. The rule's time is counted from the first report on, so
    that what a restart finds old and mends in a moment calls nobody; with `is_age` it is counted from `since`, where
    age is what the rule is about. `facts` fill the sentences (wording.py) and never hold a phone number; `level`
    overrides that of the rule.
    """

    subject: str = ""
    since: datetime | None = None
    queue: Queue | None = None
    reason: str = ""
    facts: Mapping[str, str | int] = field(default_factory=dict)
    level: str = ""
    is_age: bool = False


@dataclass(slots=True)
class _Look:
    """One report as it is worked through: the rule, what stood before, and what came of it."""

    domain: Domain
    kind: str
    rule: EffectiveKindRule
    now: datetime
    open: dict[str, Alert]
    pending: Mapping[str, int]
    still_pending: dict[str, int] = field(default_factory=dict)
    changed: list[Alert] = field(default_factory=list)


def report(
    domain: Domain,
    kind: str,
    states: Iterable[State],
    *,
    judged: Collection[str] | None = None,
    why_ended: Mapping[str, str] | None = None,
) -> None:
    """Say that this condition holds for exactly these subjects now; call it again and again, every minute or sooner.

    An alert is raised once the condition has held for the time of the kind's rule, and ends when it is no longer
    reported. `judged` names the subjects that could be looked at, None all of them: alerts of others stay as they are,
    and their time begins anew. `why_ended` says of a subject that it ended otherwise than by being in order again.
    """
    holding = {each.subject: each for each in states}
    if not holding and _is_idle(domain, kind):
        return
    # The row that the lock is taken on must exist first; it is the one that readings of queues take, too.
    EvaluationState.objects.get_or_create(domain=domain)
    with transaction.atomic():
        progress = EvaluationState.objects.select_for_update().get(domain=domain)
        look = _begin(domain, kind, progress)
        for subject, alert in look.open.items():
            if judged is not None and subject not in judged and look.rule.is_on:
                continue
            _go_on(look, alert, holding.get(subject), (why_ended or {}).get(subject, Why.NORMAL))
        if look.rule.is_on:
            _raise_new(look, holding)
        _remember(progress, look)
        records.publish_after_commit(domain.pk, look.changed)


def under_way(domain_ids: Collection[int]) -> Iterator[tuple[int, str]]:
    """(company, kind) of which an alert is open or time runs: of these there must be a report, whatever it finds."""
    alerts = Alert.objects.filter(domain__in=domain_ids, ended_at=None).exclude(kind=LEVEL).order_by()
    yield from alerts.values_list("domain_id", "kind").distinct()
    states = EvaluationState.objects.filter(domain__in=domain_ids).exclude(conditions={})
    for domain_id, pending in states.values_list("domain_id", "conditions"):
        for kind in pending:
            yield domain_id, kind


def _is_idle(domain: Domain, kind: str) -> bool:
    """Whether there is nothing to end and no time runs; most reports find it so, take no lock and write nothing."""
    if Alert.objects.filter(domain=domain, kind=kind, ended_at=None).exists():
        return False
    stored = EvaluationState.objects.filter(domain=domain).values_list("conditions", flat=True).first()
    return not (stored or {}).get(kind)


def _begin(domain: Domain, kind: str, progress: EvaluationState) -> _Look:
    now = timezone.now()
    reported_at, pending = progress.conditions.get(kind) or (0, {})
    is_unbroken = abs(milliseconds(now) - reported_at) <= UNBROKEN.total_seconds() * 1000
    found = Alert.objects.filter(domain=domain, kind=kind, ended_at=None).select_related("queue")
    rule = kind_rules.rule_of(domain.pk, kind)
    return _Look(domain, kind, rule, now, {each.subject: each for each in found}, pending if is_unbroken else {})


def _go_on(look: _Look, alert: Alert, state: State | None, why_ended: str) -> None:
    """An alert that is open: it ends, or follows what is known now."""
    if not look.rule.is_on:
        look.changed.append(records.end(alert, look.now, Why.OFF))
    elif state is None:
        look.changed.append(records.end(alert, look.now, why_ended))
    else:
        level, facts = state.level or look.rule.level, dict(state.facts)
        if is_worse(alert, level):
            # Only the lesser level was acknowledged; as with the levels of queues it is raised again.
            look.changed.append(records.end(alert, look.now, Why.WORSE))
            look.changed.append(records.store(_alert(look, state, alert.began_at)))
        elif (alert.level, alert.reason, alert.facts) != (level, state.reason, facts):
            look.changed.append(records.change(alert, look.now, level, reason=state.reason, facts=facts))


def _raise_new(look: _Look, holding: Mapping[str, State]) -> None:
    rested = _ended_lately(look)
    for subject, state in holding.items():
        if subject in look.open:
            continue
        counted, began = _began(look, state)
        is_due = look.now - counted >= timedelta(seconds=look.rule.stays_seconds)
        # During the cooldown the condition stays pending: the alert follows at once when that is over.
        if not is_due or subject in rested:
            look.still_pending[subject] = milliseconds(counted)
            continue
        look.changed.append(records.store(_alert(look, state, began)))


def _alert(look: _Look, state: State, began: datetime) -> Alert:
    level = state.level or look.rule.level
    return Alert(
        domain=look.domain, kind=look.kind, subject=state.subject, queue=state.queue, level=level, worst=level,
        reason=state.reason, facts=dict(state.facts), began_at=began, raised_at=look.now,
    )  # fmt: skip


def _began(look: _Look, state: State) -> tuple[datetime, datetime]:
    """From when the rule's time is counted, and when the condition began."""
    first = look.pending.get(state.subject)
    reported = look.now if first is None else datetime.fromtimestamp(first / 1000, look.now.tzinfo)
    # What began ahead of now was written before a clock was set back.
    began = min(state.since or reported, look.now)
    return began if state.is_age else min(reported, look.now), began


def _ended_lately(look: _Look) -> set[str]:
    """The subjects whose last alert ended less than the kind's cooldown ago."""
    since = look.now - timedelta(seconds=look.rule.cooldown_seconds)
    ended = Alert.objects.filter(domain=look.domain, kind=look.kind, ended_at__gt=since, ended_at__lte=look.now)
    return set(ended.values_list("subject", flat=True))


def _remember(progress: EvaluationState, look: _Look) -> None:
    conditions = {kind: held for kind, held in progress.conditions.items() if kind != look.kind}
    if look.still_pending:
        conditions[look.kind] = [milliseconds(look.now), look.still_pending]
    if conditions != progress.conditions:
        progress.conditions = conditions
        progress.save(update_fields=["conditions"])
