"""Until when a mute holds that was begun with a time of day."""

from datetime import datetime

import pytest
import time_machine

from accounts.limits import Limit
from accounts.models import Domain
from wallboard.notifications.forms.muting import MuteForm


@pytest.mark.parametrize(
    ("now", "typed", "ends"),
    [
        ("2026-11-18T10:00:00+01:00", "10:45", "2026-11-18T10:45:00+01:00"),
        ("2026-11-18T10:00:00+01:00", "09:45", "2026-11-19T09:45:00+01:00"),
        # Clocks show 02:00 to 03:00 twice.
        ("2026-10-25T01:50:00+02:00", "02:45", "2026-10-25T02:45:00+02:00"),
        ("2026-10-25T02:50:00+02:00", "02:45", "2026-10-25T02:45:00+01:00"),
        ("2026-10-25T02:20:00+01:00", "02:45", "2026-10-25T02:45:00+01:00"),
        ("2026-10-25T02:50:00+01:00", "02:45", "2026-10-26T02:45:00+01:00"),
        # They go from 02:00 to 03:00 at once.
        ("2026-03-29T01:50:00+01:00", "02:45", "2026-03-29T03:45:00+02:00"),
        ("2026-03-28T23:00:00+01:00", "02:45", "2026-03-29T03:45:00+02:00"),
    ],
)
def test_it_ends_the_next_time_that_clocks_show_it(
    domain: Domain, clock: time_machine.Traveller, now: str, typed: str, ends: str
) -> None:
    domain.time_zone = "Europe/Berlin"
    clock.move_to(datetime.fromisoformat(now))
    form = MuteForm(domain, Limit(), {"queue": "", "until": typed, "reason": "new phones"})

    assert form.is_valid()
    assert form.ends_at().timestamp() == datetime.fromisoformat(ends).timestamp()
