"""A web process says that it takes deliveries; for how long none did, and what was refused, becomes a gap."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection

from accounts.models import Domain
from tests.calls.conftest import START, make_subscription
from tests.calls.gaps.test_recording import stored
from wallboard.calls.models import Subscription
from wallboard.calls.webhooks import intake_watch, receive
from wallboard.calls.webhooks.hook_secrets import HookTarget
from wallboard.calls.webhooks.intake_watch import IntakeWatch


@pytest.fixture(autouse=True)
def subscription(domain: Domain) -> Subscription:
    return make_subscription(domain, "calls", ready_at=START)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def break_database() -> None:
        def refuse(*arguments: object) -> None:
            raise DatabaseError

        monkeypatch.setattr(intake_watch, "_prove", refuse)
        # Closing it would end the transaction of the test.
        monkeypatch.setattr(connection, "close", lambda: None)

    return break_database


def beat_until(watch: IntakeWatch, clock: Any, seconds: int) -> None:
    for _ in range(0, seconds, 5):
        clock.shift(5)
        watch.beat()


def test_the_time_in_which_no_process_took_deliveries_is_a_gap(domain: Domain, clock: Any) -> None:
    beat_until(IntakeWatch(), clock, 20)
    clock.shift(100)

    beat_until(IntakeWatch(), clock, 20)

    assert stored(domain) == [(20, 120, "stopped")]


def test_while_another_process_takes_them_nothing_is_missing(domain: Domain, clock: Any) -> None:
    lasting = IntakeWatch()
    beat_until(IntakeWatch(), clock, 20)
    beat_until(lasting, clock, 60)

    beat_until(IntakeWatch(), clock, 20)

    assert stored(domain) == []


def test_a_database_that_is_away_is_no_gap_while_the_spool_takes_them(
    domain: Domain, clock: Any, settings: Any, tmp_path: Any, broken: Callable[[], None], monkeypatch: Any
) -> None:
    settings.SPOOL_DIR = str(tmp_path)
    assert went_away(domain, clock, broken, monkeypatch) == []


def test_a_database_that_is_away_is_a_gap_without_a_spool(
    domain: Domain, clock: Any, settings: Any, broken: Callable[[], None], monkeypatch: Any
) -> None:
    settings.SPOOL_DIR = ""
    assert went_away(domain, clock, broken, monkeypatch) == [(20, 65, "stopped")]


def went_away(domain: Domain, clock: Any, broken: Callable[[], None], monkeypatch: Any) -> object:
    """From 20 s to 60 s after START."""
    watch = IntakeWatch()
    beat_until(watch, clock, 20)
    broken()
    beat_until(watch, clock, 40)
    monkeypatch.undo()
    beat_until(watch, clock, 20)
    return stored(domain)


def test_a_process_that_stood_still_took_nothing_meanwhile(domain: Domain, clock: Any) -> None:
    watch = IntakeWatch()
    beat_until(watch, clock, 20)
    clock.shift(60)
    watch._beat_at -= 60

    watch.beat()

    assert stored(domain) == [(20, 80, "stopped")]


@pytest.mark.parametrize("announced", ["2000000", "nonsense"])
async def test_what_is_refused_with_a_right_secret_is_a_gap(monkeypatch: pytest.MonkeyPatch, announced: str) -> None:
    watch = IntakeWatch()
    monkeypatch.setattr(intake_watch, "watch", watch)

    async def find(secret: str, sender: object) -> HookTarget:
        return HookTarget(1, 7)

    async def body() -> bytes:
        return b""

    monkeypatch.setattr(receive.hook_secrets, "find", find)

    assert await receive.answer("secret", "POST", announced, body) == receive.TOO_LARGE
    assert list(watch._refused) == [7]


def test_refusals_are_written_with_the_next_beat(domain: Domain, clock: Any) -> None:
    watch = IntakeWatch()
    watch.refused(domain.pk)
    clock.shift(timedelta(seconds=4))
    watch.refused(domain.pk)
    watch.refused(domain.pk + 1)

    watch.beat()
    watch.beat()

    assert stored(domain) == [(0, 4, "refused")]
