"""One token call however many want one at the same moment, in a whole installation that goes on polling (O1)."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest

from tests.faults.conftest import Note
from tests.faults.installation import Installation
from tests.faults.provider import company_token_calls, newest
from wallboard.demo.processes import BASE_DIR

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]
PROCESSES, THREADS = 4, 5


def race(site: Installation, kind: str, pk: int, rejected: str = "") -> set[str]:
    """What twenty callers in four processes got at one moment: the hashes of tokens."""
    command = [sys.executable, "-m", "tests.accounts.racing", kind, str(pk), str(THREADS), str(time.time() + 4)]
    env = site.env | {"DJANGO_SETTINGS_MODULE": "wallboard.settings"}

    def run(_: int) -> list[str]:
        done = subprocess.run(
            command, env=env, cwd=BASE_DIR, input=rejected, capture_output=True, text=True, timeout=90
        )
        return done.stdout.splitlines()

    with ThreadPoolExecutor(PROCESSES) as pool:
        lines = [line for told in pool.map(run, range(PROCESSES)) for line in told]
    assert len(lines) == PROCESSES * THREADS
    return set(lines)


@pytest.mark.promise("O1", "twenty callers in four processes at the end of the company's token")
def test_one_call_serves_all_who_want_the_company_token(site: Installation, figure: Note, seed: int) -> None:
    pk, old = site.oracle.value("[CompanyToken.objects.get().pk, CompanyToken.objects.get().access_token.open()]")
    # As long after the last round as tokens live: a provider that refuses each new one at once is asked less often.
    site.oracle.value("CompanyToken.objects.update(replacements=0, replaced_at=None, rejected_since=None)")
    before = newest(site)

    got = race(site, "company", pk, rejected=old)

    new = site.oracle.value("CompanyToken.objects.get().access_token.open()")
    figure(f"{company_token_calls(site, before)} token call, {len(got)} token for 20 callers")
    assert company_token_calls(site, before) == 1
    assert got == {sha256(new.encode()).hexdigest()} != {sha256(old.encode()).hexdigest()}


@pytest.mark.promise("O1", "twenty callers at the end of a person's token")
@pytest.mark.parametrize("mode", ["rotate", "keep"])
def test_one_refresh_serves_all_and_nobody_is_signed_out(
    site: Installation, figure: Note, mode: str, seed: int
) -> None:
    site.simulator.control("refresh", {"mode": "rotate"})
    pk = site.oracle.value("Grant.objects.filter(refused_at=None).order_by('pk').first().pk")
    site.simulator.control("refresh", {"mode": mode})
    site.oracle.value(f"Grant.objects.filter(pk={pk}).update(usable_until=None, retry_at=None)")
    before = newest(site)

    got = race(site, "grant", pk)

    new, refused = site.oracle.ask(
        f"row = Grant.objects.get(pk={pk})\nanswer = [row.access_token.open(), row.refused_at]"
    )
    figure(f"{company_token_calls(site, before)} token call, {len(got)} token for 20 callers")
    assert company_token_calls(site, before) == 1
    assert got == {sha256(new.encode()).hexdigest()}
    assert refused is None
