"""What is left behind is found: unapplied deliveries, ghosts, orphaned spools, old rows."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Domain
from tests.calls.conftest import Deliver, arrival
from tests.calls.events import event, record
from wallboard.calls import sweeping, tasks
from wallboard.calls.models import Delivery, EventGap, Leg, Presence, Record, Subscription
from wallboard.calls.webhooks import intake, spool

START = datetime(2026, 11, 20, 12, tzinfo=UTC)
pytestmark = pytest.mark.usefixtures("redis_url")


def test_a_delivery_that_was_kept_and_not_applied_is_applied(subscription: Subscription) -> None:
    body = event("ringing").decode()
    Delivery.objects.create(identity=uuid4(), subscription=subscription, received_at=timezone.now(), body=body)

    tasks.sweep()

    assert Leg.objects.get().to_state == "ringing"
    assert Delivery.objects.filter(applied_at=None).count() == 0


def test_one_with_a_problem_is_left_alone_and_does_not_hold_up_the_next(subscription: Subscription) -> None:
    for body, problem in (("broken", "nonsense"), (event("ringing").decode(), "")):
        Delivery.objects.create(
            identity=uuid4(), subscription=subscription, received_at=START, body=body, problem=problem
        )

    tasks.sweep()

    known, fresh = Delivery.objects.order_by("pk")
    assert (known.problem, known.applied_at) == ("nonsense", None)
    assert (fresh.problem, fresh.applied_at is None) == ("", False)


def test_one_that_cannot_be_read_is_tried_once(subscription: Subscription) -> None:
    Delivery.objects.create(identity=uuid4(), subscription=subscription, received_at=START, body="broken")

    tasks.sweep()

    assert Delivery.objects.get().problem == "nonsense"


def test_a_sweep_without_anything_to_do_changes_nothing(deliver: Deliver) -> None:
    deliver(event("active"), event("ended", call="c2", leg="l2", user="102"))
    tasks.sweep()
    before = list(Leg.objects.values()), list(Presence.objects.values())

    tasks.sweep()

    assert (list(Leg.objects.values()), list(Presence.objects.values())) == before


def test_the_spool_of_a_process_that_is_gone_is_taken_over_once(
    subscription: Subscription, settings: Any, tmp_path: Path
) -> None:
    settings.SPOOL_DIR = str(tmp_path)
    bodies = [event("ringing"), event("active")]
    lines = b"".join(spool.encode_line(arrival(subscription, body)) for body in bodies)
    (tmp_path / "gone.spool").write_bytes(lines)
    (tmp_path / "copy.spool").write_bytes(lines + b"0badc0de torn li")

    tasks.sweep()

    assert Delivery.objects.count() == 2
    assert Leg.objects.get().to_state == "active"
    assert list(tmp_path.iterdir()) == []


def test_the_spool_of_a_living_process_is_left_to_it(subscription: Subscription, settings: Any, tmp_path: Path) -> None:
    settings.SPOOL_DIR = str(tmp_path)
    own = spool.Spool()
    own.append([arrival(subscription, event("ringing"))])

    tasks.sweep()
    assert Delivery.objects.count() == 0

    assert own.replay(intake.commit) == 1
    assert (Delivery.objects.count(), own.is_empty, list(tmp_path.iterdir())) == (1, True, [])


def test_a_full_spool_refuses(
    subscription: Subscription, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SPOOL_DIR = str(tmp_path)
    monkeypatch.setattr(spool, "MOST_BYTES", 1000)
    own = spool.Spool()
    own.append([arrival(subscription, event("ringing"))])

    with pytest.raises(spool.SpoolFull):
        own.append([arrival(subscription, event("active"))])


def test_a_line_comes_back_as_it_was_and_damage_is_noticed(subscription: Subscription) -> None:
    one = arrival(subscription, event("ringing", caller="\U0001f600\n\u2028"))
    raw = spool.encode_line(one)

    assert spool.decode_line(raw) == one
    assert spool.decode_line(raw[:-1]) is None
    assert spool.decode_line(raw[: len(raw) // 2]) is None
    assert spool.decode_line(raw.replace(b"ringing", b"wringin", 1)) is None


def test_old_rows_are_forgotten(domain: Domain, deliver: Deliver) -> None:
    with time_machine.travel(START, tick=False) as clock:
        deliver(event("ended"), record())
        clock.shift(timedelta(days=7, seconds=1))
        sweeping.delete_expired()
        assert (Delivery.objects.count(), Leg.objects.count(), Record.objects.count()) == (0, 1, 1)

        clock.shift(timedelta(days=400))
        sweeping.delete_expired()
        assert (Leg.objects.count(), Record.objects.count()) == (0, 0)


def test_calls_wait_two_days_for_their_callers_to_be_forgotten(domain: Domain) -> None:
    with time_machine.travel(START, tick=False) as clock:
        times = {"first_seen_at": START, "ended_at": START, "heard_at": START}
        for forgotten in (None, START):
            Leg.objects.create(domain=domain, from_call_id=str(forgotten), forgotten_at=forgotten, **times)
        clock.shift(timedelta(days=401))
        sweeping.delete_expired()
        assert Leg.objects.get().forgotten_at is None

        clock.shift(timedelta(days=2))
        sweeping.delete_expired()
        assert not Leg.objects.exists()


def test_calls_are_kept_for_as_long_as_each_company_says(domain: Domain) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="https://other.test", client_id="c")
    Domain.objects.filter(pk=domain.pk).update(log_kept_days=730)
    with time_machine.travel(START, tick=False) as clock:
        for company in (domain, other):
            Leg.objects.create(domain=company, first_seen_at=START, ended_at=START, heard_at=START, forgotten_at=START)
            for started in (None, START):
                Record.objects.create(
                    domain=company, from_call_id=str(started), to_call_id="x", started_at=started, received_at=START
                )
            EventGap.objects.create(domain=company, since=START, until=START + timedelta(minutes=1), reason="silent")
        clock.shift(timedelta(days=401))
        sweeping.delete_expired()

    assert Leg.objects.get().domain == domain
    assert [each.domain_id for each in Record.objects.all()] == [domain.pk] * 2
    assert EventGap.objects.get().domain == domain
