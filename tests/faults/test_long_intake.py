"""The database is away or hangs: nothing acknowledged is lost (R1). Web processes are replaced one by one (R13)."""

import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.faults.bursts import Burst, unapplied
from tests.faults.conftest import Note, Open
from tests.faults.installation import WEBS, Installation
from tests.harness import proxy
from tests.harness.site import seconds_until
from wallboard.demo.processes import free_port

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]


@pytest.fixture
def spooling(site: Installation) -> Iterator[Installation]:
    """The installation with SPOOL_DIR set."""
    set_spool(site, str(site.folder / "spool"))
    yield site
    site.heal()
    set_spool(site, "")


def set_spool(site: Installation, folder: str) -> None:
    """Start web and worker with that setting."""
    for name in (*WEBS, "worker"):
        site.children[name].env = {**(site.children[name].env or {}), "SPOOL_DIR": folder}
        site.restart(name)
    site.heal()


def answers(burst: Burst) -> Counter[int | None]:
    """How the deliveries of the burst were answered."""
    return Counter(each["status"] for each in burst.deliveries() if each["answered_at"])


@pytest.mark.promise("R1", "PostgreSQL killed, SPOOL_DIR set, then a web process")
def test_with_a_spool_nothing_is_refused_and_nothing_lost(
    spooling: Installation, open_browser: Open, figure: Note, seed: int
) -> None:
    site, chance = spooling, random.Random(f"spool {seed}")
    pages = [open_browser("web"), open_browser("web2")]
    with Burst(site) as burst:
        time.sleep(chance.uniform(1, 3))
        site.kill("postgres")
        time.sleep(chance.uniform(4, 8))
        site.kill("web")
        site.restart("web")
        time.sleep(chance.uniform(0.5, 4))
        site.restart("postgres")
        began = time.monotonic()
        time.sleep(1)
    applied_after = seconds_until(lambda: burst.lost() == 0 and unapplied(site) == 0, 60)
    seconds_until(lambda: not list((site.folder / "spool").glob("*.spool")), 60)
    site.wait_for_truth(*pages, seconds=60)
    shown_after = time.monotonic() - began

    told = answers(burst)
    figure(f"{dict(told)}, applied after {applied_after:.1f} s, shown after {shown_after:.1f} s")
    assert told[503] == 0
    assert told[204] > 50
    assert (burst.lost(), burst.doubled(), burst.unended()) == (0, 0, 0)


@pytest.mark.promise("R1", "PostgreSQL hangs (SIGSTOP)")
@pytest.mark.parametrize("has_spool", [False, True])
def test_a_hanging_database_is_waited_out(
    site: Installation, request: pytest.FixtureRequest, open_browser: Open, figure: Note, has_spool: bool
) -> None:
    if has_spool:
        request.getfixturevalue("spooling")
    pages = [open_browser("web"), open_browser("web2")]
    site.wait_for_truth(*pages, seconds=30)
    with Burst(site) as burst:
        time.sleep(1)
        site.freeze("postgres")
        time.sleep(14)
        site.thaw("postgres")
        began = time.monotonic()
        time.sleep(1)
    seconds_until(lambda: burst.lost() == 0 and unapplied(site) == 0, 60)
    site.wait(site.is_ready, 60)
    site.wait_for_truth(*pages, seconds=60)

    told = answers(burst)
    waits = [each["answered_at"] - each["sent_at"] for each in burst.deliveries() if each["acknowledged"]]
    figure(f"{dict(told)}, slowest 204 {max(waits) / 1000:.1f} s, shown after {time.monotonic() - began:.0f} s")
    assert (burst.lost(), burst.doubled(), burst.unended()) == (0, 0, 0)
    if has_spool:
        assert told[204] == sum(told.values())
        assert max(waits) < 5000


@pytest.fixture(params=[1, 2])
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Two runs suffice where each of them restarts everything."""
    return random.Random(request.param)


@pytest.fixture
def proxied(site: Installation, tmp_path: Path) -> Iterator[Installation]:
    """The installation behind nginx, as docs/nginx.conf has it for two web processes."""
    if proxy.program() is None:
        pytest.skip("no nginx is installed (Debian: apt-get install nginx-light)")
    port, webs = free_port(), [site.ports[name] for name in WEBS]
    with proxy.running(tmp_path, port, webs):
        site.links["front"].lead_to([port])
        yield site
        site.links["front"].lead_to(webs)


@pytest.mark.promise("R13", "both web processes restarted one after the other (SIGTERM), a release between them")
def test_a_rolling_restart_is_noticed_by_nobody(
    proxied: Installation, open_browser: Open, figure: Note, chance: random.Random
) -> None:
    site = proxied
    pages = [open_browser(web) for web in WEBS for _ in range(20)]
    site.wait_for_truth(*pages[::20], seconds=30)
    latest, spreads = 0.0, []
    with Burst(site) as burst:
        for name, theirs in zip(WEBS, (pages[:20], pages[20:]), strict=True):
            time.sleep(chance.uniform(0.5, 1.5))
            told_at = time.monotonic()
            site.kill(name, signal.SIGTERM)
            site.manage("setup")
            site.restart(name)
            seconds_until(partial(site.web_answers, name), 60)
            up_at = time.monotonic()
            seconds_until(lambda theirs=theirs: all(page.connections == 2 for page in theirs), 20)  # type: ignore[misc]
            latest = max(latest, *(page.opened_at[-1] - up_at for page in theirs))
            first_tries = [next(at for at in page.tried_at if at > told_at) - told_at for page in theirs]
            spreads.append(max(first_tries) - min(first_tries))
        time.sleep(1)
    site.wait_for_truth(*pages[::20], seconds=60)

    told = burst.outcomes()
    figure(f"{dict(told)}; pages back {latest:.1f} s after their server at most, over {min(spreads):.1f} s")
    assert burst.lost() == 0
    assert told.keys() == {"acknowledged"}
    assert told["acknowledged"] > 50
    assert latest <= 10
    assert min(spreads) >= 3.5  # of the five seconds that the goodbye spreads them over; there are only twenty of them
