"""What a cell says where there are only texts."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from accounts.sheets.cells import MINUTE, SECOND, TIME, Lasting, stamp


@pytest.mark.parametrize(
    ("pattern", "text"), [(SECOND, "2026-07-02 00:30:05"), (MINUTE, "2026-07-02 00:30"), (TIME, "00:30")]
)
def test_a_moment_is_written_by_the_clocks_of_its_zone(pattern: str, text: str) -> None:
    at = datetime(2026, 7, 1, 22, 30, 5, tzinfo=UTC)

    assert str(stamp(at, ZoneInfo("Europe/Berlin"), pattern)) == text


def test_no_moment_is_an_empty_cell() -> None:
    assert stamp(None, ZoneInfo("UTC")) == ""


def test_a_column_of_seconds_keeps_its_name_in_csv() -> None:
    head = Lasting("talk s", "talk")

    assert (str(head), head, head.name) == ("talk s", "talk s", "talk")
