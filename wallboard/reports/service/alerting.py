"""Queues whose service level of today is below its target, told to the alerts."""

from collections.abc import Collection
from datetime import datetime, timedelta
from math import floor

from accounts import company_day
from accounts.models import Domain
from wallboard.alerts import conditions, lifecycle
from wallboard.alerts.conditions import State
from wallboard.alerts.models import Alert
from wallboard.alerts.ruling import kind_rules
from wallboard.queues import renumbering
from wallboard.queues.models import Level, Queue
from wallboard.queues.targets import levels
from wallboard.queues.targets.levels import LATE, NORMAL, WATCH, Pair
from wallboard.reports.models import ServiceDay
from wallboard.reports.service import today
from wallboard.reports.service.targets import FEWEST_CALLS, level_of
from wallboard.reports.service.today import Tally

KIND = "service"
COUNTED_WITHIN = timedelta(minutes=5)
Ended = Alert.Ended


def under_way(domain_ids: Collection[int]) -> set[int]:
    """Of these companies those with an alert of the kind that is open, or pending."""
    return {pk for pk, kind in conditions.under_way(domain_ids) if kind == KIND}


def report(domain: Domain, now: datetime) -> None:
    """Report every queue that is below its target, by what the worker has counted.

    Where the level cannot be told any more, the alerts about it end: nobody can know whether they still hold.
    """
    row = ServiceDay.objects.filter(domain=domain).first()
    if row is None or row.locked:
        numbers = Queue.objects.filter(domain=domain).values_list("number", flat=True)
        conditions.report(domain, KIND, [], why_ended=dict.fromkeys(numbers, Ended.LOCKED.value))
    elif abs(now - row.at) > COUNTED_WITHIN:
        conditions.report(domain, KIND, [], judged=())
    else:
        begin = company_day.start(domain, now)
        _report(domain, now, today.by_queue(row, begin), renumbering.split_in(domain.pk, begin, now))


def _report(domain: Domain, now: datetime, tallies: dict[str, Tally], split: Collection[str]) -> None:
    known = {queue.number: queue for queue in Queue.objects.filter(domain=domain)}
    silent = lifecycle.silent_queues(domain, known, now)
    standards = levels.standards(domain.pk)
    rule_level = kind_rules.rule_of(domain.pk, KIND).level
    states, why_ended = [], dict.fromkeys(split, Ended.LOCKED.value) | silent
    for number, queue in known.items():
        tally = tallies.get(number, Tally())
        if tally.base < FEWEST_CALLS:
            why_ended.setdefault(number, Ended.FEW.value)
        elif number not in why_ended:
            bounds = calling(standards.of(number).service_below, rule_level)
            level = level_of(tally.met, tally.base, bounds)
            if level != NORMAL:
                states.append(_state(queue, tally, level, bounds))
    conditions.report(domain, KIND, states, why_ended=why_ended)


def calling(bounds: Pair, rule_level: str) -> Pair:
    """The bounds that raise an alert: a rule "as late" leaves out the watch level."""
    return (None, bounds[1]) if rule_level == Level.LATE else bounds


def _state(queue: Queue, tally: Tally, level: str, bounds: Pair) -> State:
    # Rounded down, so that 79.9 is not told as "80 %, wanted 80 %".
    facts: dict[str, str | int] = {"percent": floor(100 * tally.met / tally.base), "target": _bound(level, bounds)}
    return State(queue.number, queue=queue, facts=facts, level=level)


def _bound(level: str, bounds: Pair) -> int:
    watch, late = bounds
    assert level in (WATCH, LATE)
    return (watch if level == WATCH else late) or 0
