"""Many companies: each has its own moment, none waits for another one's provider, and a poll costs few statements."""

import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Domain
from accounts.spreading import phases
from accounts.spreading.runner import Runner
from tests.queues.conftest import Answer, Read, row
from wallboard.alerts import lifecycle
from wallboard.celery import app
from wallboard.demo.processes import wait_until
from wallboard.queues import pacing, polling, tasks
from wallboard.queues.models import PollState, Reading
from wallboard.queues.rounds import polls

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def eager() -> Iterator[None]:
    """Tasks run at once, in this process."""
    app.conf.task_always_eager = app.conf.task_eager_propagates = True
    yield
    app.conf.task_always_eager = app.conf.task_eager_propagates = False


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    """The places of a worker, for as long as the test lasts."""
    fresh = Runner("test", 8)
    monkeypatch.setattr(Runner, "is_worker", True)
    monkeypatch.setattr(polls, "runner", fresh)
    yield fresh
    monkeypatch.setattr(Runner, "is_ending", True)
    fresh.drain(time.monotonic() + 5)


def companies(count: int, base_url: str = "http://one.test") -> list[Domain]:
    made = [Domain(slug=f"c{n}", name=f"C{n}", base_url=base_url, client_id="id") for n in range(count)]
    return Domain.objects.bulk_create(made)


def tried(domain: Domain, at: datetime, **columns: object) -> None:
    PollState.objects.update_or_create(domain=domain, defaults={"tried_at": at, **columns})


def seconds_from(domain_id: int, at: datetime) -> float:
    """In how many seconds this one is read, by what the database says."""
    return pacing.seconds_until_due(pacing.connected().get(pk=domain_id), at)


def test_a_thousand_companies_are_read_evenly_over_the_interval() -> None:
    seconds = sorted(phases.seconds_until(number, 5.0, NOW.timestamp()) for number in range(1, 1001))

    in_each_second = [sum(second <= each < second + 1 for each in seconds) for second in range(5)]
    assert all(195 <= count <= 205 for count in in_each_second)
    assert max(after - before for before, after in pairwise(seconds)) < 0.02


def test_a_company_keeps_its_moment_and_another_installation_has_another(settings: Any) -> None:
    first, again = (phases.seconds_until(7, 5.0, NOW.timestamp() + passed) for passed in (0.0, 5.0 * 720))
    settings.PUBLIC_URL = "https://elsewhere.example"

    assert first == pytest.approx(again, abs=1e-4)
    assert phases.seconds_until(7, 5.0, NOW.timestamp()) != pytest.approx(first, abs=1e-4)


@pytest.mark.django_db
def test_who_was_read_at_another_moment_comes_back_to_its_own_within_five_polls() -> None:
    for domain in companies(20):
        at = NOW
        for _ in range(5):
            tried(domain, at)
            seconds = seconds_from(domain.pk, at)
            assert 4.5 <= seconds <= 6
            at += timedelta(seconds=seconds)

        tried(domain, at)
        assert phases.nearest(domain.pk, 5.0, at.timestamp()) == pytest.approx(0, abs=0.001)
        assert seconds_from(domain.pk, at) == pytest.approx(5, abs=0.001)


@pytest.mark.django_db
def test_each_is_planned_once_at_its_moment_and_who_is_late_at_once() -> None:
    on_time, late, paused, far, unconnected = companies(5)
    tried(on_time, NOW - timedelta(seconds=2))
    tried(late, NOW - timedelta(seconds=60))
    tried(paused, NOW - timedelta(seconds=1), not_before=NOW + timedelta(seconds=3), failures=2, failure="unreachable")
    tried(far, NOW, not_before=NOW + timedelta(seconds=20), failures=5)
    Domain.objects.filter(pk=unconnected.pk).update(client_id="")

    found = {each.domain_id: each for each in polls.due(NOW)}

    assert set(found) == {on_time.pk, late.pk, paused.pk}
    assert found[late.pk].seconds == 0
    assert 2.4 <= found[on_time.pk].seconds <= 4.1
    # Where the first one's moment lies just behind it, which depends on their numbers, they are read together.
    assert 3.0 <= found[paused.pk].seconds <= 3.0 + polls.LONGEST_WAIT_SECONDS
    assert found[paused.pk].is_failing
    assert found[on_time.pk].provider == "one.test"


@pytest.mark.django_db
def test_who_is_due_is_found_in_one_query_without_reading_figures() -> None:
    for domain in companies(30):
        tried(domain, NOW)

    with CaptureQueriesContext(connection) as asked:
        polls.due(NOW)

    assert len(asked) == 1
    assert "figures" not in asked[0]["sql"]


def test_many_are_shared_out_evenly_in_number_and_in_time() -> None:
    found = [polls.Due(number, number / 40, "one.test", False) for number in range(200)]

    shares = list(polls.shares(found))

    assert [len(share) for share in shares] == [50, 50, 50, 50]
    assert all(share[0].seconds < 0.1 and share[-1].seconds > 4.8 for share in shares)
    assert sorted(each for share in shares for each in share) == found


