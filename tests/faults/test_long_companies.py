"""Many companies on two workers, of which one dies in the middle of its readings (R12)."""

import json
import time
from itertools import pairwise

import pytest
import requests

from tests.conftest import MakeSite
from tests.faults.conftest import Note
from tests.harness.site import Site
from wallboard.demo.processes import Child, procfile, wait_until
from wallboard.queues.rounds.poll_rows import LEASE_SECONDS
from wallboard.queues.rounds.polls import SHARE

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]
COMPANIES, INTERVAL_SECONDS = SHARE + 10, 3.0  # so many that the workers share them
ANSWER_SECONDS = 1.0
SLACK_SECONDS = 2.0  # two cores for all processes and for whatever else runs
PREPARE = """
from accounts.encryption import sealed
from accounts.models import Domain
Domain.objects.all().delete()
Domain.objects.bulk_create([Domain(slug=f"c{{n}}", name=f"C{{n}}", base_url=f"{base}/c/{{n}}",
    client_id=f"company-id-{{n}}", client_secret=sealed(f"company-secret-{{n}}")) for n in range(1, {count} + 1)])
"""
READINGS = """
import json
from wallboard.queues.models import Reading
rows = Reading.objects.order_by("read_at").values_list("domain_id", "read_at")
print("=>", json.dumps([[domain, at.timestamp()] for domain, at in rows]))
"""


def readings(site: Site) -> dict[int, list[float]]:
    """When each company was read."""
    told = site.manage("shell", "-v", "0", "-c", READINGS).rpartition("=>")[2]
    found: dict[int, list[float]] = {}
    for domain_id, at in json.loads(told):
        found.setdefault(domain_id, []).append(at)
    return found


@pytest.mark.promise("R12", "one of two workers is killed while it reads sixty companies")
def test_no_company_stays_unread_for_longer_than_a_lease_and_an_interval(make_site: MakeSite, figure: Note) -> None:
    site = make_site(
        {"POLL_SECONDS": str(INTERVAL_SECONDS)}, companies=COMPANIES, queues=2, agents=2, load=0, stay=True
    )
    site.manage("shell", "-v", "0", "-c", PREPARE.format(base=site.simulator.base_url, count=COMPANIES))
    command = [*procfile(0)["worker"], "--hostname", "second@%h"]
    site.children["second"] = second = Child("second", command, site.folder / "second.log", site.env)
    second.start()
    # Some readings are always under way, in both workers.
    for number in range(1, COMPANIES + 1):
        door = f"{site.simulator.base_url}/c/{number}/control/faults"
        delay = {"at": "stats", "do": "delay", "seconds": ANSWER_SECONDS}
        requests.post(door, json=delay, timeout=10).raise_for_status()
    assert wait_until(lambda: len(readings(site)) == COMPANIES, 90), site.log("second")
    time.sleep(2 * INTERVAL_SECONDS)

    killed_at = time.time()
    site.kill("second")
    longest = LEASE_SECONDS + INTERVAL_SECONDS + ANSWER_SECONDS + SLACK_SECONDS
    time.sleep(longest)

    gaps = {
        domain_id: max(after - before for before, after in pairwise(times) if after >= killed_at)
        for domain_id, times in readings(site).items()
        if times[-1] >= killed_at
    }
    held = sum(gap > LEASE_SECONDS / 2 for gap in gaps.values())
    figure(f"{held} of {COMPANIES} companies waited for a lease to end, {max(gaps.values()):.1f} s at most")
    assert len(gaps) == COMPANIES
    assert max(gaps.values()) <= longest
    assert held, "nothing was under way in the worker that was killed"
