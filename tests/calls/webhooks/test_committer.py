"""The thread that commits survives whatever happens, and spools are applied by whoever is there."""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from accounts.encryption import sealed
from accounts.models import Domain
from tests.calls.conftest import arrival, make_subscription
from tests.calls.events import event
from wallboard import health
from wallboard.calls.models import Delivery, Subscription
from wallboard.calls.webhooks import committer as committing
from wallboard.calls.webhooks import intake, spool
from wallboard.calls.webhooks.committer import Committer
from wallboard.live import loops

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis_url")]


@pytest.fixture
def folder(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings.SPOOL_DIR = str(tmp_path)
    monkeypatch.setattr(committing, "TRY_AGAIN_SECONDS", 0.05)
    monkeypatch.setattr(committing, "ORPHANS_EVERY_SECONDS", 0.1)
    return tmp_path


@pytest.fixture
def committer(folder: Path) -> Iterator[Committer]:
    fresh = Committer()
    yield fresh
    fresh.stop()


@pytest.fixture
def known(transactional_db: None) -> Subscription:
    domain = Domain.objects.create(
        slug="acme", name="Acme", base_url="http://127.0.0.1:1", client_id="id", client_secret=sealed("secret")
    )
    return make_subscription(domain, "calls")


def eventually(condition: Any) -> None:
    for _ in range(200):
        if condition():
            return
        time.sleep(0.05)
    assert condition()


def fail(_: object) -> Any:
    raise RuntimeError("a fault nobody thought of")


def test_a_spool_file_that_cannot_be_applied_is_set_aside_and_the_thread_goes_on(
    known: Subscription, committer: Committer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(intake, "commit", fail)
        assert committer.write_to_spool([arrival(known, event("ringing"))])
        committer.start()
        eventually(lambda: spool.set_aside_count() == 1)

    assert [path.suffix for path in folder.iterdir()] == [".failed"]
    committer.write_to_spool([arrival(known, event("active"))])
    eventually(lambda: Delivery.objects.count() == 1)


def test_a_fault_of_the_thread_itself_is_counted_and_survived(
    known: Subscription, committer: Committer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = loops.faults().get("calls-committer", 0)
    with monkeypatch.context() as patch:
        patch.setattr(Committer, "_replay", fail)
        committer.start()
        eventually(lambda: loops.faults()["calls-committer"] > before)

    committer.write_to_spool([arrival(known, event("ringing"))])
    eventually(lambda: Delivery.objects.count() == 1)


def test_the_next_process_takes_an_orphaned_spool_over(known: Subscription, committer: Committer, folder: Path) -> None:
    (folder / "gone.spool").write_bytes(spool.encode_line(arrival(known, event("ringing"))))

    committer.start()

    eventually(lambda: Delivery.objects.count() == 1)
    eventually(lambda: list(folder.iterdir()) == [])


def test_a_spool_file_that_vanished_is_applied_all_the_same_and_is_no_error(
    known: Subscription, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    own = spool.Spool()
    own.append([arrival(known, event("ringing"))])
    [path] = folder.iterdir()
    path.unlink()

    assert own.replay(intake.commit) == 1
    assert (Delivery.objects.count(), own.is_empty) == (1, True)
    assert "Spool" not in caplog.text
    assert "spool" not in caplog.text


def test_a_spool_that_nobody_applies_is_a_reason_not_to_be_ready(folder: Path) -> None:
    path = folder / "gone.spool"
    path.write_bytes(b"")
    assert not [reason for reason in health.reasons() if "SPOOL_DIR" in reason]

    os.utime(path, (time.time() - 90, time.time() - 90))

    assert [reason for reason in health.reasons() if "SPOOL_DIR" in reason] == [
        "Deliveries wait in SPOOL_DIR for 90 s and nobody applies them."
    ]


@pytest.mark.parametrize(("last", "waiting"), [(1, 0), (3, 2), (20, 19), (20, 30)])
def test_nobody_waits_for_more_where_few_came_or_all_are_here(
    last: int, waiting: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = Committer()
    monkeypatch.setattr(fresh._enough, "wait", fail)
    fresh._last_size, fresh._last_took, fresh.batches = last, 10.0, 1
    for _ in range(waiting):
        fresh._queue.put(None)

    fresh._gather()


def test_under_load_a_transaction_waits_until_no_more_come(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = Committer()
    fresh._last_size, fresh._last_took = 40, 10.0
    arriving = [20, 18, 0]

    def wait(_: float) -> bool:
        for _ in range(arriving.pop(0)):
            fresh._queue.put(None)
        return False

    monkeypatch.setattr(fresh._enough, "wait", wait)
    monkeypatch.setattr(committing, "LONGEST_GATHER_SECONDS", 10.0)
    fresh._gather()

    assert (fresh._queue.qsize(), arriving) == (38, [])


def test_under_load_a_transaction_begins_as_soon_as_as_many_are_here_as_the_last_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(committing, "STEP_SECONDS", 60.0)
    monkeypatch.setattr(committing, "LONGEST_GATHER_SECONDS", 60.0)
    fresh = Committer()
    monkeypatch.setattr(fresh, "start", lambda: None)
    fresh._last_size, fresh._last_took, fresh.batches = 20, 60.0, 1
    gathering = threading.Thread(target=fresh._gather, daemon=True)
    gathering.start()

    for _ in range(19):
        assert gathering.is_alive()
        fresh.submit(Mock(arrival=Mock(body="{}")))
    gathering.join(5)

    assert not gathering.is_alive()


def test_now_and_then_it_waits_for_those_who_missed_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = Committer()
    fresh._last_size, fresh._last_took, fresh.batches = 20, 10.0, 16
    arriving = [20, 19, 0]

    def wait(_: float) -> bool:
        for _ in range(arriving.pop(0)):
            fresh._queue.put(None)
        return False

    monkeypatch.setattr(fresh._enough, "wait", wait)
    monkeypatch.setattr(committing, "LONGEST_GATHER_SECONDS", 10.0)
    fresh._gather()

    assert (fresh._queue.qsize(), arriving) == (39, [])
