"""The alert about a service level below its target: raised, changed, over, and silent where nothing can be told."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Domain
from accounts.spreading import inline
from tests.desk.conftest import Company
from tests.reports.test_queue_calls import CERTAIN, START, floor
from wallboard.alerts import wording
from wallboard.alerts.models import Alert
from wallboard.alerts.ruling import kind_rules, preview
from wallboard.alerts.ruling.kind_rules import EffectiveKindRule, KindInput
from wallboard.calibration import findings
from wallboard.queues import editing
from wallboard.queues.hours import timetables
from wallboard.queues.hours.timetables import Timetable, read_ranges
from wallboard.queues.models import PollState, Queue
from wallboard.reports import tasks
from wallboard.reports.models import ServiceDay
from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.service import alert_counts, alerting, rules, today
from wallboard.reports.service_level import Rule

NINE = datetime.fromisoformat("2026-11-18T09:00:00+00:00")  # a Wednesday
MINUTE = timedelta(minutes=1)
Count = Callable[..., list[str]]


@pytest.fixture
def domain(company: Company) -> Domain:
    company.domain.time_zone = "UTC"
    company.domain.save()
    return company.domain


@pytest.fixture
def sales(domain: Domain) -> Queue:
    queue = Queue.objects.create(domain=domain, number="501", name="Sales")
    editing.set_targets(domain, None, {"service_watch_below": 85, "service_late_below": 80})
    return queue


@pytest.fixture
def count(domain: Domain, sales: Queue) -> Any:
    """Time goes on by so many minutes, in which the worker counts this for Sales; gives the open alerts in words."""
    with time_machine.travel(NINE + timedelta(hours=1), tick=False) as clock:

        def counted(met: int, base: int, minutes: float = 3, locked: list[Any] | None = None) -> list[str]:
            clock.shift(minutes * MINUTE)
            quarters = {str(int(NINE.timestamp())): {"501": [base, base, 0, met, base, 0.0]}}
            values = {"at": timezone.now(), "counted_whole_at": timezone.now(), "stamp": "s", "locked": locked or []}
            ServiceDay.objects.update_or_create(
                domain=domain, defaults=values | {"quarters": {} if locked else quarters}
            )
            alerting.report(domain, timezone.now())
            found = Alert.objects.filter(kind="service", ended_at=None)
            return [f"{each.level} {wording.why(each)}" for each in found]

        yield counted


def ends() -> list[str]:
    return list(Alert.objects.filter(kind="service").order_by("pk").values_list("ended_why", flat=True))


def test_it_calls_once_the_level_has_been_low_for_its_time_and_ends_when_it_is_high_again(count: Count) -> None:
    assert count(84, 100) == []
    assert count(84, 100) == []
    assert count(84, 100) == ["watch 84 % today, 85 % is the target"]
    assert count(80, 101) == ["late 79 % today, 80 % is the target"]
    assert count(86, 101) == []
    assert ends() == ["normal"]


def test_one_caller_or_nineteen_call_nobody(count: Count) -> None:
    assert count(0, 1) == count(0, 19, 10) == count(0, 19, 10) == []
    assert count(0, 20) == []
    assert count(0, 20, 4.9) == []
    assert count(0, 20, 4.9) == ["late 0 % today, 80 % is the target"]


def raised(count: Count) -> None:
    count(10, 100)
    assert len(count(10, 100, 5)) == 1


def test_a_new_day_begins_with_too_few_calls_to_judge(count: Count) -> None:
    raised(count)

    assert count(10, 100, 60 * 14) == []
    assert ends() == ["few"]


def test_what_cannot_be_told_any_more_calls_nobody(count: Count) -> None:
    raised(count)

    assert count(0, 0, locked=[["queue_legs", "contradicted"]]) == []
    assert ends() == ["locked"]


def test_a_queue_that_is_closed_or_hidden_calls_nobody(count: Count, domain: Domain, sales: Queue) -> None:
    raised(count)
    timetables.set_hours(domain, None, Timetable((read_ranges("7-9"),) * 7))

    assert count(10, 100) == []
    timetables.set_hours(domain, None, Timetable(((),) * 7))
    count(10, 100, 40)
    assert len(count(10, 100, 5)) == 1
    editing.edit(sales, is_hidden=True)
    assert count(10, 100) == []
    assert ends() == ["closed", "hidden"]


def test_a_rule_as_late_leaves_out_the_watch_level_and_one_that_is_off_everything(count: Count, domain: Domain) -> None:
    kind_rules.save(domain, {"service": KindInput(level="late", stays_seconds=0)})
    assert count(84, 100) == []
    assert count(79, 100) == ["late 79 % today, 80 % is the target"]

    kind_rules.save(domain, {"service": KindInput(is_on=False)})
    assert count(10, 100) == []
    assert ends() == ["off"]


def renumbered(domain: Domain, old: str, new: str, at: datetime) -> None:
    """The provider has named `new` instead of `old` since then."""
    Queue.objects.get_or_create(domain=domain, number=new)
    Queue.objects.filter(number=old).update(first_seen_at=at - timedelta(days=3))
    Queue.objects.filter(number=new).update(first_seen_at=at)
    held = {old: [1, {"missing_since": round(at.timestamp() * 1000)}], new: [1, {}]}
    PollState.objects.update_or_create(domain=domain, defaults={"figures": held})


def test_a_queue_that_was_renumbered_today_calls_nobody_until_tomorrow(count: Count, domain: Domain) -> None:
    raised(count)

    renumbered(domain, "501", "509", timezone.now())
    assert count(10, 100) == []
    assert ends() == ["locked"]


def test_a_count_that_is_old_neither_raises_nor_ends(count: Count, domain: Domain) -> None:
    raised(count)
    ServiceDay.objects.update(quarters={})

    alerting.report(domain, timezone.now() + timedelta(minutes=20))

    assert ends() == [""]


def test_without_a_target_nobody_is_called(count: Count, domain: Domain) -> None:
    editing.set_targets(domain, None, {})

    assert count(0, 100) == count(0, 100, 10) == []


def certain(domain: Domain) -> None:
    for question, answer in CERTAIN.items():
        findings.overrule(domain, question, answer, None)


def test_the_worker_holds_what_it_has_counted_against_the_targets(domain: Domain) -> None:
    floor(domain)
    certain(domain)
    editing.set_targets(domain, None, {"service_late_below": 100})
    kind_rules.save(domain, {"service": KindInput(stays_seconds=0)})

    with time_machine.travel(START + 16 * MINUTE, tick=False):
        tasks.count_service_level(domain.pk)

    tallies = today.by_queue(ServiceDay.objects.get(), START)
    low = {number for number, each in tallies.items() if each.base >= 20 and each.met < each.base}
    assert low
    assert set(Alert.objects.values_list("subject", flat=True)) == low


def test_only_companies_whose_calls_can_be_counted_are_and_of_the_others_it_is_written_down_once(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks.count_service_levels()
    counted: list[tuple[int]] = []
    monkeypatch.setattr(inline, "run", lambda task, *args: counted.append(args))
    tasks.count_service_levels()
    assert (counted, bool(ServiceDay.objects.get(domain=domain).locked)) == ([], True)

    values = {"level": "late", "worst": "late", "began_at": timezone.now(), "raised_at": timezone.now()}
    alert = Alert.objects.create(domain=domain, kind=alerting.KIND, subject="501", **values)
    tasks.count_service_levels()
    alert.delete()
    certain(domain)
    tasks.count_service_levels()
    assert counted == [(domain.pk,), (domain.pk,)]


def call(minute: float, wait: float, *, is_answered: bool = True) -> QueueCall:
    return QueueCall("501", NINE + minute * MINUTE, wait, is_answered)


def test_the_level_is_low_from_the_call_that_makes_it_so_until_one_that_mends_it() -> None:
    good = [call(minute, 5) for minute in range(19)]
    calls = [*good, call(19, 60), call(20, 60), call(21, 60), call(30, 5), call(31, 5)]

    found = list(alert_counts.spans_below(calls, Rule("A", 20, 5), (None, 88), NINE + 60 * MINUTE))

    assert found == [(NINE + 22 * MINUTE, NINE + 60 * MINUTE)]
    mended = [*calls, *(call(40 + each, 0) for each in range(6))]
    [(since, until)] = alert_counts.spans_below(mended, Rule("A", 20, 5), (None, 88), NINE + 60 * MINUTE)
    assert since == NINE + 22 * MINUTE
    assert until < NINE + 60 * MINUTE


def test_a_rule_is_counted_over_the_last_days_before_it_is_saved(domain: Domain) -> None:
    floor(domain)
    rule = EffectiveKindRule(True, "watch", 60, 1800)

    with time_machine.travel(START + timedelta(hours=30), tick=False):
        unproven = preview.of_kinds(domain, {"service": rule})
        certain(domain)
        no_target = preview.of_kinds(domain, {"service": rule})
        editing.set_targets(domain, None, {"service_watch_below": 100})
        by = rules.rules(domain.pk).default
        counted = preview.of_kinds(domain, {"service": rule})
        as_late = preview.of_kinds(domain, {"service": EffectiveKindRule(True, "late", 60, 1800)})
        too_long = preview.of_kinds(domain, {"service": EffectiveKindRule(True, "watch", 3 * 86_400, 1800)})

    assert by == Rule()
    assert (unproven, no_target) == ({}, {"service": 0})
    assert counted["service"] > 0
    assert (as_late, too_long) == ({"service": 0}, {"service": 0})
