"""Calls of the next hour on made-up histories: the course of today, short histories, closed days, clock changes."""

from datetime import date, timedelta
from random import Random
from statistics import fmean

import pytest

from wallboard.forecast.calls_ahead import CallsAhead, Rates, TooShort, interval
from wallboard.forecast.courses import DayCourse, Window

MONDAY = date(2026, 3, 2)
OPEN = tuple(15.0 if 32 <= quarter < 72 else 0.0 for quarter in range(96))
BY_WEEKDAY = (1.5, 1.0, 1.0, 1.0, 0.8, 0.3, 0.0)


def day(at: date, random: Random | None = None, per_quarter: float = 5.0, level: float = 1.0) -> DayCourse:
    """A day from 8 to 18: the calls that are due, or drawn around them."""
    mean = per_quarter * BY_WEEKDAY[at.weekday()] * level
    offered = [0 if not minutes else drawn(random, mean) if random else round(mean) for minutes in OPEN]
    return DayCourse(at, tuple(offered), OPEN)


def drawn(random: Random, mean: float) -> int:
    count, time = 0, random.expovariate(1)
    while time < mean:
        count, time = count + 1, time + random.expovariate(1)
    return count


def weeks(count: int, today: date = MONDAY, random: Random | None = None) -> list[DayCourse]:
    return [day(today - timedelta(days=back), random) for back in range(7 * count, 0, -1)]


def ahead(courses: list[DayCourse], window: Window, until: int = 0) -> CallsAhead:
    found = Rates(courses, window.day).ahead(window, until)
    assert isinstance(found, CallsAhead)
    return found


def test_an_hour_is_as_on_that_weekday_and_not_as_on_the_day_before() -> None:
    monday, tuesday = MONDAY, MONDAY + timedelta(days=1)

    assert ahead(weeks(8), Window(monday, 40)).mean == pytest.approx(32, rel=0.05)
    assert ahead(weeks(8, tuesday), Window(tuesday, 40)).mean == pytest.approx(20, rel=0.05)


def test_the_course_of_today_moves_what_is_still_to_come() -> None:
    random = Random(3)
    history = [day(each.day, random, level=random.gammavariate(40, 1 / 40)) for each in weeks(8)]
    busy = day(MONDAY, level=1.4)

    morning, later = ahead([*history, busy], Window(MONDAY, 44)), ahead([*history, busy], Window(MONDAY, 44), 44)

    assert morning.mean == pytest.approx(30, rel=0.12)
    assert later.mean > 1.1 * morning.mean
    assert later.shape > morning.shape


def test_quarters_that_are_not_over_do_not_count_as_quiet() -> None:
    history, today = weeks(8), DayCourse(MONDAY, minutes=OPEN)

    assert ahead([*history, today], Window(MONDAY, 32), 32).mean == ahead(history, Window(MONDAY, 32), 32).mean


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_short_history_gives_no_number_but_how_short_it_is(count: int) -> None:
    assert Rates(weeks(count), MONDAY).ahead(Window(MONDAY, 40), 0) == TooShort(count)


def test_three_weeks_are_enough_and_more_make_it_surer() -> None:
    short, long = ahead(weeks(3), Window(MONDAY, 40)), ahead(weeks(8), Window(MONDAY, 40))

    assert short.shape < long.shape


def test_holidays_are_not_quiet_days() -> None:
    """Closed on two Mondays, by the hours of the queue: no minutes, so no days."""
    closed = {MONDAY - timedelta(weeks=week) for week in (1, 4)}
    history = [DayCourse(each.day) if each.day in closed else each for each in weeks(8)]

    assert ahead(history, Window(MONDAY, 40)).mean == pytest.approx(30, rel=0.12)


def test_an_hour_outside_the_hours_of_all_weeks_has_no_history() -> None:
    assert Rates(weeks(8), MONDAY).ahead(Window(MONDAY, 80), 0) == TooShort(0)


def test_the_last_quarter_before_a_queue_closes_has_a_history() -> None:
    closing = next(at for at in range(95, 0, -1) if day(MONDAY).minutes[at])
    window = Window(MONDAY, closing, (15.0, 0.0, 0.0, 0.0))

    assert ahead(weeks(8), window).mean > 0


def test_a_queue_that_opens_within_the_window_gets_the_calls_of_its_minutes() -> None:
    window = Window(MONDAY, 30, (0.0, 0.0, 15.0, 15.0))

    assert ahead(weeks(8), window).mean == pytest.approx(15, rel=0.12)


@pytest.mark.parametrize("minutes", [0.0, 30.0])
def test_the_day_on_which_the_clocks_change_counts_by_its_minutes(minutes: float) -> None:
    """An hour that is skipped, or comes twice with twice the calls, leaves the rate as it is."""
    open_always = tuple([15.0] * 96)
    sundays = [DayCourse(MONDAY - timedelta(days=1 + 7 * week), (4,) * 96, open_always) for week in range(1, 9)]
    change = sundays[2]
    twice = tuple((8 if minutes else 0, minutes) if 8 <= quarter < 12 else (4, 15.0) for quarter in range(96))
    sundays[2] = DayCourse(change.day, tuple(count for count, _ in twice), tuple(time for _, time in twice))

    found = ahead(sundays, Window(MONDAY - timedelta(days=1), 8))

    assert found.mean == pytest.approx(16, rel=0.02)


def test_a_window_goes_on_at_midnight() -> None:
    always = [DayCourse(MONDAY - timedelta(days=back), (2,) * 96, (15.0,) * 96) for back in range(1, 57)]

    assert ahead(always, Window(MONDAY, 94)).mean == pytest.approx(8, rel=0.05)


@pytest.mark.parametrize(("mean", "shape"), [(0.05, 50.0), (3.0, 1e6), (30.0, 40.0), (1000.0, 60.0)])
def test_the_interval_holds_about_eighty_percent_and_the_mean(mean: float, shape: float) -> None:
    low, high = interval(mean, shape, 0.8)

    assert low <= mean + 1
    assert high >= mean - 1
    assert high - low < 6 * (mean + mean * mean / shape) ** 0.5 + 1


def test_levels_are_equally_likely_and_have_the_mean() -> None:
    levels = CallsAhead(40.0, 25.0).levels(8)

    assert levels == sorted(levels)
    assert fmean(levels) == pytest.approx(40)
    assert levels[0] < 30 < 50 < levels[-1]


def test_days_that_vary_widen_the_interval_and_calm_ones_do_not() -> None:
    random = Random(11)
    calm = weeks(8, random=random)
    varied = [day(each.day, random, level=random.choice([0.6, 1.4])) for each in calm]

    widths = [high - low for low, high in (ahead(each, Window(MONDAY, 40)).interval for each in (calm, varied))]

    assert widths[1] > 1.5 * widths[0]


def test_most_of_what_happens_lies_within_the_interval() -> None:
    """The short form of bench/forecast.py."""
    random, inside = Random(5), []
    for _ in range(60):
        levels = [random.gammavariate(40, 1 / 40) for _ in range(50)]
        days = [MONDAY + timedelta(days=index) for index in range(50)]
        courses = [day(at, random, level=level) for at, level in zip(days, levels, strict=True)]
        rates = Rates(courses, days[-1])
        for quarter in range(32, 69, 4):
            ahead = rates.ahead(Window(days[-1], quarter), quarter)
            assert isinstance(ahead, CallsAhead)
            low, high = ahead.interval
            inside.append(low <= sum(courses[-1].offered[quarter : quarter + 4]) <= high)

    assert 0.74 <= fmean(inside) <= 0.87
