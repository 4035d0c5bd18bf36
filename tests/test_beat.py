"""Of several beats one sends, another takes over when that one is gone, and all of them keep time."""

from collections import Counter, defaultdict
from datetime import timedelta
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from celery.beat import Scheduler
from django.db import OperationalError

from accounts import leases
from accounts.leases import HeldLease
from accounts.models import Lease
from wallboard import beat
from wallboard.beat import LEASE_SECONDS, RENEW_SECONDS, SPREAD_FROM_SECONDS, Leadership, LeadingScheduler
from wallboard.celery import SEND_SECONDS, app, give_up_soon

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Time that stands still until a test lets it go on."""
    told = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(beat, "time", SimpleNamespace(monotonic=lambda: told.now))
    monkeypatch.setattr(beat, "close_old_connections", lambda: None)
    return told


def test_one_leads_and_another_takes_over(clock: SimpleNamespace) -> None:
    first, second = Leadership(), Leadership()
    assert (first.is_held(), second.is_held()) == (True, False)

    clock.now += RENEW_SECONDS
    assert (first.is_held(), second.is_held()) == (True, False)
    first.release()
    clock.now += RENEW_SECONDS
    assert (second.is_held(), first.is_held()) == (True, False)

    Lease.objects.update(until="2000-01-01T00:00Z")  # as after a leader that was cut off
    assert leases.acquire(beat.LEASE, 60)
    clock.now += RENEW_SECONDS
    assert not second.is_held()


def test_who_cannot_ask_leads_no_longer_than_the_lease(clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    leader = Leadership()
    assert leader.is_held()

    def away(*_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(HeldLease, "renew", away)
    monkeypatch.setattr(beat, "connection", SimpleNamespace(close=lambda: None))
    clock.now += RENEW_SECONDS
    assert leader.is_held()
    clock.now += LEASE_SECONDS
    assert not leader.is_held()


def test_only_the_leader_sends_and_both_keep_time(clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(Scheduler, "apply_entry", lambda self, entry, producer=None: sent.append(self))
    monkeypatch.setattr(Scheduler, "tick", lambda self: self.apply_entry("poll") or 60.0)
    first, second = (LeadingScheduler(app, lazy=True) for _ in range(2))

    assert (first.tick(), second.tick()) == (RENEW_SECONDS, RENEW_SECONDS)
    assert sent == [first]
    first.close()
    clock.now += RENEW_SECONDS
    second.tick()
    assert sent == [first, second]


def test_tasks_begin_at_moments_of_their_own_and_none_later_than_once_in_its_interval() -> None:
    began = app.now()
    entries: dict[str, Any] = LeadingScheduler(app).schedule
    due: dict[float, list[float]] = defaultdict(list)
    for entry in entries.values():
        seconds = entry.schedule.run_every.total_seconds()
        due[seconds].append((entry.last_run_at - began).total_seconds() + seconds)

    assert all(0 <= at <= seconds + 1 for seconds, moments in due.items() for at in moments)
    often = {seconds: moments for seconds, moments in due.items() if seconds < SPREAD_FROM_SECONDS}
    assert all(at > seconds - 0.1 for seconds, moments in often.items() for at in moments)
    minutely = sorted(due[60.0])
    assert len(minutely) > 5
    assert min(after - before for before, after in pairwise(minutely)) > 1


def test_a_clock_that_is_set_back_stops_nothing(clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    began, shift = app.now(), timedelta(0)
    monkeypatch.setattr(app, "now", lambda: began + timedelta(seconds=clock.now) + shift)
    monkeypatch.setattr(LeadingScheduler, "producer", None)
    sent = Counter[str]()
    monkeypatch.setattr(Scheduler, "apply_entry", lambda self, entry, producer=None: sent.update([entry.name]))
    scheduler = LeadingScheduler(app)

    def sent_in(minutes: int) -> int:
        before = sent.total()
        for _ in range(60 * minutes):
            clock.now += 1
            while scheduler.tick() == 0:
                pass
        return sent.total() - before

    sent_in(2)
    usual = sent_in(2)
    shift = timedelta(hours=-1)

    assert usual > 0
    assert sent_in(2) == pytest.approx(usual, rel=0.1)


def test_a_beat_does_not_wait_for_a_redis_that_is_cut_off() -> None:
    before = app.conf.broker_transport_options
    try:
        app.conf.broker_transport_options = {"master_name": "main", "socket_timeout": 15}
        give_up_soon()
        after = app.conf.broker_transport_options
    finally:
        app.conf.broker_transport_options = before

    assert after == {"master_name": "main", "socket_timeout": SEND_SECONDS}
    assert SEND_SECONDS < LEASE_SECONDS
