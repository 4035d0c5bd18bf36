"""When reports are due: the company's hour, its days, and the days on which clocks change."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from accounts.models import Domain
from wallboard.reports.mails import schedule

BERLIN = ZoneInfo("Europe/Berlin")


def company(**values: int) -> Domain:
    return Domain(time_zone="Europe/Berlin", **values)


def period(every: str, now: datetime, hour: int = 7, **values: int) -> tuple[str, str]:
    found = schedule.last_period(every, company(**values), now, hour)
    return f"{found.first}", f"{found.last}"


@pytest.mark.parametrize(
    ("every", "at", "days"),
    [
        ("day", datetime(2026, 11, 25, 7, 0, tzinfo=BERLIN), ("2026-11-24", "2026-11-24")),
        ("day", datetime(2026, 11, 25, 6, 59, tzinfo=BERLIN), ("2026-11-23", "2026-11-23")),
        ("week", datetime(2026, 11, 23, 7, 0, tzinfo=BERLIN), ("2026-11-16", "2026-11-22")),
        ("week", datetime(2026, 11, 23, 6, 59, tzinfo=BERLIN), ("2026-11-09", "2026-11-15")),
        ("week", datetime(2026, 11, 29, 23, 0, tzinfo=BERLIN), ("2026-11-16", "2026-11-22")),
        ("month", datetime(2026, 3, 1, 7, 0, tzinfo=BERLIN), ("2026-02-01", "2026-02-28")),
        ("month", datetime(2026, 3, 1, 6, 0, tzinfo=BERLIN), ("2026-01-01", "2026-01-31")),
    ],
)
def test_the_newest_days_that_are_due(every: str, at: datetime, days: tuple[str, str]) -> None:
    assert period(every, at) == days


def test_a_day_that_ends_later_than_the_hour_is_waited_for() -> None:
    assert period("day", datetime(2026, 11, 25, 8, 0, tzinfo=BERLIN), day_starts_hour=9)[1] == "2026-11-23"
    assert period("day", datetime(2026, 11, 25, 9, 0, tzinfo=BERLIN), day_starts_hour=9)[1] == "2026-11-24"


@pytest.mark.parametrize(
    ("day", "hour", "due"),
    [
        (date(2026, 3, 29), 7, datetime(2026, 3, 29, 5, tzinfo=UTC)),  # summer time since two hours before
        (date(2026, 3, 29), 2, datetime(2026, 3, 29, 1, tzinfo=UTC)),  # an hour that there is not
        (date(2026, 10, 25), 2, datetime(2026, 10, 25, 0, tzinfo=UTC)),  # one that there is twice: the first
        (date(2026, 10, 25), 7, datetime(2026, 10, 25, 6, tzinfo=UTC)),
    ],
)
def test_it_is_the_hour_on_the_wall_when_clocks_change(day: date, hour: int, due: datetime) -> None:
    found = schedule.last_period("day", company(), due, hour)

    assert found.last == day - schedule.A_DAY
    assert schedule.due_at(found, company(), hour).astimezone(UTC) == due
