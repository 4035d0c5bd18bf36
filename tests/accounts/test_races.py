"""Twenty callers in four processes want a token at the same moment: one of them asks the provider."""

import os
import signal
import subprocess
import sys
import time
from hashlib import sha256

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client

from accounts.models import CompanyToken, Grant, Lease
from accounts.tokens.clients import CompanyTokenSource, GrantTokenSource
from tests.accounts.flow import company_at, requests_of, sign_in, token_calls
from tests.harness.simulator import Simulator
from wallboard.telephony import errors

pytestmark = [pytest.mark.flow, pytest.mark.django_db(transaction=True)]
PROCESSES, THREADS = 4, 5


def database_url() -> str:
    """The test database as another process reaches it."""
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{found['NAME']}"
    return f"postgres://{found['USER']}:{found['PASSWORD']}@{found['HOST']}:{found['PORT']}/{found['NAME']}"


def race(kind: str, pk: int, rejected: str = "") -> list[str]:
    """What twenty callers got, by hash."""
    command = [sys.executable, "-m", "tests.accounts.racing", kind, str(pk), str(THREADS), str(time.time() + 3)]
    env = os.environ | {"DATABASE_URL": database_url()}
    runners = [
        subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(PROCESSES)
    ]
    for runner in runners:
        assert runner.stdin is not None
        runner.stdin.write(rejected)
        runner.stdin.close()
        runner.stdin = None
    return [line for runner in runners for line in runner.communicate(timeout=60)[0].splitlines()]


def die_while_refreshing(pk: int) -> None:
    """A process asks for a token, gets it, and is killed before it can keep it."""
    command = [sys.executable, "-m", "tests.accounts.racing", "grant", str(pk), "1", "0", "dies"]
    done = subprocess.run(command, env=os.environ | {"DATABASE_URL": database_url()}, input=b"", timeout=30)
    assert done.returncode == -signal.SIGKILL
    Lease.objects.update(until=Now())


def newest(simulator: Simulator) -> int:
    return max((int(str(each["number"])) for each in requests_of(simulator)), default=0)


@pytest.mark.parametrize("mode", ["rotate", "keep"])
def test_one_refresh_serves_all_callers_and_nobody_is_signed_out(
    simulator: Simulator, client: Client, mode: str
) -> None:
    company_at(simulator)
    simulator.control("refresh", {"mode": mode})
    sign_in(client, "101")
    grant = Grant.objects.get()
    old, before = grant.access_token.open(), newest(simulator)
    Grant.objects.update(usable_until=None)

    got = race("grant", grant.pk)

    grant.refresh_from_db()
    assert got == [sha256(grant.access_token.open().encode()).hexdigest()] * PROCESSES * THREADS
    assert token_calls(simulator, before) == 1
    assert grant.access_token.open() != old
    assert client.get("/accounts/").status_code == 200


def test_one_call_replaces_a_rejected_company_token(simulator: Simulator) -> None:
    row = CompanyToken.objects.create(domain=company_at(simulator))
    rejected = CompanyTokenSource(row)()
    before = newest(simulator)

    got = race("company", row.pk, rejected)

    row.refresh_from_db()
    assert got == [sha256(row.access_token.open().encode()).hexdigest()] * PROCESSES * THREADS
    assert token_calls(simulator, before) == 1


def test_crash_while_refreshing_costs_nothing_where_refresh_tokens_stay(simulator: Simulator, client: Client) -> None:
    company_at(simulator)
    sign_in(client, "101")
    Grant.objects.update(usable_until=None)
    grant = Grant.objects.get()
    before = newest(simulator)
    die_while_refreshing(grant.pk)

    assert GrantTokenSource(grant)()

    assert token_calls(simulator, before) == 2
    assert client.get("/accounts/").status_code == 200


def test_crash_while_refreshing_costs_one_sign_in_where_they_rotate(simulator: Simulator, client: Client) -> None:
    company_at(simulator)
    simulator.control("refresh", {"mode": "rotate"})
    sign_in(client, "101")
    Grant.objects.update(usable_until=None)
    grant = Grant.objects.get()
    before = newest(simulator)
    die_while_refreshing(grant.pk)

    for _ in range(5):
        with pytest.raises(errors.GrantRefused):
            GrantTokenSource(grant)()

    assert token_calls(simulator, before) == 2
    assert client.get("/accounts/").status_code == 302
    assert sign_in(client, "101")["Location"] == "/desk/"
    assert GrantTokenSource(grant)() == Grant.objects.get().access_token.open()
