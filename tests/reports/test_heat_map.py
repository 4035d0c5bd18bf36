"""The map of a report: days and hours by the company's clock, shades that mean something, and gaps that are none."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from accounts.models import Domain
from tests.reports.test_day_figures import DAY, NOON, ZONE, queues, sample
from wallboard.queues.models import Queue
from wallboard.reports import hour_figures
from wallboard.reports.figures import LATE, LONGEST, MOST, Figure
from wallboard.reports.heat_map import HeatMap, heat_map
from wallboard.reports.period_parts import Period

__all__ = ["queues"]
WEEK = Period(DAY.first - timedelta(days=6), DAY.last, ZONE)  # 26 February to 4 March
MINUTE = timedelta(minutes=1)


def made(queues: list[Queue], period: Period, figure: Figure = LATE, now: datetime | None = None) -> HeatMap:
    return heat_map(hour_figures.together(queues, period), period, now or period.end, figure)


def texts(drawn: HeatMap) -> dict[str, list[str]]:
    return {row.name: [cell.text or "-" for cell in row.cells] for row in drawn.rows}


def test_a_week_has_a_row_per_day_and_a_column_per_hour_that_mattered(queues: list[Queue]) -> None:
    for minute in range(30):
        sample(queues[0], NOON + minute * MINUTE, late=60)
        sample(queues[1], NOON + minute * MINUTE, late=30, waiting=4)
    sample(queues[0], NOON - timedelta(days=6, hours=2), waiting=2)
    sample(queues[0], NOON - timedelta(hours=9), waiting=0)

    late, longest, most = (made(queues, WEEK, each) for each in (LATE, LONGEST, MOST))

    assert late.hours == ["10", "11", "12", "13", "14", "15", "16", "17"]
    assert list(texts(late)) == [
        "Thu 26 Feb",
        "Fri 27 Feb",
        "Sat 28 Feb",
        "Sun 1 Mar",
        "Mon 2 Mar",
        "Tue 3 Mar",
        "Wed 4 Mar",
    ]
    assert texts(late)["Thu 26 Feb"][:3] == ["0", "-", "-"]
    assert texts(late)["Wed 4 Mar"][:3] == ["-", "-", "45"]
    assert (texts(longest)["Wed 4 Mar"][2], texts(most)["Wed 4 Mar"][2], longest.highest) == ("0:40", "4", "0:40")
    assert late.quiet == "Nobody waited before 10:00.", "of the evening nothing was measured, or it is to come"
    sample(queues[0], NOON + timedelta(hours=8), waiting=0)
    assert made(queues, WEEK).quiet == "Nobody waited before 10:00 and after 18:00."


def test_nothing_is_said_about_hours_to_come(queues: list[Queue]) -> None:
    sample(queues[0], NOON, waiting=2)

    at_one, in_the_evening = (made(queues, DAY, now=NOON + timedelta(minutes=at)) for at in (61, 601))

    assert [cell.is_to_come for cell in at_one.rows[0].cells] == [False] * 2 + [True] * 6
    assert at_one.rows[0].cells[2].words == "Wednesday 4 March, 14:00–15:00"
    assert at_one.quiet == ""
    assert not any(cell.is_to_come for cell in in_the_evening.rows[0].cells)


def test_an_hour_that_earlier_days_had_is_not_to_come(queues: list[Queue]) -> None:
    sample(queues[0], NOON - timedelta(days=6), waiting=2)

    drawn = made(queues, WEEK, now=NOON + MINUTE)

    assert [cell.is_to_come for cell in drawn.rows[0].cells] == [False] * 8
    assert [cell.is_to_come for cell in drawn.rows[-1].cells] == [False] + [True] * 7


def test_a_cell_tells_all_about_its_hour(queues: list[Queue]) -> None:
    sample(queues[0], NOON, late=60, waiting=3, nobody=60)

    cells = {cell.words for cell in made(queues, DAY).rows[0].cells}

    figures = "1 min over target, longest wait 0:30, at most 3 waiting, 1 min with nobody available"
    assert cells >= {f"Wednesday 4 March, 12:00–13:00: {figures}", "Wednesday 4 March, 13:00–14:00: not measured"}


def test_shades_follow_the_share_of_time_or_the_highest_value(queues: list[Queue]) -> None:
    for hour, many in enumerate((0, 3, 6, 20, 60)):
        for minute in range(60):
            at = NOON + timedelta(hours=hour) + minute * MINUTE
            sample(queues[0], at, late=60 if minute < many else 0, waiting=hour)

    late, most = ([cell.shade for cell in made(queues, DAY, each).rows[0].cells] for each in (LATE, MOST))

    assert (late[:4], most[:4]) == ([1, 2, 3, 4], [1, 2, 3, 4])
    assert set(late[4:]) == {0}


def test_a_longer_period_has_a_row_per_day_of_the_week(queues: list[Queue]) -> None:
    month = Period(DAY.first - timedelta(days=27), DAY.last, ZONE)
    for week in range(3):
        sample(queues[0], NOON - timedelta(weeks=week), late=60, waiting=week + 1)

    late, most = made(queues, month), made(queues, month, MOST)

    assert list(texts(late)) == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    at = late.hours.index("12")
    assert (texts(late)["Wed"][at], texts(most)["Wed"][at]) == ("3", "3")
    assert late.rows[2].cells[at].words.startswith("4 times Wednesday, 12:00–13:00: 3 min over target")


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"])
def test_hours_stand_where_the_clock_showed_them_when_clocks_change(day: str, queues: list[Queue]) -> None:
    before, after = (datetime.fromisoformat(f"{day} {at}").replace(tzinfo=ZONE) for at in ("01:30", "12:00"))
    period = Period(before.date(), before.date(), ZONE)
    for moment in (before, after):
        sample(queues[0], moment, late=60)

    drawn = made(queues, period)

    assert [hour for hour, cell in zip(drawn.hours, drawn.rows[0].cells, strict=True) if cell.text == "1"] == [
        "01",
        "12",
    ]


def test_the_hour_that_comes_twice_is_one(queues: list[Queue]) -> None:
    day = date(2026, 10, 25)
    for utc_hour in (0, 1):  # both are two o'clock
        sample(queues[0], datetime(2026, 10, 25, utc_hour, 30, tzinfo=UTC), late=60)

    drawn = made(queues, Period(day, day, ZONE))

    assert texts(drawn)["Sun 25 Oct"][drawn.hours.index("02")] == "2"


@pytest.mark.parametrize(
    ("zone", "day"),
    [("Asia/Kolkata", 5), ("Asia/Kathmandu", 5), ("Australia/Lord_Howe", 2), ("Australia/Lord_Howe", 5)],
)
def test_zones_that_are_not_whole_hours_from_utc_have_their_own_hours(zone: str, day: int, queues: list[Queue]) -> None:
    """On Lord Howe Island hours begin with those of UTC until the night before Sunday, 5 April."""
    noon = datetime(2026, 4, day, 12, tzinfo=ZoneInfo(zone))
    period = Period(noon.date(), noon.date(), ZoneInfo(zone))
    for minute in (-1, 0, 59, 60):
        sample(queues[0], noon + minute * MINUTE, late=60)

    drawn = made(queues, period)

    at = drawn.hours.index("11")
    assert next(iter(texts(drawn).values()))[at : at + 3] == ["1", "2", "1"]


def test_a_companys_day_that_begins_at_six_begins_at_six(queues: list[Queue]) -> None:
    period = Period(DAY.first, DAY.last, ZONE, 6)
    sample(queues[0], period.begin + timedelta(hours=20), late=60)

    drawn = made(queues, period)

    assert drawn.hours[-4:] == ["02", "03", "04", "05"]
    assert texts(drawn)["Wed 4 Mar"][drawn.hours.index("02")] == "1"


def test_nothing_measured_makes_no_map(domain: Domain, queues: list[Queue]) -> None:
    assert made(queues, WEEK).rows == []
