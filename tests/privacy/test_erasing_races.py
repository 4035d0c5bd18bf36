"""Forgetting beside writers: whatever is delivered while it goes on, no stranger comes back and no call is lost."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import timedelta

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone

from tests.calls.events import event
from tests.desk.conftest import HANNA, make_company
from tests.privacy.caller_data import hanna
from wallboard.calls import leg_store, legs
from wallboard.calls.models import Leg
from wallboard.privacy import erasing, erasures
from wallboard.privacy.models import Erasure
from wallboard.telephony import messages

pytestmark = pytest.mark.django_db(transaction=True)
CALLS = 40


def closing(work: Callable[[], None]) -> Callable[[], None]:
    """The work of a thread, which takes its database connection with it."""

    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    return run


def test_old_calls_are_forgotten_while_their_last_words_come_in() -> None:
    company = make_company("brandt")
    company.domain.calls_kept_days = 1
    company.domain.save()
    for number in range(CALLS):
        company.leg(call=f"c{number}", to_call_id="l1", minutes_ago=5 * 24 * 60, talked=9)
    at = timezone.now() - timedelta(days=5)

    def deliver() -> None:
        for number in [*range(CALLS), *range(CALLS)]:
            told = messages.read(event("ended", call=f"c{number}", caller=HANNA, user="102", caller_name="Hanna"))
            assert isinstance(told, messages.CallEvent)
            with transaction.atomic():
                leg_store.lock_domains([company.domain.pk])
                leg_store.merge_facts(
                    company.domain, {(f"c{number}", "l1"): legs.facts_of_event(told, at - timedelta(seconds=number))}
                )

    def forget() -> None:
        while not erasing.apply_retention(company.domain):
            continue

    with ThreadPoolExecutor(3) as pool:
        for running in [pool.submit(closing(work)) for work in (deliver, forget, deliver)]:
            running.result(60)

    assert Leg.objects.count() == CALLS
    assert not Leg.objects.filter(caller_e164=HANNA).exists()
    assert not Leg.objects.filter(from_number=HANNA).exists()
    assert not Leg.objects.exclude(from_name="").exists()


def test_a_long_step_in_one_transaction_is_not_begun_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":  # SQLite has one writer anyway
        return
    erasures.create(make_company("brandt").domain, hanna())
    begun: list[int] = []
    others: list[Future[None]] = []

    def take() -> dict[str, int]:
        begun.append(1)
        # Ahead of its time, another worker takes this one for dead.
        clock.shift(121)
        others.append(pool.submit(closing(erasures.run_due)))
        assert not wait(others, 1).done
        return {"calls": 1}

    monkeypatch.setattr(erasing, "steps", lambda *_: [erasing.Step(take, is_atomic=True)])
    with ThreadPoolExecutor(1) as pool, time_machine.travel(timezone.now(), tick=False) as clock:
        erasures.run_due()
        others[0].result(60)

    assert len(begun) == 1
    assert Erasure.objects.get().state == Erasure.State.DONE
