"""The service's own clock."""

import pytest

from wallboard.simulator.service.clock import MOST_AHEAD_SECONDS, ServiceClock


def test_it_cannot_be_moved_out_of_the_calendar() -> None:
    clock = ServiceClock()
    for _ in range(10):
        clock.move(MOST_AHEAD_SECONDS / 10)

    with pytest.raises(ValueError, match="forward"):
        clock.move(1)
    assert clock.now().year > 2300


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_it_goes_forward_only(seconds: float) -> None:
    clock = ServiceClock()

    with pytest.raises(ValueError, match="forward"):
        clock.move(seconds)
    assert clock.ahead_seconds == 0
