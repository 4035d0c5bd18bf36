"""Calls of queues as the worker counts them for boards: the same as on reports, and as cheap as it can be."""

from datetime import datetime, timedelta
from unittest.mock import patch

import pytest
import time_machine

from accounts.models import Person
from tests.desk.conftest import Company
from tests.reports.test_queue_calls import CERTAIN, START, SignIn, floor
from wallboard.calibration import findings
from wallboard.calibration.models import Finding
from wallboard.calls.models import Leg
from wallboard.reports import queue_calls
from wallboard.reports.models import ServiceDay
from wallboard.reports.service import counting, rules, today
from wallboard.reports.service.today import Span, Tally
from wallboard.reports.service_level import Rule, figures

NOW = START + timedelta(minutes=16)
AWAY = (START + timedelta(minutes=4), START + timedelta(minutes=10))  # call ids were not shared then


@pytest.fixture
def certain(company: Company) -> None:
    for question, answer in CERTAIN.items():
        findings.overrule(company.domain, question, answer, None)


def told(company: Company, since: datetime = START, numbers: set[str] | None = None) -> Tally:
    tally = today.since(company.domain.pk, numbers, since).tally
    assert tally is not None
    return tally


@pytest.mark.usefixtures("certain")
@pytest.mark.parametrize("numbers", [None, {"4001"}, {"4002", "4003"}])
def test_what_boards_add_up_is_what_reports_count(company: Company, numbers: set[str] | None) -> None:
    floor(company.domain)
    today.update(company.domain, NOW)

    calls = counting.calls(company.domain, Span(START, NOW), counting.ground(company.domain.pk))
    wanted = figures(
        "", [each for each in calls if numbers is None or each.queue in numbers], rules.rules(company.domain.pk)
    )

    tally = told(company, numbers=numbers)
    assert (tally.offered, tally.answered, tally.met, tally.base) == (
        *(wanted.offered, wanted.answered),
        *(wanted.met, wanted.base),
    )
    assert tally.offered > 0
    assert tally.left_early == wanted.left_early
    assert wanted.answer_seconds is not None
    assert tally.answer_seconds == round(wanted.answer_seconds)


@pytest.mark.usefixtures("certain")
def test_what_was_counted_is_kept_and_only_the_last_hours_are_counted_again(company: Company) -> None:
    floor(company.domain)
    today.update(company.domain, NOW)
    first = told(company)
    Leg.objects.all().delete()

    today.update(company.domain, NOW + timedelta(minutes=1))
    gone = told(company)
    floor_is_old = NOW + timedelta(hours=3)
    ServiceDay.objects.update(quarters={str(int(START.timestamp())): {"4001": [9, 8, 1, 7, 9, 80.0]}})
    with patch.object(today, "WHOLE_EVERY", timedelta(days=1)):
        today.update(company.domain, floor_is_old)

    assert first.offered > gone.offered == 0
    assert told(company).offered == 9


@pytest.mark.usefixtures("certain")
def test_another_rule_counts_everything_anew(company: Company) -> None:
    floor(company.domain)
    today.update(company.domain, NOW)
    before = told(company)

    rules.save(company.domain, Rule("F", 60, 5), {})
    today.update(company.domain, NOW + timedelta(hours=3))

    after = told(company)
    assert after.offered == before.offered
    assert after.met > before.met


def test_without_proof_nothing_is_counted_and_it_says_what_is_missing(company: Company) -> None:
    floor(company.domain, minutes=5)

    today.update(company.domain, NOW)

    counted = today.since(company.domain.pk, None, START)
    assert counted.tally is None
    assert ["queue_legs", "unproven"] in counted.locked


@pytest.mark.usefixtures("certain")
def test_what_loses_its_proof_loses_its_figures(company: Company) -> None:
    floor(company.domain)
    today.update(company.domain, NOW)
    findings.overrule(company.domain, "caller_ids", "separate", None)

    today.update(company.domain, NOW + timedelta(minutes=1))

    counted = today.since(company.domain.pk, None, START)
    assert (counted.tally, counted.locked) == (None, [["caller_ids", "other"]])
    assert ServiceDay.objects.get().quarters == {}


@pytest.mark.usefixtures("certain")
def test_more_calls_than_can_be_counted_are_no_number(company: Company) -> None:
    floor(company.domain, minutes=5)
    with patch.object(queue_calls, "MOST_LEGS", 3):
        today.update(company.domain, NOW)

    assert today.since(company.domain.pk, None, START).locked == today.TOO_MANY


@pytest.mark.usefixtures("certain")
def test_the_last_hour_is_told_by_the_minute(company: Company) -> None:
    floor(company.domain)
    today.update(company.domain, NOW)

    calls = counting.calls(company.domain, Span(START, NOW), counting.ground(company.domain.pk))
    begin = NOW - timedelta(minutes=10)
    assert told(company, begin).offered == sum(call.entered_at >= begin for call in calls)


def test_calls_of_a_time_in_which_another_answer_held_count_nowhere(company: Company, signed_in: SignIn) -> None:
    floor(company.domain)
    first, begin, end = (each.timestamp() for each in (START - timedelta(minutes=1), *AWAY))
    turned = [("shared", first, begin), ("per_leg", begin + 60, end - 60), ("shared", end, None)]
    for name, answer in CERTAIN.items():
        runs = turned if name == "caller_ids" else [(answer, first, None)]
        Finding.objects.create(domain=company.domain, question=name, answer=answer, verdict="proven", runs=runs)
    firm = counting.ground(company.domain.pk)

    calls = counting.calls(company.domain, Span(START, NOW), firm)
    today.update(company.domain, NOW)
    with time_machine.travel(NOW, tick=False):
        company.mia.role = Person.Role.SUPERVISOR
        company.mia.save()
        page = signed_in(company.mia).get("/reports/", {"first": "2026-01-05", "last": "2026-01-05"}).content.decode()

    assert (firm.locks, firm.gaps) == ([], [AWAY])
    assert min(call.entered_at for call in calls) < AWAY[0]
    assert max(call.entered_at for call in calls) > AWAY[1]
    assert not [call for call in calls if AWAY[0] <= call.entered_at < AWAY[1]]
    assert told(company).offered == len(calls)
    assert "are left out: what this rests on was not proven then." in page
