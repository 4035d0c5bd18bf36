"""Pages show what the database says, whatever is cut off or emptied (R6, R9, R10)."""

import random
import time

import pytest

from tests.faults.bursts import Burst
from tests.faults.conftest import IS_LONG, Note, Open
from tests.faults.installation import AGENT, Installation
from tests.harness.site import seconds_until

pytestmark = [pytest.mark.faults, pytest.mark.timeout(600)]
BOARD_FEEDS, DESK_FEEDS = 5, 3
FLUSHED_SECONDS = 15


@pytest.mark.promise("R6", "connections of browsers reset at random points of a burst")
def test_a_page_that_comes_back_has_no_gap_and_no_duplicate(
    site: Installation, open_browser: Open, figure: Note, seed: int
) -> None:
    chance, cuts = random.Random(seed), 20
    pages = [open_browser("web"), open_browser("web2")]
    tabs = [open_browser("web", "desk=1", AGENT) for _ in range(2)]
    site.wait_for_truth(*pages, *tabs, seconds=30)
    with Burst(site):
        for _ in range(cuts):
            time.sleep(chance.uniform(0.05, 0.4))
            site.links[chance.choice(["browser", "browser2"])].cut()
    took = site.wait_for_truth(*pages, *tabs, seconds=30)

    snapshots = sum(page.snapshots for page in [*pages, *tabs])
    connections = sum(page.connections for page in [*pages, *tabs])
    figure(f"{cuts} cuts, {connections} connections, {snapshots} snapshots, true after {took:.1f} s")
    assert connections > 4
    assert snapshots == 2 * BOARD_FEEDS + 2 * DESK_FEEDS
    assert sum(page.gaps for page in [*pages, *tabs]) == 0
    assert all(count == 1 for tab in tabs for count in tab.rings.values())


@pytest.mark.promise("R6", "offline during a burst")
@pytest.mark.parametrize("seconds", [1, 30] if IS_LONG else [1])
def test_a_page_that_was_offline_catches_up(site: Installation, open_browser: Open, figure: Note, seconds: int) -> None:
    page = open_browser("web")
    site.wait_for_truth(page, seconds=30)
    with Burst(site):
        page.is_offline = True
        site.links["browser"].cut()
        time.sleep(seconds)
        page.is_offline = False
    took = site.wait_for_truth(page, seconds=30)

    figure(f"{seconds} s offline, {page.snapshots - BOARD_FEEDS} feeds sent whole, true after {took:.1f} s")
    assert page.connections == 2
    assert page.gaps == 0


@pytest.mark.promise("R9", "FLUSHALL during a burst")
def test_an_emptied_redis_heals_without_a_reload(site: Installation, open_browser: Open, figure: Note) -> None:
    pages = [open_browser("web"), open_browser("web2")]
    site.wait_for_truth(*pages, seconds=30)
    with Burst(site) as burst:
        time.sleep(1)
        site.redis().flushall()
        time.sleep(1)
    took = site.wait_for_truth(*pages, seconds=60)

    figure(f"true after {took:.1f} s, {burst.lost()} lost")
    assert took <= FLUSHED_SECONDS
    assert burst.lost() == 0
    assert [page.connections for page in pages] == [1, 1]
    site.wait_for_truth(*pages, seconds=130, but=())  # mended every minute, and the order to do so may have been lost


@pytest.mark.promise("R10", "a web process cut off from Redis")
def test_a_deaf_server_says_so_and_heals(site: Installation, open_browser: Open, figure: Note) -> None:
    near, far = open_browser("web"), open_browser("web2")
    site.wait_for_truth(near, far, seconds=30)
    site.links["redis"].close()
    said_after = seconds_until(lambda: far.is_silent, 30)
    assert not near.is_silent
    site.links["redis"].open()
    healed_after = seconds_until(lambda: not far.is_silent, 30)
    took = site.wait_for_truth(near, far, seconds=30)

    figure(f"said after {said_after:.1f} s, live again after {healed_after:.1f} s, true {took:.1f} s later")
    assert far.connections == 1
