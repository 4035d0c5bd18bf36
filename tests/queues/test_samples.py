"""Minutes from readings: what each of them says, that gaps stay gaps, and that repeating changes nothing."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import msgspec
import pytest
import time_machine

from accounts.models import Domain
from tests.queues.conftest import FeedNow, Read, row
from wallboard.live import feeds
from wallboard.queues import documents, retention, samples
from wallboard.queues.models import PollState, Queue, Reading, Sample, Trends

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def queue(domain: Domain) -> Any:
    PollState.objects.create(domain=domain)
    return Queue.objects.create(domain=domain, number="8001")


@pytest.fixture
def reads(domain: Domain, queue: Queue) -> Any:
    """Keeps readings of queue 8001: (seconds after noon, waiting, longest, average, agents, available, level)."""

    def keep(*rows: Any) -> None:
        for seconds, *figures in rows:
            at = NOON + timedelta(seconds=seconds)
            Reading.objects.create(domain=domain, read_at=at, figures={"8001": figures})

    return keep


def rolled(domain: Domain, seconds: Any) -> Any:
    """Roll as if it were so many seconds after noon."""
    with time_machine.travel(NOON + timedelta(seconds=seconds), tick=False):
        return samples.roll(domain)


def every_5_s(start: Any, end: Any, *figures: Any) -> Any:
    return [(seconds, *figures) for seconds in range(start, end, 5)]


CALM = (0, 0, 0, 4, 2, "normal")


def test_a_minute_is_rolled_up_from_its_readings(domain: Domain, queue: Queue, reads: Callable[..., None]) -> None:
    reads(
        (0, 2, 10, 5, 4, 2, "normal"),
        (20, 4, 70, 30, 5, 0, "watch"),
        (25, 4, 130, 40, 5, 0, "late"),
        (30, 0, 0, 0, 4, 1, "normal"),
    )

    rolled(domain, 66)

    sample = Sample.objects.get()
    assert (sample.queue, sample.minute, sample.readings) == (queue, NOON, 4)
    assert (sample.waiting, sample.most_waiting, sample.longest_wait_seconds) == (2.5, 4, 130)
    assert sample.average_wait_seconds == pytest.approx((5 * 2 + 30 * 4 + 40 * 4) / 10)
    assert (sample.agents, sample.least_available) == (5, 0)
    assert (sample.watch_seconds, sample.late_seconds, sample.nobody_seconds) == (5, 5, 10)


def test_seconds_are_cut_at_the_border_of_the_minute(domain: Domain, queue: Queue, reads: Callable[..., None]) -> None:
    reads((57, 1, 200, 200, 4, 0, "late"), (62, 1, 200, 200, 4, 0, "late"), (67, *CALM))

    rolled(domain, 125)

    assert list(Sample.objects.order_by("minute").values_list("readings", "late_seconds", "nobody_seconds")) == [
        (1, 3, 3),
        (2, 7, 7),
    ]


def test_a_silence_is_a_gap_and_no_old_figure_is_stretched_over_it(
    domain: Domain, queue: Queue, reads: Callable[..., None]
) -> None:
    reads(*every_5_s(0, 60, 3, 200, 90, 4, 2, "late"), *every_5_s(240, 300, *CALM))

    rolled(domain, 306)

    minutes = dict(Sample.objects.values_list("minute", "late_seconds"))
    assert minutes == {NOON: 60, NOON + timedelta(minutes=4): 0}


def test_a_reading_stands_for_at_most_two_intervals(domain: Domain, queue: Queue, reads: Callable[..., None]) -> None:
    reads((0, 3, 200, 90, 4, 2, "late"))

    rolled(domain, 70)

    assert Sample.objects.get().late_seconds == 10


def test_a_long_interval_leaves_no_gaps(domain: Domain, queue: Queue, reads: Callable[..., None]) -> None:
    domain.poll_seconds = 120
    domain.save()
    reads((0, 3, 200, 90, 4, 2, "late"), (120, *CALM))

    rolled(domain, 186)

    assert list(Sample.objects.order_by("minute").values_list("readings", "waiting", "late_seconds")) == [
        (1, 3, 60),
        (0, 3, 60),
        (1, 0, 0),
    ]


def test_minutes_between_two_readings_are_rolled_though_the_minute_before_was_already(
    domain: Domain, queue: Queue, reads: Callable[..., None]
) -> None:
    domain.poll_seconds = 120
    domain.save()
    for minute in range(0, 20, 2):
        reads((minute * 60, 3, 200, 90, 4, 2, "late"))
        rolled(domain, minute * 60 + 66)
    reads((3600, *CALM))
    rolled(domain, 3666)

    minutes = dict.fromkeys(range(22), 60.0) | {60: 0.0}  # the last one stands for two intervals at most
    found = Sample.objects.order_by("minute").values_list("minute", "late_seconds")
    assert {round((minute - NOON).total_seconds() / 60): late for minute, late in found} == minutes


def test_figures_that_nobody_told_stay_unknown(domain: Domain, queue: Queue, reads: Callable[..., None]) -> None:
    reads((0, 2, None, None, None, None, "normal"))

    rolled(domain, 70)

    sample = Sample.objects.get()
    assert (sample.agents, sample.least_available, sample.average_wait_seconds, sample.nobody_seconds) == (
        None,
        None,
        None,
        0,
    )


def test_the_minute_under_way_is_left_alone(domain: Domain, queue: Queue, reads: Callable[..., None]) -> None:
    reads(*every_5_s(0, 60, *CALM))

    assert rolled(domain, 64) == 0
    assert rolled(domain, 65) == 1


def test_rolling_again_changes_nothing(domain: Domain, queue: Queue, reads: Callable[..., None]) -> None:
    reads(*every_5_s(0, 180, 3, 200, 90, 4, 2, "late"))
    rolled(domain, 186)
    before = list(Sample.objects.order_by("minute").values()), Trends.objects.get().lines

    assert rolled(domain, 186) == 0
    PollState.objects.update(rolled_until=None)
    assert rolled(domain, 186) == 3

    assert (list(Sample.objects.order_by("minute").values()), Trends.objects.get().lines) == before


def test_minute_by_minute_gives_the_same_as_all_at_once(
    domain: Domain, queue: Queue, reads: Callable[..., None]
) -> None:
    for minute in range(50):
        level = ("normal", "watch", "late")[minute % 3]
        reads(*every_5_s(minute * 60, minute * 60 + 60, minute % 7, 10 * minute, 5 * minute, 4, minute % 2, level))
    for minute in range(1, 51):
        rolled(domain, minute * 60 + 6)
    stepwise = list(Sample.objects.order_by("minute").values()), Trends.objects.get().lines
    Sample.objects.all().delete()
    Trends.objects.all().delete()
    PollState.objects.update(rolled_until=None)

    assert rolled(domain, 50 * 60 + 6) == 50

    again = list(Sample.objects.order_by("minute").values()), Trends.objects.get().lines
    assert [{**row, "id": 0} for row in again[0]] == [{**row, "id": 0} for row in stepwise[0]]
    assert again[1] == stepwise[1]


def test_trend_is_the_last_hour_and_the_last_day(
    domain: Domain, queue: Queue, reads: Callable[..., None], feed: FeedNow
) -> None:
    reads(
        *every_5_s(0, 60, 3, 70, 70, 4, 2, "watch"),
        *every_5_s(60, 120, 1, 200, 90, 4, 2, "late"),
        *every_5_s(900, 960, *CALM),
    )

    rolled(domain, 966)

    version, value = documents.trends(domain.pk)["trend:8001"]
    assert value.until == feeds.milliseconds(NOON + timedelta(minutes=16))
    assert version == value.until // 60_000
    assert (len(value.waiting), len(value.late)) == (60, 96)
    assert value.waiting[-16:] == [3, 1, *[None] * 13, 0]
    assert value.late[-3:] == [None, 2, 0]
    assert feed()["trend:8001"] == (version, msgspec.to_builtins(value))


def test_trend_of_a_day_ago_falls_out(domain: Domain, queue: Queue, reads: Callable[..., None]) -> None:
    reads(*every_5_s(0, 60, 3, 200, 70, 4, 2, "late"))
    rolled(domain, 66)
    assert Trends.objects.get().lines["8001"]["late"].count(2) == 1

    day = 24 * 3600
    reads(*every_5_s(day, day + 60, *CALM))
    rolled(domain, day + 66)

    assert Trends.objects.get().lines["8001"]["late"] == [*[None] * 95, 0]


def test_what_is_old_is_forgotten(domain: Domain, queue: Queue, reads: Callable[..., None]) -> None:
    reads((0, *CALM), (3600 * 3, *CALM))
    minutes = (NOON, NOON - timedelta(days=401))
    for minute in minutes:
        Sample.objects.create(
            queue=queue, minute=minute, readings=1, waiting=0, most_waiting=0, longest_wait_seconds=0,
            watch_seconds=0, late_seconds=0, nobody_seconds=0,
        )  # fmt: skip

    with time_machine.travel(NOON + timedelta(hours=3, seconds=1)):
        retention.forget_old()

    assert Reading.objects.get().read_at == NOON + timedelta(hours=3)
    assert Sample.objects.get().minute == NOON


def test_samples_are_kept_for_as_long_as_each_company_says(domain: Domain, queue: Queue) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="https://other.test", client_id="c")
    Domain.objects.filter(pk=domain.pk).update(samples_kept_days=730)
    Domain.objects.filter(pk=other.pk).update(samples_kept_days=100)
    for each, days in product((queue, Queue.objects.create(domain=other, number="1")), (731, 401, 101, 99)):
        Sample.objects.create(
            queue=each, minute=NOON - timedelta(days=days), readings=1, waiting=0, most_waiting=0,
            longest_wait_seconds=0, watch_seconds=0, late_seconds=0, nobody_seconds=0,
        )  # fmt: skip

    with time_machine.travel(NOON):
        retention.forget_old()

    left = Sample.objects.values_list("queue__domain", "minute")
    days_left = {(owner, (NOON - minute).days) for owner, minute in left}
    assert days_left == {(domain.pk, 401), (domain.pk, 101), (domain.pk, 99), (other.pk, 99)}


def test_minutes_that_come_again_after_a_clock_was_set_back_are_rolled(
    domain: Domain, queue: Queue, reads: Callable[..., None]
) -> None:
    reads(*every_5_s(1200, 1260, *CALM))
    rolled(domain, 1266)
    rolled(domain, 6)  # set back by twenty-one minutes
    reads(*every_5_s(6, 130, 1, 10, 10, 4, 2, "normal"))

    assert rolled(domain, 66) == 1
    assert rolled(domain, 126) == 1

    assert list(Sample.objects.order_by("minute").values_list("minute", "most_waiting")) == [
        (NOON, 1), (NOON + timedelta(minutes=1), 1), (NOON + timedelta(minutes=20), 0),
    ]  # fmt: skip
    assert Trends.objects.get().lines["8001"]["waiting"][-2:] == [1, 1]


@pytest.mark.parametrize("unit", ["s", "min", "ms"])
@pytest.mark.parametrize("wait", [4294967295, 2**64 - 1, 9_999_999_999])
def test_a_wait_that_nobody_waited_is_not_told(domain: Domain, read: Read, feed: FeedNow, unit: Any, wait: Any) -> None:
    Domain.objects.filter(pk=domain.pk).update(wait_unit=unit)
    domain.refresh_from_db()

    read(row("8001", 1, wait, wait), row("8002", 1, 30, 20))

    document = feed()["queue:8001"][1]
    assert (document["waiting"], document["longest_wait"], document["average_wait"]) == (1, None, None)
    assert feed()["queue:8002"][1]["longest_wait"] is not None


def test_a_wait_of_an_older_reading_that_no_column_holds_costs_no_sample(
    domain: Domain, queue: Queue, reads: Callable[..., None]
) -> None:
    reads(*every_5_s(0, 60, 1, 257_698_037_700, 257_698_037_700, 4, 2, "late"))

    assert rolled(domain, 66) == 1

    assert Sample.objects.get().longest_wait_seconds == 7 * 86_400
