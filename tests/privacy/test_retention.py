"""What is past its time loses its strangers; counts stay as they were."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from accounts import audit
from accounts.models import AuditEntry
from tests.desk.conftest import HANNA, Company
from tests.privacy.caller_data import DAY, DIGITS, delivery, keeps, record_of
from wallboard.calls import legs, sweeping
from wallboard.calls.models import Delivery, Leg
from wallboard.calls.retention import retention as calls
from wallboard.contacts import address_book
from wallboard.contacts.address_book import ContactInput
from wallboard.contacts.models import Contact
from wallboard.desk.models import CallBack, Note, Outcome
from wallboard.privacy import erasing


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(datetime(2026, 11, 20, 12, tzinfo=UTC), tick=False) as travel:
        yield travel


def test_old_calls_lose_their_strangers_and_keep_all_else(company: Company, clock: Any) -> None:
    leg = company.leg(minutes_ago=3 * DAY, talked=60, queue="")
    record = record_of(leg)
    young = company.leg(minutes_ago=DAY, talked=60)
    before: dict[str, Any] = {**Leg.objects.values().get(pk=leg.pk)}

    assert erasing.apply_retention(keeps(company, calls=2)) is True

    after: dict[str, Any] = {**Leg.objects.values().get(pk=leg.pk)}
    assert {name for name in after if after[name] != before[name]} == {
        *("from_number", "from_name", "caller_e164", "forgotten_at"),
    }
    record.refresh_from_db()
    assert (record.from_number, record.from_name) == (after["from_number"], "")
    young.refresh_from_db()
    assert (young.from_number, young.caller_e164, young.forgotten_at) == (HANNA, HANNA, None)


def test_for_ever_is_for_ever(company: Company, clock: Any) -> None:
    company.leg(minutes_ago=300 * DAY, talked=60)

    assert erasing.apply_retention(keeps(company)) is True

    assert Leg.objects.get().caller_e164 == HANNA


def test_days_end_at_the_companys_midnight(company: Company, clock: Any) -> None:
    """It is 13:00 in Berlin. With one day kept, yesterday stays and the evening before goes."""
    stays, goes = company.leg(minutes_ago=36 * 60, rang=1), company.leg(minutes_ago=37 * 60 + 1, rang=1)

    erasing.apply_retention(keeps(company, calls=1))

    for leg in (stays, goes):
        leg.refresh_from_db()
    assert (stays.forgotten_at, goes.forgotten_at) == (None, timezone.now())


def test_callers_can_still_be_told_apart(company: Company, clock: Any) -> None:
    for number in (HANNA, HANNA, "+4989111222"):
        company.leg(minutes_ago=5 * DAY, rang=9, from_number=number, caller_e164=number)

    erasing.apply_retention(keeps(company, calls=1))

    first, second, third = Leg.objects.order_by("pk").values_list("caller_e164", flat=True)
    assert first == second != third
    assert first.startswith("anon-")
    assert not any(character.isdigit() for character in first + third)


@pytest.mark.parametrize(
    ("ends", "direction", "stays"),
    [
        ({}, "in", {"to_user": "102"}),
        ({"to_number": "800", "to_user": "800", "queue": "800"}, "in", {"to_number": "800"}),
        ({"from_user": "101", "from_number": "sip:101@x", "from_name": "Ana", "to_user": "", "to_number": HANNA}, "out",
         {"from_number": "sip:101@x", "from_name": "Ana"}),
        ({"from_user": "101", "from_name": "Ana", "from_number": "101", "on_net": True}, "internal",
         {"from_number": "101", "from_name": "Ana"}),
        ({"from_user": "101", "from_number": HANNA, "on_net": False}, "in", {"to_user": "102"}),
    ],
)  # fmt: skip
def test_only_the_stranger_goes_and_the_direction_stays(
    company: Company, clock: Any, ends: dict[str, Any], direction: str, stays: dict[str, Any]
) -> None:
    leg = company.leg(minutes_ago=5 * DAY, talked=9, **({"to_number": ""} | ends))
    assert legs.direction(leg) == direction

    erasing.apply_retention(keeps(company, calls=1))

    leg.refresh_from_db()
    assert legs.direction(leg) == direction
    assert {name: getattr(leg, name) for name in stays} == stays
    assert DIGITS not in str(Leg.objects.filter(pk=leg.pk).exclude(caller_e164="101").values())


def test_a_run_is_bounded_and_the_next_one_goes_on(
    company: Company, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in range(3, 9):
        company.leg(minutes_ago=day * DAY, rang=9, from_number=f"+49301110{day:02}", caller_e164=f"+49301110{day:02}")
    monkeypatch.setattr(calls, "BATCH", 2)
    monkeypatch.setattr(erasing, "LONGEST_RUN_SECONDS", 0.5)
    ticks = iter([0, 0.1, 0.2, 9])
    monkeypatch.setattr("wallboard.privacy.erasing.time.monotonic", lambda: next(ticks, 99))
    domain = keeps(company, calls=1)

    assert erasing.apply_retention(domain) is False
    assert Leg.objects.filter(forgotten_at=None).count() == 2
    monkeypatch.setattr("wallboard.privacy.erasing.time.monotonic", lambda: 0)
    assert erasing.apply_retention(domain) is True

    assert not Leg.objects.filter(forgotten_at=None).exists()


def test_notes_of_forgotten_calls_stay_with_them(company: Company, clock: Any) -> None:
    leg = company.leg(minutes_ago=5 * DAY, talked=60)
    outcome = Outcome.objects.create(domain=company.domain, name="sold")
    contact = address_book.save(company.domain, ContactInput("Hanna", numbers=(HANNA,)))
    Note.objects.create(
        domain=company.domain, person=company.mia, call_id=leg.from_call_id, number_e164=HANNA,
        text="ring 030 901820 again", outcome=outcome, contact=contact,
    )  # fmt: skip

    erasing.apply_retention(keeps(company, calls=1))

    note, after = Note.objects.get(), Leg.objects.get()
    assert (note.text, note.number_e164, note.contact, note.outcome) == (
        "ring ••• again",
        after.caller_e164,
        None,
        outcome,
    )
    assert Contact.objects.exists()  # the address book is kept until somebody takes them out


@pytest.mark.parametrize(("callers", "log"), [(90, 400), (90, 90), (90, 60), (None, 60)])
def test_notes_and_entries_lose_the_caller_before_the_calls_are_deleted(
    company: Company, clock: Any, callers: int | None, log: int
) -> None:
    company.domain.log_kept_days = log
    domain = keeps(company, calls=callers)
    leg = company.leg(minutes_ago=5, talked=60)
    contact = address_book.save(domain, ContactInput("Hanna", numbers=(HANNA,)))
    note = Note.objects.create(
        domain=domain, call_id=leg.from_call_id, number_e164=HANNA, text=f"ring {HANNA} again", contact=contact
    )
    audit.log(domain.pk, "caller looked at", HANNA)

    clock.shift(timedelta(days=min(callers or log, log), minutes=30))
    for _ in range(2):
        sweeping.delete_expired()
        erasing.apply_retention(domain)
        clock.shift(timedelta(hours=12))

    note.refresh_from_db()
    mark = Leg.objects.get().caller_e164
    assert mark.startswith("anon-")
    assert (note.text, note.number_e164, note.contact) == ("ring ••• again", mark, None)
    assert AuditEntry.objects.get(what="caller looked at").about == "•••"
    sweeping.delete_expired()
    assert Leg.objects.exists() is (log == 400)


def test_old_notes_whose_calls_are_deleted_lose_the_caller(company: Company, clock: Any) -> None:
    kept = company.leg(minutes_ago=DAY, talked=60)
    called = company.leg(minutes_ago=DAY, talked=60, from_call_id="", to_call_id="out")
    for call in (kept.from_call_id, called.to_call_id, "gone", "gone too", "gone just now"):
        Note.objects.create(domain=company.domain, call_id=call, number_e164=HANNA, text=f"ring {HANNA} again")
    Note.objects.create(domain=company.domain, call_id="inside", number_e164="101", text="said")
    Note.objects.exclude(call_id="gone just now").update(written_at=timezone.now() - timedelta(days=9))

    assert erasing.apply_retention(keeps(company, calls=8)) is True

    found = {note.call_id: (note.text, note.number_e164) for note in Note.objects.all()}
    assert found.pop("inside") == ("said", "")
    emptied = {call for call, (text, number) in found.items() if HANNA not in text and HANNA not in number}
    assert emptied == {"gone", "gone too"}
    # The same mark for the same caller.
    assert found["gone"] == found["gone too"]
    assert found["gone"][1].startswith("anon-")


def test_old_notes_keep_their_outcome_only(company: Company, clock: Any) -> None:
    outcome = Outcome.objects.create(domain=company.domain, name="sold")
    for number in range(3):
        Note.objects.create(domain=company.domain, call_id=str(number), number_e164=HANNA, text="said", outcome=outcome)
    Note.objects.filter(call_id__in=("0", "1")).update(written_at=timezone.now() - timedelta(days=9))

    erasing.apply_retention(keeps(company, notes=8))

    told = list(Note.objects.order_by("call_id").values_list("text", "number_e164", "outcome__name"))
    assert told == [("", "", "sold"), ("", "", "sold"), ("said", HANNA, "sold")]


def test_deliveries_and_entries_go_with_the_calls(company: Company, clock: Any, neighbours: Company) -> None:
    clock.shift(-timedelta(days=3))
    delivery(company, '{"calls": "+4930901820"}')
    waiting = delivery(company, '{"later": 1}', applied_at=None)
    audit.log(company.domain.pk, "caller looked at", HANNA, {"at": [None, "2026-11-17"]}, once="x")
    audit.log(neighbours.domain.pk, "caller looked at", HANNA)
    clock.shift(timedelta(days=3))
    audit.log(company.domain.pk, "caller looked at", HANNA)

    erasing.apply_retention(keeps(company, calls=1))

    assert list(Delivery.objects.order_by("pk").values_list("body", flat=True)) == ["", waiting.body]
    mine = AuditEntry.objects.filter(company_id=company.domain.pk).order_by("at")
    assert list(mine.values_list("about", "once")) == [("•••", None), (HANNA, None)]
    assert mine[0].changes == {"at": [None, "2026-11-17"]}
    assert AuditEntry.objects.get(company_id=neighbours.domain.pk).about == HANNA


def test_call_backs_of_nobody_are_dropped(company: Company) -> None:
    company.leg(minutes_ago=10, rang=5)
    for number in (HANNA, "+4989111222"):
        CallBack.objects.create(domain=company.domain, number_e164=number)

    erasing.apply_retention(keeps(company))

    assert CallBack.objects.get().number_e164 == HANNA
