"""Call detail records that come late, together, for fewer calls or not at all."""

from datetime import UTC
from email.utils import parsedate_to_datetime
from itertools import pairwise
from typing import Any

import pytest

from tests.simulator.dialect.runs import payloads, stream


def delays(seconds: float = 900, **dialect: Any) -> list[float]:
    """Seconds from the end of each leg to its record."""
    run = stream(**dialect)
    return [
        (run.moment(item) - parsedate_to_datetime(record["end_time"]).astimezone(UTC)).total_seconds()
        for item in run.run(seconds)
        if item.kind == "cdrs"
        for record in item.payload
    ]


def test_records_come_within_two_seconds_or_never() -> None:
    assert 0 <= min(delays()) < max(delays()) <= 3.01  # a second is cut off
    assert delays(records="never") == []


def test_unanswered_records() -> None:
    usual, fewer = payloads("cdrs"), payloads("cdrs", unanswered_records="off")

    answered = [record for batch in usual for record in batch if record["answer_time"]]
    assert any(record["answer_time"] is None for batch in usual for record in batch)
    assert [record for batch in fewer for record in batch] == answered


@pytest.mark.parametrize(("delay", "least", "most"), [(0, 0, 1.01), (1, 0, 2.01), (120, 118, 121.01)])
def test_record_delay_seconds(delay: float, least: float, most: float) -> None:
    found = delays(record_delay_seconds=delay)

    assert len(found) > 50
    assert least <= min(found) <= max(found) <= most


def test_record_jitter_seconds() -> None:
    found = delays(record_jitter_seconds=60)

    assert min(found) < 10
    assert 50 < max(found) <= 63.01


def test_record_batch_size() -> None:
    batches = payloads("cdrs", 900, record_batch_size=100)
    ordered = [record["end_time"] for batch in batches for record in batch]

    assert [len(batch) >= 100 for batch in batches] == [True] * len(batches)
    assert len(batches) >= 3
    assert all(parsedate_to_datetime(before) <= parsedate_to_datetime(after) for before, after in pairwise(ordered))
