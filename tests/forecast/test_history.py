"""Which days of queues are counted from call events, and kept."""

from datetime import date, timedelta

import pytest
import time_machine

from accounts.models import Domain
from tests.forecast.mondays import MONDAY, certain, forecast, mondays
from tests.forecast.test_next_hour import NOW, outlook
from wallboard.calls.models import EventGap, Leg
from wallboard.forecast.models import CountedDay
from wallboard.queues.models import Hours, Queue

pytestmark = pytest.mark.one_database


def test_a_queue_that_was_hidden_and_is_shown_again_has_its_weeks(domain: Domain) -> None:
    mondays(domain)
    certain(domain)
    Queue.objects.filter(number="501").update(is_hidden=True)
    forecast(domain, NOW)

    Queue.objects.filter(number="501").update(is_hidden=False)
    forecast(domain, NOW + timedelta(minutes=15))

    assert outlook()["why"] == ""


def test_what_was_counted_otherwise_is_counted_again_as_far_back_as_calls_are_kept(domain: Domain) -> None:
    mondays(domain)
    certain(domain)
    forecast(domain, NOW)
    CountedDay.objects.update(basis="of an earlier release")
    Domain.objects.update(log_kept_days=20)
    # Those of the first day stand for a subscription: events have come since then.
    Leg.objects.filter(
        first_seen_at__gt=MONDAY - timedelta(days=34), first_seen_at__lt=NOW - timedelta(days=20)
    ).delete()

    with time_machine.travel(NOW, tick=False):
        forecast(domain, NOW)

    of_queue = CountedDay.objects.filter(queue__number="501", day__lt=MONDAY.date())
    by_age = {(MONDAY.date() - each.day).days: each for each in of_queue}
    assert [age for age in by_age if by_age[age].basis != "of an earlier release"] == list(range(19, 0, -1))
    assert [sum(by_age[age].counted[0]) > 0 for age in (28, 21, 14, 7)] == [True] * 4


def minutes(day: date) -> float:
    return float(sum(CountedDay.objects.get(queue__number="501", day=day).counted[1]))


def test_days_are_counted_again_when_closed_days_or_gaps_are_entered_later(domain: Domain) -> None:
    mondays(domain)
    certain(domain)
    last, before = MONDAY - timedelta(days=7), MONDAY - timedelta(days=14)
    hours = Hours.objects.create(domain=domain, week=[[[480, 840]]] * 7, closed_days=[])
    forecast(domain, NOW)
    assert minutes(last.date()) == 360

    Hours.objects.filter(pk=hours.pk).update(closed_days=[[str(last.date()), "Holiday"]])
    EventGap.objects.create(domain=domain, since=before, until=before + timedelta(days=1), reason="stopped")
    forecast(domain, NOW + timedelta(minutes=15))
    assert (minutes(last.date()), minutes(before.date())) == (0, 0)
    assert minutes((last - timedelta(days=1)).date()) == 360

    kept = set(CountedDay.objects.values_list("pk", "basis"))
    # What holds from now on says nothing of the days that were.
    christmas = [[str(last.date()), "Holiday"], ["2026-12-25", "Christmas"]]
    Hours.objects.filter(pk=hours.pk).update(week=[[[480, 1200]]] * 7, closed_days=christmas)
    forecast(domain, NOW + timedelta(minutes=20))
    assert set(CountedDay.objects.values_list("pk", "basis")) == kept
