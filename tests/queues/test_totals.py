from typing import Any

import pytest

from wallboard.queues import totals
from wallboard.queues.totals import Totals


def figures(waiting: Any, longest: Any = None, average: Any = None, missing_since: Any = None) -> Any:
    return {"waiting": waiting, "longest_wait": longest, "average_wait": average, "missing_since": missing_since}


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([], Totals(None, None, None, 0, 0)),
        ([figures(0, 0, 0)], Totals(0, None, None, 1, 0)),
        ([figures(1, 30, 30), figures(3, 90, 50)], Totals(4, 90, 45, 2, 0)),
        ([figures(2, 30, 10), figures(0, 900, 900)], Totals(2, 30, 10, 2, 0)),
        ([figures(2, 30, 10), figures(5, 700, 700, missing_since=1)], Totals(2, 30, 10, 1, 1)),
        ([figures(5, 700, 700, missing_since=1)], Totals(None, None, None, 0, 1)),
        ([figures(1, None, None), figures(3, 20, 7)], Totals(4, 20, 7, 2, 0)),
        ([figures(1, None, None)], Totals(1, None, None, 1, 0)),
        ([figures(1, 1, 1), figures(1, 2, 2)], Totals(2, 2, 2, 2, 0)),
    ],
    ids=[
        "no queue",
        "nobody waits",
        "weighted",
        "idle adds no wait",
        "missing",
        "all missing",
        "untold",
        "only untold",
        "half up",
    ],
)
def test_totals_of_queues(documents: Any, expected: Any) -> None:
    assert totals.of(documents) == expected
