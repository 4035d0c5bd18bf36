"""What is written down of missing call events: one open gap at a time, nothing too short, close refusals as one."""

from datetime import datetime, timedelta

import pytest

from accounts.models import Domain
from tests.calls.conftest import START
from wallboard.calls.gaps import recording
from wallboard.calls.models import EventGap

SECOND = timedelta(seconds=1)


def stored(domain: Domain) -> list[tuple[float, float | None, str]]:
    """Seconds after START, and why."""
    rows = EventGap.objects.filter(domain=domain).order_by("since")
    return [(seconds_of(row.since), seconds_of(row.until) if row.until else None, row.reason) for row in rows]


def seconds_of(at: datetime) -> float:
    return (at - START).total_seconds()


def test_a_gap_is_open_until_it_ends_and_keeps_its_first_reason(domain: Domain) -> None:
    recording.begin(domain.pk, START, "silent")
    recording.begin(domain.pk, START + 5 * SECOND, "provider")
    assert stored(domain) == [(0, None, "silent")]

    recording.end(domain.pk, START + 150 * SECOND)

    assert stored(domain) == [(0, 150, "silent")]


def test_what_only_came_late_is_no_gap(domain: Domain) -> None:
    recording.begin(domain.pk, START, "silent")
    recording.end(domain.pk, START + 9 * SECOND)

    assert stored(domain) == []


def test_a_second_gap_begins_after_the_first(domain: Domain) -> None:
    recording.begin(domain.pk, START, "silent")
    recording.end(domain.pk, START + 60 * SECOND)
    recording.begin(domain.pk, START + 30 * SECOND, "provider")

    assert stored(domain) == [(0, 60, "silent"), (60, None, "provider")]


@pytest.mark.parametrize(("pause", "count"), [(59, 1), (61, 2)])
def test_refusals_close_to_each_other_are_one_gap(domain: Domain, pause: int, count: int) -> None:
    recording.add(domain.pk, START, START + SECOND, "refused")
    recording.add(domain.pk, START + (1 + pause) * SECOND, START + (2 + pause) * SECOND, "refused")

    assert len(stored(domain)) == count
