"""What was acknowledged is kept and every page is true again, whichever host, server or wire fails."""

import random
import shutil
import time

import pytest

from tests.faults.browsers import Browser
from tests.faults.bursts import Burst, unapplied
from tests.faults.conftest import Note
from tests.harness.site import seconds_until
from tests.machines.installation import STORES, WEBS, WORKERS, Machines

pytestmark = [pytest.mark.faults, pytest.mark.timeout(420)]
CUT_SECONDS, SPOILED_SECONDS = 60.0, 30.0
TRUE_SECONDS = 10.0  # after everything works again
SAID_SECONDS = 13.0  # twelve for which a proof counts, and a little
CUT_OFF = (*WEBS, *WORKERS, *STORES)


def held(site: Machines, pages: list[Browser], burst: Burst, figure: Note, more: str = "") -> None:
    """Nothing acknowledged is lost or doubled, and every page is true in time; all is whole since a moment ago."""
    began = time.monotonic()
    site.wait_for_truth(*pages, seconds=60)
    true_after = time.monotonic() - began
    seconds_until(lambda: not any(page.is_silent for page in pages), 30)
    said_after = time.monotonic() - began
    seconds_until(lambda: unapplied(site) == 0, 60)
    seconds_until(lambda: burst.lost() == 0, 30)  # spooled deliveries are applied when their host is back
    kept = sum(each["acknowledged"] for each in burst.deliveries())
    figure(f"{kept} acknowledged, {burst.lost()} lost, true {true_after:.1f} s, live {said_after:.1f} s after it{more}")
    assert kept > 20
    assert (burst.lost(), burst.doubled(), burst.unended()) == (0, 0, 0)
    assert true_after <= TRUE_SECONDS


@pytest.mark.promise("R1", "a host cut off for a minute")
def test_a_host_that_is_cut_off(site: Machines, pages: list[Browser], figure: Note, seed: int) -> None:
    host = random.Random(f"cut {seed}").choice(CUT_OFF)
    with Burst(site) as burst:
        time.sleep(1)
        site.wires.cut(host)
        began = time.monotonic()
        if host in WEBS:
            seconds_until(lambda: pages[WEBS.index(host)].is_silent, SAID_SECONDS)
        time.sleep(max(0.0, began + CUT_SECONDS - time.monotonic()))
        others = [page for page, name in zip(pages, (*WEBS, "proxy"), strict=True) if name != host]
        assert not [page.host for page in others[:-1] if page.is_silent]
        site.wires.heal()
    held(site, pages, burst, figure, f" ({host})")


@pytest.mark.promise("R9", "the primary of Redis is killed")
def test_a_redis_primary_is_killed(site: Machines, pages: list[Browser], figure: Note, seed: int) -> None:
    chance = random.Random(f"redis {seed}")
    group = site.cluster or site.stores
    with Burst(site) as burst:
        time.sleep(chance.uniform(0.5, 2))
        place = chance.choice(group.primaries())
        group.servers[place].kill()
        began = time.monotonic()
        seconds_until(lambda: len([each for each in group.primaries() if each != place]) == wanted(site), 30)
        took = time.monotonic() - began
        time.sleep(1)
    held(site, pages, burst, figure, f"; another took over after {took:.1f} s")


def wanted(site: Machines) -> int:
    """How many primaries there are while all is well."""
    return 3 if site.cluster is not None else 1


@pytest.mark.promise("R1", "the primary of PostgreSQL is killed, its standby promoted")
def test_a_database_primary_is_killed(site: Machines, pages: list[Browser], figure: Note, seed: int) -> None:
    chance = random.Random(f"base {seed}")
    with Burst(site) as burst:
        time.sleep(chance.uniform(0.5, 2))
        site.databases.kill_primary()
        time.sleep(chance.uniform(1, 6))
        site.databases.promote()
        time.sleep(1)
    held(site, pages, burst, figure)


@pytest.mark.promise("R8", "wires that lose 5 % and delay 100 ms")
def test_bad_wires(site: Machines, pages: list[Browser], figure: Note, seed: int) -> None:
    with Burst(site, load=0.3) as burst:
        site.wires.spoil(loss=0.05, delay=0.1)
        time.sleep(SPOILED_SECONDS)
    site.wires.heal()
    held(site, pages, burst, figure)


@pytest.mark.promise("R10", "clocks 5 s apart")
def test_clocks_that_differ(
    site: Machines, pages: list[Browser], figure: Note, seed: int, request: pytest.FixtureRequest
) -> None:
    if not shutil.which("cc"):
        pytest.skip("no C compiler is installed (Debian: apt-get install gcc libc6-dev)")
    chance = random.Random(f"clock {seed}")
    wrong = [f"web{chance.randint(1, 3)}", f"worker{chance.randint(1, 2)}", f"beat{chance.randint(1, 2)}"]
    ahead = chance.choice((-5, 5))

    def set_all(seconds: int) -> None:
        for name in wrong:
            site.set_clock(name, seconds)

    request.addfinalizer(lambda: set_all(0))
    set_all(ahead)
    site.wait(lambda: all(map(site.web_answers, WEBS)), 60)
    with Burst(site) as burst:
        time.sleep(15)
    held(site, pages, burst, figure, f" ({', '.join(wrong)} by {ahead} s)")
