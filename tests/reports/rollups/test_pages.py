"""Pages count no day with many rows by themselves: the worker does, also the day that is not over."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Domain
from tests.reports.rollups.some_days import AFTER, DAYS, FIRST, ZONE, agree, make, periods
from wallboard.reports import day_figures, hour_figures, person_figures
from wallboard.reports.models import CallDay, QueueCallDay, SampleDay
from wallboard.reports.period_parts import Period
from wallboard.reports.rollups import days, rolling, still_missing
from wallboard.reports.service import counting


def lower_what_a_page_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(days, "MOST_QUEUE_DAYS", 2)
    monkeypatch.setattr(days, "MOST_LEGS", 0)


def test_a_page_counts_no_day_with_many_rows_and_says_so(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    make(domain, Random(7))
    rolling.roll(domain, AFTER)
    whole, gone = periods(domain)[0], FIRST + timedelta(days=1)
    for table in (SampleDay, CallDay, QueueCallDay):
        table._default_manager.filter(day=gone).delete()
    lower_what_a_page_counts(monkeypatch)

    with days.for_page() as waiting, CaptureQueriesContext(connection) as queries:
        told = day_figures.calls_by_day(domain, whole)
        parts = day_figures.by_part(domain, whole)
        day_figures.by_queue(domain, whole)
        person_figures.by_person(domain, whole)
        day_figures.by_part(domain, replace(whole, first=gone, last=gone))
        hour_figures.together([row.queue for row in parts], whole)
        counting.calls(domain, whole, counting.ground(domain.pk))

    assert waiting.days == {gone}
    assert gone not in {each.day for each in told} | {row.at.date() for row in parts if row.at}
    assert len(told) == DAYS - 1
    assert not [each["sql"] for each in queries if "SUM(" in each["sql"] and "queues_sample" in each["sql"]]
    assert still_missing.sentences(waiting, whole)[0].startswith("1 of these days is still being added up")
    agree(domain)  # whoever is no page counts all of it


def test_today_is_added_up_again_and_again_where_a_page_cannot_count_it(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower_what_a_page_counts(monkeypatch)
    make(domain, Random(7))
    last = FIRST + timedelta(days=DAYS - 1)
    today = Period(last, last, ZONE, domain.day_starts_hour, domain.clock)
    noon = today.begin + timedelta(hours=10)

    def on_page() -> dict[str, object]:
        with days.for_page() as waiting:
            found = day_figures.by_queue(domain, today), person_figures.by_person(domain, today)
        assert (waiting.days, waiting.today_until) == (set(), noon)
        return {"queues": found[0], "people": found[1]}

    with time_machine.travel(noon, tick=False):
        want = {"queues": day_figures.by_queue(domain, today), "people": person_figures.by_person(domain, today)}
        rolling.roll(domain, noon)
        assert on_page() == want
        assert rolling.roll(domain, noon + timedelta(minutes=4)) == 0
        assert still_missing.sentences(days.Waiting(set(), noon), today)[0].startswith("Today is in here until 14:00")
        assert rolling.roll(domain, noon + timedelta(minutes=5)) == 3
    rolling.roll(domain, AFTER)
    assert not SampleDay.objects.filter(stamp__contains=days.UNTIL, day=last).exists()
    agree(domain)


def test_days_before_anything_was_measured_are_not_waited_for(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    make(domain, Random(7))
    rolling.roll(domain, AFTER)
    lower_what_a_page_counts(monkeypatch)
    before = replace(periods(domain)[0], first=FIRST - timedelta(days=20))

    with days.for_page() as waiting:
        day_figures.by_part(domain, before)
        day_figures.calls_by_day(domain, before)

    assert waiting.days == set()
