"""Hours of many queues together are added up by the worker: of all that are shown, and of those of each limit."""

from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Domain
from tests.reports.rollups.some_days import AFTER, FIRST, LIMITS, agree, counted, limit_people, make, periods, viewer
from wallboard.reports import day_figures, hour_figures
from wallboard.reports.models import QueueHour
from wallboard.reports.rollups import hours_of_sets, rolling, sums_of_sets


def test_hours_of_all_queues_together_are_added_up(domain: Domain) -> None:
    make(domain, Random(4))
    rolling.roll(domain, AFTER)
    whole = periods(domain)[0]
    before = counted(domain, whole)

    QueueHour.objects.all().delete()

    after = counted(domain, whole)
    assert after["hours"] == before["hours"]
    assert any(each.most_waiting for each in before["hours"].values())
    assert after["hours of queues"] != before["hours of queues"]


def test_hours_of_the_queues_of_a_limit_are_added_up(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums_of_sets, "MANY", 1)
    make(domain, Random(4))
    rolling.roll(domain, AFTER)
    limit_people(domain)
    # What is kept of all queues stays; only the hours of the limits are made.
    with CaptureQueriesContext(connection) as queries:
        hours_of_sets.renew(domain, FIRST)
    sets = {limit.queues for limit in LIMITS if limit.queues is not None}
    assert sum("queuehour" in each["sql"] for each in queries) == len(sets) > 0
    rolling.roll(domain, AFTER)
    assert rolling.roll(domain, AFTER) == 0
    agree(domain)
    whole = periods(domain)[0]
    asked = [day_figures.visible_queues(viewer(domain, limit)) for limit in LIMITS]
    before = [hour_figures.together(each, whole) for each in asked]

    QueueHour.objects.all().delete()

    assert [hour_figures.together(each, whole) for each in asked] == before
    assert all(before)