@pytest.mark.django_db
def test_shares_travel_as_tasks_and_each_company_is_read(
    eager: None, monkeypatch: pytest.MonkeyPatch, redis_url: str
) -> None:
    domains, read = companies(polls.SHARE + 1), list[int]()
    monkeypatch.setattr(polling, "poll_by_id", lambda domain_id: read.append(domain_id))

    tasks.poll_queues()

    assert sorted(read) == [domain.pk for domain in domains]


@pytest.mark.parametrize("failure", [None, RuntimeError()], ids=["read", "broken"])
def test_alerts_are_judged_after_each_reading_in_its_thread(
    monkeypatch: pytest.MonkeyPatch, failure: Exception | None
) -> None:
    app.loader.import_default_modules()
    judged = list[tuple[int, threading.Thread]]()
    monkeypatch.setattr(polling, "poll_by_id", Mock(side_effect=failure, return_value=2.5))
    monkeypatch.setattr(lifecycle, "apply_newest", lambda pk: judged.append((pk, threading.current_thread())))

    with nullcontext() if failure is None else pytest.raises(RuntimeError):
        assert tasks._read(7) == 2.5

    assert judged == [(7, threading.current_thread())]


def test_a_provider_that_hangs_delays_no_other_company(runner: Runner) -> None:
    began, read = time.monotonic(), dict[int, float]()

    def poll(domain_id: int) -> float | None:
        if domain_id >= 100:
            time.sleep(2)
            return 30.0
        read[domain_id] = time.monotonic() - began
        return None

    # Forty companies of the provider that hangs, more than there are places, and all of them before the others.
    hanging = [polls.Due(100 + number, 0.0, "dead.test", False) for number in range(40)]
    polls.plan(hanging, poll)
    polls.plan([polls.Due(number, 0.05, f"{number % 3}.test", False) for number in range(30)], poll)

    assert wait_until(lambda: len(read) == 30, 10)
    assert max(read.values()) < 2, "they waited until the provider that hangs gave up"


def test_a_failed_read_is_tried_again_when_that_is_before_the_next_round(runner: Runner) -> None:
    at = list[float]()

    def poll(domain_id: int) -> float | None:
        at.append(time.monotonic())
        return 0.2 if len(at) == 1 else None

    polls.plan([polls.Due(1, 0.0, "one.test", False)], poll)

    assert wait_until(lambda: len(at) == 2, 10)
    assert at[1] - at[0] >= 0.2


def test_a_read_that_is_planned_or_under_way_is_not_begun_twice(runner: Runner) -> None:
    begun = list[int]()

    def poll(domain_id: int) -> float | None:
        begun.append(domain_id)
        time.sleep(0.3)
        return None

    for _ in range(5):
        polls.plan([polls.Due(1, 0.05, "one.test", False)], poll)
        time.sleep(0.05)
    assert wait_until(lambda: not runner._known, 10)

    assert begun == [1]


def test_one_that_fails_in_a_way_nobody_thought_of_frees_its_place(
    runner: Runner, caplog: pytest.LogCaptureFixture
) -> None:
    def poll(domain_id: int) -> float | None:
        raise ZeroDivisionError

    polls.plan([polls.Due(number, 0.0, "one.test", False) for number in range(20)], poll)

    assert wait_until(lambda: not runner._known, 10)
    assert len(caplog.records) == 20
    caplog.clear()


def test_a_machine_without_threads_left_keeps_what_was_planned(
    runner: Runner, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    read = list[int]()

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", Mock(side_effect=RuntimeError("can't start new thread")))
        polls.plan([polls.Due(1, 0.0, "one.test", False)], read.append)
    polls.plan([polls.Due(2, 0.0, "one.test", False)], read.append)

    assert wait_until(lambda: read == [1, 2], 10)
    assert len(caplog.records) == 1
    caplog.clear()


def test_a_clock_that_was_set_back_puts_nobody_off(runner: Runner) -> None:
    read = list[int]()

    polls.plan([polls.Due(1, 0.1, "one.test", False)], read.append, ago=-3600)

    assert wait_until(lambda: read == [1], 10)


def test_a_worker_that_ends_waits_for_what_is_under_way_and_begins_nothing(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = list[int](), list[int]()

    def poll(domain_id: int) -> float | None:
        begun.append(domain_id)
        time.sleep(0.5)
        ended.append(domain_id)
        return None

    polls.plan([polls.Due(1, 0.0, "one.test", False), polls.Due(2, 0.2, "one.test", False)], poll)
    assert wait_until(lambda: begun == [1], 10)
    monkeypatch.setattr(Runner, "is_ending", True)
    runner.drain(time.monotonic() + 10)

    assert (begun, ended) == ([1], [1])


@pytest.mark.django_db
def test_a_poll_takes_few_statements_and_writes_what_it_read(domain: Domain, answer: Answer, read: Read) -> None:
    read(row("8001", 2), row("8002", 1))
    PollState.objects.update(tried_at=None)
    answer(row("8001", 3), row("8002", 1))

    with CaptureQueriesContext(connection) as asked:
        polling.poll(domain)

    statements = [each["sql"] for each in asked if not each["sql"].startswith(("SAVEPOINT", "RELEASE", "BEGIN"))]
    # On PostgreSQL one takes the lease and reads, one locks and reads, one writes and releases.
    assert len(statements) == (3 if connection.vendor == "postgresql" else 9), statements
    assert Reading.objects.count() == 2
