"""When the company's day begins, whatever the clocks do."""

from datetime import datetime

import pytest
from django.core.exceptions import ValidationError

from accounts import company_day
from accounts.models import Domain


def started(now: str, hour: int, zone: str = "Europe/Berlin") -> str:
    """The start of the day at that moment, as the company's wall shows it."""
    domain = Domain(time_zone=zone, day_starts_hour=hour)
    return company_day.start(domain, datetime.fromisoformat(now)).isoformat()


@pytest.mark.parametrize(
    ("now", "hour", "start"),
    [
        ("2026-11-21T00:30:00+01:00", 0, "2026-11-21T00:00:00+01:00"),
        ("2026-11-20T23:30:00+00:00", 0, "2026-11-21T00:00:00+01:00"),
        ("2026-11-21T05:59:59+01:00", 6, "2026-11-20T06:00:00+01:00"),
        ("2026-11-21T06:00:00+01:00", 6, "2026-11-21T06:00:00+01:00"),
        ("2026-03-29T12:00:00+02:00", 1, "2026-03-29T01:00:00+01:00"),  # the clocks went forward at two
        ("2026-10-25T01:30:00+00:00", 3, "2026-10-24T03:00:00+02:00"),  # half past two, for the second time
    ],
)
def test_a_day_begins_at_the_companys_hour(now: str, hour: int, start: str) -> None:
    assert started(now, hour) == start


def test_a_time_zone_that_is_none_counts_as_utc() -> None:
    assert started("2026-11-21T00:30:00+01:00", 0, "Nowhere/At_All") == "2026-11-20T00:00:00+00:00"


def test_an_hour_that_no_clock_shows_is_refused() -> None:
    with pytest.raises(ValidationError) as refused:
        Domain(name="Acme", slug="acme", day_starts_hour=24).clean_fields()

    assert "day_starts_hour" in refused.value.message_dict
