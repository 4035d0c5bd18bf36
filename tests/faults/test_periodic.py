"""Periodic work happens once and never silently stops (R12)."""

import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from tests.faults.conftest import IS_LONG, Note
from tests.faults.installation import Installation
from tests.faults.provider import requests_after
from wallboard.demo.processes import Child, procfile

pytestmark = [pytest.mark.faults, pytest.mark.timeout(900)]
INTERVAL_SECONDS = 1.0
WATCHED_SECONDS = 600 if IS_LONG else 10


@pytest.fixture
def second_beat(site: Installation) -> Iterator[Child]:
    """Another beat that somebody started by mistake."""
    child = Child("beat2", procfile(0)["beat"], site.folder / "beat2.log", site.env)
    child.start()
    yield child
    child.kill()
    child.stop()


def overlaps(polls: list[dict[str, Any]]) -> int:
    """How many readings began before the one before had ended."""
    spans = sorted((each["at"], each["at"] + each["took_ms"]) for each in polls)
    return sum(after[0] < before[1] for before, after in pairwise(spans))


@pytest.mark.promise("R12", "two beats at once, answers take 0.3 s")
def test_two_beats_poll_as_often_as_one(site: Installation, second_beat: Child, figure: Note) -> None:
    site.simulator.control("faults", {"at": "stats", "do": "delay", "seconds": 0.3})
    time.sleep(2)
    polls = requests_after(site, seconds=WATCHED_SECONDS, path="stats")

    expected = WATCHED_SECONDS / INTERVAL_SECONDS
    figure(f"{len(polls)} polls where {expected:.0f} are due, {overlaps(polls)} overlaps")
    assert second_beat.is_running
    assert expected / 2 <= len(polls) <= 1.1 * expected + 1
    assert overlaps(polls) == 0
