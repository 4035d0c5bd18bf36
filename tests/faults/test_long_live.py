"""Pages show what the database says, or how old it is, whatever is frozen, stopped, full or restored (R8, R9, R10)."""

import time

import pytest

from tests.faults.bursts import Burst
from tests.faults.conftest import Note, Open
from tests.faults.installation import AGENT, Installation
from tests.harness.site import seconds_until

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]
BACK_SECONDS = 30
SILENT_SECONDS = 11


@pytest.mark.promise("R9", "Redis frozen (SIGSTOP)")
@pytest.mark.parametrize("seconds", [12, 60])
def test_a_frozen_redis_is_said_and_healed(site: Installation, open_browser: Open, figure: Note, seconds: int) -> None:
    pages = [open_browser("web"), open_browser("web2")]
    site.wait_for_truth(*pages, seconds=30)
    with Burst(site) as burst:
        time.sleep(0.5)
        site.freeze("redis")
        began = time.monotonic()
        said_after = seconds_until(lambda: all(page.is_silent for page in pages), 30)
        time.sleep(max(0.0, began + seconds - time.monotonic()))
        site.thaw("redis")
    took = site.wait_for_truth(*pages, seconds=60)
    seconds_until(lambda: not any(page.is_silent for page in pages), 30)

    figure(f"said after {said_after:.0f} s, true {took:.1f} s after its return, {burst.lost()} lost")
    assert took <= BACK_SECONDS
    assert burst.lost() == 0


@pytest.mark.promise("R10", "the poller is stopped")
def test_figures_of_a_stopped_poller_grow_old_on_the_page(site: Installation, open_browser: Open, figure: Note) -> None:
    page = open_browser("web")
    site.wait_for_truth(page, seconds=30)
    site.kill("beat")
    time.sleep(1.5)  # what beat has sent already is done
    last = page.documents["queues"]["poll"]["read_at"]

    time.sleep(2 * page.documents["queues"]["poll"]["interval_seconds"] + 5)
    assert page.documents["queues"]["poll"]["read_at"] == last
    site.restart("beat")
    took = seconds_until(lambda: page.documents["queues"]["poll"]["read_at"] > last, 30)
    figure(f"the age grew past two polls and 5 s; fresh {took:.1f} s after beat was back")


@pytest.mark.promise("R10", "a web process frozen, and a half-open connection")
@pytest.mark.parametrize("how", ["frozen", "half-open"])
def test_a_page_that_hears_nothing_says_so(site: Installation, open_browser: Open, figure: Note, how: str) -> None:
    page, other = open_browser("web"), open_browser("web2")
    site.wait_for_truth(page, other, seconds=30)
    began = time.monotonic()
    if how == "frozen":
        site.freeze("web")
    else:
        site.links["browser"].freeze()
    seconds_until(lambda: page.is_silent, SILENT_SECONDS + 5)
    said_after = time.monotonic() - began
    assert not other.is_silent
    site.thaw("web")
    site.links["browser"].open()
    seconds_until(lambda: not page.is_silent, 30)
    took = site.wait_for_truth(page, other, seconds=30)

    figure(f"said after {said_after:.0f} s, true {took:.1f} s after it was heard again")
    assert said_after <= SILENT_SECONDS + 1


@pytest.mark.promise("R9", "Redis is full (maxmemory, noeviction)")
def test_a_full_redis_costs_no_call_and_heals(site: Installation, open_browser: Open, figure: Note) -> None:
    pages = [open_browser("web"), open_browser("web2")]
    site.wait_for_truth(*pages, seconds=30)
    site.redis().config_set("maxmemory", "100kb")
    last = pages[0].documents["queues"]["poll"]["read_at"]
    with Burst(site) as burst:
        time.sleep(10)
    age = time.time() * 1000 - pages[0].documents["queues"]["poll"]["read_at"]
    site.redis().config_set("maxmemory", "0")
    took = site.wait_for_truth(*pages, seconds=60)

    figure(f"figures of {age / 1000:.0f} s shown as such, {burst.lost()} lost, true {took:.1f} s after there was room")
    assert pages[0].documents["queues"]["poll"]["read_at"] > last
    assert age > 7000
    assert took <= BACK_SECONDS
    assert burst.lost() == 0


@pytest.mark.promise("R8", "the database restored from an older copy, pages open")
def test_a_restored_database_is_what_pages_show(site: Installation, open_browser: Open, figure: Note) -> None:
    pages = [open_browser("web"), open_browser("web2"), open_browser("web2", "desk=1", AGENT)]
    with Burst(site):
        time.sleep(2)
    site.postgres.back_up()
    site.heal()
    with Burst(site):
        time.sleep(4)
    site.wait_for_truth(*pages, seconds=30)
    newer = site.oracle.value("Leg.objects.count()")

    site.postgres.restore()
    older = site.oracle.value("Leg.objects.count()")
    took = site.wait_for_truth(*pages, seconds=60)
    figure(f"{newer - older} legs were undone, true after {took:.1f} s")
    assert newer > older
    site.wait_for_truth(*pages, seconds=60, but=())


@pytest.mark.promise("R8", "every process killed at once, Redis empty afterwards")
def test_everything_may_die_at_once(site: Installation, open_browser: Open, figure: Note) -> None:
    pages = [open_browser("web"), open_browser("web2")]
    names = ["redis", "postgres", "web", "web2", "worker", "beat"]
    with Burst(site) as burst:
        time.sleep(3)
        for name in names:
            site.children[name].kill()
        time.sleep(1)
        for name in names:
            site.restart(name)
        began = time.monotonic()
        seconds_until(site.is_ready, 90)
    site.wait_for_truth(*pages, seconds=60)
    took = time.monotonic() - began

    figure(f"{burst.lost()} lost, true {took:.0f} s after the start of all")
    assert (burst.lost(), burst.doubled(), burst.unended()) == (0, 0, 0)
