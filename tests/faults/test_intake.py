"""What was acknowledged is never lost, whatever is killed in the middle of a burst (R1, R2)."""

import random
import time

import pytest

from tests.faults.bursts import Burst, unapplied
from tests.faults.conftest import Note, Open
from tests.faults.installation import Installation
from tests.harness.site import seconds_until

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]
BURST_SECONDS = 5.0


@pytest.mark.promise("R1", "kill -9 in the middle of a burst")
@pytest.mark.parametrize("name", ["web", "worker", "redis", "postgres"])
def test_what_was_acknowledged_is_kept_and_shown(
    site: Installation, open_browser: Open, figure: Note, name: str, seed: int
) -> None:
    chance = random.Random(f"{name} {seed}")
    pages = [open_browser("web"), open_browser("web2")]
    with Burst(site) as burst:
        time.sleep(chance.uniform(0.3, 1.0) * BURST_SECONDS)
        site.kill(name)
        time.sleep(chance.uniform(0.2, 2.0))
        site.restart(name)
        back_at = time.monotonic()
        applied_after = seconds_until(lambda: unapplied(site) == 0, 60)
    site.wait(site.is_ready, 60)
    site.wait_for_truth(*pages, seconds=60)

    shown_after = time.monotonic() - back_at
    kept = sum(each["acknowledged"] for each in burst.deliveries())
    figure(f"{burst.lost()} of {kept} lost, applied after {applied_after:.1f} s, shown after {shown_after:.1f} s")
    assert kept > 20
    assert (burst.lost(), burst.doubled(), burst.unended()) == (0, 0, 0)
    assert [page.gaps for page in pages] == [0, 0]
