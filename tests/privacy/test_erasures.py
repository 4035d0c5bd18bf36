"""Erasing as a job: the request only plans it, a worker takes the steps, another one goes on where it died."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from kombu.exceptions import OperationalError

from accounts.models import AuditEntry, Domain, Person
from tests.desk.conftest import HANNA, Company
from tests.privacy.caller_data import everywhere, fill, hanna
from wallboard.calls.models import Leg
from wallboard.calls.retention.retention import NotNow
from wallboard.calls.retention.traces import GoOn, Trace
from wallboard.contacts import address_book
from wallboard.contacts.address_book import ContactInput
from wallboard.contacts.models import Contact
from wallboard.privacy import erasing, erasures, tasks
from wallboard.privacy.models import Erasure

State = Erasure.State


class Killed(BaseException):
    """The worker died."""


@pytest.fixture
def admin(company: Company, signed_in: Any) -> Client:
    company.mia.role = Person.Role.ADMINISTRATOR
    company.mia.save()
    client: Client = signed_in(company.mia)
    return client


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: Any, **_options: Any) -> None:
        raise OperationalError

    monkeypatch.setattr(tasks.erase_number, "apply_async", refuse)


def dies_after(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    whole = erasing.steps

    def die() -> dict[str, int]:
        raise Killed

    def steps(*arguments: Any) -> list[erasing.Step]:
        found = whole(*arguments)
        return [*found[:step], erasing.Step(die), *found[step + 1 :]]

    monkeypatch.setattr(erasing, "steps", steps)


def page(admin: Client) -> Any:
    return admin.get("/setup/privacy/")


@pytest.mark.usefixtures("no_broker")
def test_without_a_worker_the_page_says_that_it_waits_for_one(company: Company, admin: Client) -> None:
    company.leg(minutes_ago=30, talked=60)
    with time_machine.travel("2026-11-20 12:00", tick=False) as clock:
        Leg.objects.update(ended_at="2026-11-20T11:00:00Z")
        admin.post("/setup/privacy/erase/", {"number": HANNA, "sure": "1"})
        assert "Waits for the worker." in page(admin).content.decode()
        assert page(admin)["Refresh"] == "2"

        clock.shift(16)
        assert "none has begun it" in page(admin).content.decode()
        assert everywhere(company.domain.pk)
        erasures.run_due()

    with time_machine.travel("2026-11-20 12:01", tick=False):
        done = page(admin)
        assert "is erased from 1 phones\u0027 calls" in done.content.decode().replace("&#x27;", "\u0027")
        assert "Refresh" not in done
    assert everywhere(company.domain.pk) == []


def test_the_number_is_sealed_until_it_is_gone_and_the_log_names_who_asked(company: Company, admin: Client) -> None:
    company.leg(minutes_ago=30, talked=60)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks.erase_number, "apply_async", lambda *_arguments, **_options: None)
        admin.post("/setup/privacy/erase/", {"number": HANNA, "sure": "1"})
    assert "901820" not in str(Erasure.objects.values())

    erasures.run_due()

    assert str(Erasure.objects.get().number) == ""
    asked, erased = AuditEntry.objects.filter(what__contains="eras").order_by("pk")
    assert (asked.what, erased.what) == ("erasing asked for", "number erased")
    assert asked.who == erased.who == "102 Mia"


@pytest.mark.parametrize("step", [0, 1, 4, 9])
def test_another_worker_goes_on_where_one_died(company: Company, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    fill(company)
    erasures.create(company.domain, hanna())
    with monkeypatch.context() as patch:
        dies_after(patch, step)
        with pytest.raises(Killed):
            erasures.run_due()
    assert Erasure.objects.get().step == step
    erasures.run_due()
    assert Erasure.objects.get().state == State.RUNNING, "it may still live"

    # Written meanwhile, in what was looked through already and in what was not.
    address_book.save(company.domain, ContactInput("Other", numbers=("+4989111222",)))
    Erasure.objects.update(heard_at=Erasure.objects.get().heard_at - timedelta(seconds=121))
    erasures.run_due()

    done = Erasure.objects.get()
    assert (done.state, done.step) == (State.DONE, done.steps)
    assert (done.counts["calls"], done.counts["notes"], done.counts["contacts"]) == (1, 1, 1)
    assert everywhere(company.domain.pk) == []
    assert Contact.objects.filter(name="Other").exists()
    assert AuditEntry.objects.filter(what="number erased").count() == 1


def with_step(monkeypatch: pytest.MonkeyPatch, take: Callable[[GoOn], None]) -> None:
    """Erasing ends with a step that does this."""
    whole = erasing.steps

    def steps(domain: Domain, trace: Trace, go_on: GoOn) -> list[erasing.Step]:
        def last() -> dict[str, int]:
            take(go_on)
            return {"others": 1}

        return [*whole(domain, trace, go_on), erasing.Step(last)]

    monkeypatch.setattr(erasing, "steps", steps)


def test_a_long_step_that_goes_on_is_not_begun_by_another(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    erasures.create(company.domain, hanna())
    begun: list[int] = []

    def take(go_on: GoOn) -> None:
        begun.append(1)
        for _piece in range(3):
            clock.shift(61)
            erasures.run_due()
            go_on()

    with_step(monkeypatch, take)
    with time_machine.travel("2026-11-20 12:00", tick=False) as clock:
        erasures.run_due()

    assert len(begun) == 1
    assert Erasure.objects.get().state == State.DONE


@pytest.mark.parametrize("asks", [True, False])
@pytest.mark.parametrize("ends_badly", [True, False])
def test_whoever_was_taken_for_dead_leaves_the_end_to_the_other(
    company: Company, monkeypatch: pytest.MonkeyPatch, asks: bool, ends_badly: bool
) -> None:
    erasures.create(company.domain, hanna())
    begun: list[int] = []
    gone_on: list[int] = []

    def take(go_on: GoOn) -> None:
        begun.append(1)
        if len(begun) == 1:
            clock.shift(121)
            erasures.run_due()
            clock.shift(11)
            if asks:
                go_on()
                gone_on.append(1)
            if ends_badly:
                raise NotNow

    with_step(monkeypatch, take)
    with time_machine.travel("2026-11-20 12:00", tick=False) as clock:
        erasures.run_due()

    assert (len(begun), gone_on) == (2, [])
    done = Erasure.objects.get()
    assert (done.state, done.step, done.counts["others"]) == (State.DONE, done.steps, 1)
    assert AuditEntry.objects.filter(what="number erased").count() == 1


def test_what_is_written_while_it_waits_goes_too(company: Company) -> None:
    erasures.create(company.domain, hanna())
    company.leg(minutes_ago=30, talked=60)
    address_book.save(company.domain, ContactInput("Hanna", numbers=(HANNA,)))
    assert everywhere(company.domain.pk)

    erasures.run_due()

    assert everywhere(company.domain.pk) == []


def test_what_cannot_be_erased_any_more_is_told(company: Company) -> None:
    erasures.create(company.domain, hanna())
    company.leg()

    erasures.run_due()

    refused = Erasure.objects.get()
    assert (refused.state, str(refused.number)) == (State.REFUSED, "")
    assert "still going on" in refused.refusal
    with pytest.raises(NotNow):
        erasures.create(company.domain, hanna())


def test_asked_twice_it_is_done_once(company: Company) -> None:
    first, second = (erasures.create(company.domain, hanna()) for _ in range(2))

    assert first == second
    erasures.run(first.pk)
    erasures.run(first.pk)
    assert AuditEntry.objects.filter(what="number erased").count() == 1


def test_what_was_done_is_shown_for_a_week(company: Company) -> None:
    erasures.create(company.domain, hanna())
    erasures.run_due()
    erasures.delete_old(company.domain)
    assert len(erasures.recent(company.domain)) == 1

    Erasure.objects.update(made_at=Erasure.objects.get().made_at - timedelta(days=8))
    erasures.delete_old(company.domain)

    assert not Erasure.objects.exists()
