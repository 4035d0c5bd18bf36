"""How a company's own forecasts did: kept as they were made, held against what came, told once there are enough."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.test import Client

from accounts.models import Domain
from tests.boards.conftest import SignIn
from tests.forecast.mondays import MONDAY, ZONE, certain, forecast, mondays
from wallboard.calls.models import Leg
from wallboard.forecast import accuracy
from wallboard.forecast.accuracy import Accuracy, Made
from wallboard.forecast.courses import QUARTERS
from wallboard.forecast.history import Counted
from wallboard.forecast.models import CountedDay, ForecastDay
from wallboard.forecast.outlook import Estimate
from wallboard.queues.models import Queue

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TODAY = date(2026, 3, 16)


@pytest.fixture
def queue(domain: Domain) -> Queue:
    return Queue.objects.create(domain=domain, number="501", name="Support")


def counted(queue: Queue, day: date, per_quarter: int, minutes: dict[int, float] | None = None) -> None:
    """A day with so many calls in each quarter, seen whole but for these quarters."""
    told = Counted(
        [per_quarter] * QUARTERS, [(minutes or {}).get(at, 15.0) for at in range(QUARTERS)], [0.0] * QUARTERS
    )
    CountedDay.objects.create(queue=queue, day=day, basis="leg", counted=told)


def kept(queue: Queue, day: date, hours: dict[int, tuple[float, float, float]]) -> None:
    for hour, values in hours.items():
        begin = datetime(day.year, day.month, day.day, hour, tzinfo=ZONE)
        accuracy.keep(begin, {queue: Made(60.0, Estimate(*values))})


def test_hours_within_their_range_and_both_errors_are_counted(queue: Queue) -> None:
    counted(queue, TODAY, 10)
    counted(queue, TODAY - 7 * DAY, 12)
    kept(queue, TODAY, {9: (42, 35, 50), 10: (44, 41, 50), 11: (39, 40, 45)})

    accuracy.compare([queue], TODAY)

    assert accuracy.of([queue]) == Accuracy(3, 1, inside=2, compared=3, error=(2 + 4 + 1) / 3, error_last_week=8)
    assert accuracy.of([]) == Accuracy()


def test_hours_that_were_not_seen_whole_or_came_twice_do_not_count(queue: Queue) -> None:
    counted(queue, TODAY, 10, {9 * 4: 0.0, **dict.fromkeys(range(8, 12), 30.0)})
    counted(queue, TODAY - 7 * DAY, 12, {10 * 4: 0.0})
    kept(queue, TODAY, {2: (40, 30, 50), 9: (40, 30, 50), 10: (43, 30, 50)})

    accuracy.compare([queue], TODAY)

    assert accuracy.of([queue]) == Accuracy(1, 1, inside=1, compared=0)


def test_only_full_hours_are_kept_and_the_first_forecast_of_each(queue: Queue) -> None:
    begin = datetime(2026, 3, 16, 9, 15, tzinfo=ZONE)
    accuracy.keep(begin, {queue: Made(60.0, Estimate(1, 1, 1))})
    assert not ForecastDay.objects.exists()

    kept(queue, TODAY, {9: (42, 35, 50)})
    kept(queue, TODAY, {9: (40, 40, 40), 10: (7, 6, 8)})

    assert ForecastDay.objects.get().hours == {"9": [60.0, [42.0, 35.0, 50.0]], "10": [60.0, [7.0, 6.0, 8.0]]}


def test_the_task_keeps_what_it_forecast_and_compares_it_when_the_day_is_counted(domain: Domain) -> None:
    queues = mondays(domain)
    certain(domain)
    forecast(domain, MONDAY + 10 * HOUR + timedelta(minutes=1))
    (row,) = ForecastDay.objects.filter(queue=queues[0])
    assert (list(row.hours), row.seen) == (["10"], None)

    forecast(domain, MONDAY + DAY + 2 * HOUR)

    row.refresh_from_db()
    came = Leg.objects.filter(
        queue="501", first_seen_at__gte=MONDAY + 10 * HOUR, first_seen_at__lt=MONDAY + 11 * HOUR
    ).count()
    _, (middle, low, high) = row.hours["10"]
    assert (row.seen, row.inside, row.compared) == (1, int(low <= came <= high), 1)
    assert row.error == pytest.approx(abs(came - middle))


def test_what_is_past_its_time_is_deleted(domain: Domain) -> None:
    queues = mondays(domain, weeks=1)
    certain(domain)
    kept(queues[0], TODAY - 64 * DAY, {9: (1, 1, 1)})
    kept(queues[0], TODAY - 63 * DAY, {9: (1, 1, 1)})

    forecast(domain, MONDAY + 11 * HOUR + timedelta(minutes=1))

    assert ForecastDay.objects.order_by("day").values_list("day", flat=True).first() == TODAY - 63 * DAY


def test_the_page_says_it_once_enough_hours_are_known(domain: Domain, sign_in: SignIn) -> None:
    queues = mondays(domain)
    certain(domain)
    forecast(domain, MONDAY + 11 * HOUR + timedelta(minutes=1))
    client = sign_in("supervisor")
    assert "Too little seen to tell: 0 hours so far, and 100 on 7 days are needed." in shown(client)

    tally = {"seen": 14, "inside": 11, "compared": 14, "error": 14 * 6.5, "error_last_week": 14 * 9.25}
    for back in range(1, 9):
        ForecastDay.objects.create(queue=queues[0], day=TODAY - back * DAY, hours={}, **tally)

    page = shown(client)
    assert "79 % of the hours that were forecast here fell within their range (88 of 112, on 8 days)" in page
    assert "missed the calls that came by 6.5 on average, “as many as the same hour last week” by 9.3." in page
    assert "of 112" not in shown(client, queue="502"), "of the queues that were chosen"


def test_many_hours_of_few_days_tell_too_little() -> None:
    assert not Accuracy(hours=500, days=6).is_enough
    assert not Accuracy(hours=99, days=30).is_enough
    assert Accuracy(hours=100, days=7).is_enough


def shown(client: Client, **query: str) -> str:
    with time_machine.travel(datetime(2026, 3, 16, 10, 2, tzinfo=UTC), tick=False):
        return client.get("/reports/", query).content.decode()
