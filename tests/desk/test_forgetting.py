"""What is past its time loses its strangers, and one number goes from everywhere; counts stay as they were."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.core.cache import cache
from django.db import models
from django.utils import timezone

from accounts import audit
from accounts.crypto import sealed
from accounts.models import AuditEntry, Domain
from tests.desk.conftest import HANNA, Company
from wallboard.calls import forgetting as calls
from wallboard.calls import ledger, legs, log, records, strangers, traces
from wallboard.calls.forgetting import NotNow
from wallboard.calls.models import Delivery, Leg, Record, Subscription
from wallboard.calls.traces import Trace
from wallboard.desk import callbacks, contacts, forgetting, importing
from wallboard.desk.card import card
from wallboard.desk.contacts import Wish
from wallboard.desk.models import CallBack, Contact, ContactNumber, ContactWord, Import, Note, Outcome, Rule
from wallboard.telephony import messages

DIGITS = "30901820"
DAY = 24 * 60
WRITINGS = [
    "+4930901820",
    "004930901820",
    "030901820",
    "030 / 90 18 20",
    "+49 (0)30 901820",
    "(030) 901-820",
    "30901820",
]
OTHERS = ["+49309018201", "+4940901820", "1030901820", "+4930901821", "030 9018 2"]


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(datetime(2026, 11, 20, 12, tzinfo=UTC), tick=False) as travel:
        yield travel


def hanna() -> Trace:
    found = traces.of(HANNA, "DE")
    assert found is not None
    return found


def keeps(company: Company, *, calls: int | None = None, notes: int | None = None) -> Domain:
    company.domain.calls_kept_days, company.domain.notes_kept_days = calls, notes
    company.domain.save()
    return company.domain


def delivery(company: Company, body: str, **columns: Any) -> Delivery:
    subscription, _ = Subscription.objects.get_or_create(
        domain=company.domain, kind="calls", defaults={"secret": sealed("s"), "secret_hash": company.domain.slug}
    )
    columns = {"received_at": timezone.now(), "applied_at": timezone.now()} | columns
    return Delivery.objects.create(identity=uuid4(), subscription=subscription, body=body, **columns)


def record_of(leg: Leg) -> Record:
    return Record.objects.create(
        domain=leg.domain, from_call_id=leg.from_call_id, to_call_id=leg.to_call_id, from_number=leg.from_number,
        from_name=leg.from_name, to_number=leg.to_number, received_at=timezone.now(),
    )  # fmt: skip


@pytest.mark.parametrize("text", WRITINGS)
def test_every_writing_of_a_number_is_found(text: str) -> None:
    assert hanna().masked(f"call {text} back") in ("call ••• back", "call (••• back")
    assert hanna().is_in({"a": [text]})


@pytest.mark.parametrize("text", OTHERS)
def test_other_numbers_are_left_alone(text: str) -> None:
    assert hanna().masked(text) == text


def test_old_calls_lose_their_strangers_and_keep_all_else(company: Company, clock: Any) -> None:
    leg = company.leg(minutes_ago=3 * DAY, talked=60, queue="")
    record = record_of(leg)
    young = company.leg(minutes_ago=DAY, talked=60)
    before: dict[str, Any] = {**Leg.objects.values().get(pk=leg.pk)}

    assert forgetting.forget_due(keeps(company, calls=2)) is True

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

    assert forgetting.forget_due(keeps(company)) is True

    assert Leg.objects.get().caller_e164 == HANNA


def test_days_end_at_the_companys_midnight(company: Company, clock: Any) -> None:
    """It is 13:00 in Berlin. With one day kept, yesterday stays and the evening before goes."""
    stays, goes = company.leg(minutes_ago=36 * 60, rang=1), company.leg(minutes_ago=37 * 60 + 1, rang=1)

    forgetting.forget_due(keeps(company, calls=1))

    for leg in (stays, goes):
        leg.refresh_from_db()
    assert (stays.forgotten_at, goes.forgotten_at) == (None, timezone.now())


def test_callers_can_still_be_told_apart(company: Company, clock: Any) -> None:
    for number in (HANNA, HANNA, "+4989111222"):
        company.leg(minutes_ago=5 * DAY, rang=9, from_number=number, caller_e164=number)

    forgetting.forget_due(keeps(company, calls=1))

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

    forgetting.forget_due(keeps(company, calls=1))

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
    monkeypatch.setattr(forgetting, "LONGEST_RUN_SECONDS", 0.5)
    ticks = iter([0, 0.1, 0.2, 9])
    monkeypatch.setattr("wallboard.desk.forgetting.time.monotonic", lambda: next(ticks, 99))
    domain = keeps(company, calls=1)

    assert forgetting.forget_due(domain) is False
    assert Leg.objects.filter(forgotten_at=None).count() == 2
    monkeypatch.setattr("wallboard.desk.forgetting.time.monotonic", lambda: 0)
    assert forgetting.forget_due(domain) is True

    assert not Leg.objects.filter(forgotten_at=None).exists()


def test_notes_of_forgotten_calls_stay_with_them(company: Company, clock: Any) -> None:
    leg = company.leg(minutes_ago=5 * DAY, talked=60)
    outcome = Outcome.objects.create(domain=company.domain, name="sold")
    contact = contacts.save(company.domain, Wish("Hanna", numbers=(HANNA,)))
    Note.objects.create(
        domain=company.domain, person=company.mia, call_id=leg.from_call_id, number_e164=HANNA,
        text="ring 030 901820 again", outcome=outcome, contact=contact,
    )  # fmt: skip

    forgetting.forget_due(keeps(company, calls=1))

    note, after = Note.objects.get(), Leg.objects.get()
    assert (note.text, note.number_e164, note.contact, note.outcome) == (
        "ring ••• again",
        after.caller_e164,
        None,
        outcome,
    )
    assert Contact.objects.exists()  # the address book is kept until somebody takes them out


def test_old_notes_keep_their_outcome_only(company: Company, clock: Any) -> None:
    outcome = Outcome.objects.create(domain=company.domain, name="sold")
    for number in range(3):
        Note.objects.create(domain=company.domain, call_id=str(number), number_e164=HANNA, text="said", outcome=outcome)
    Note.objects.filter(call_id__in=("0", "1")).update(written_at=timezone.now() - timedelta(days=9))

    forgetting.forget_due(keeps(company, notes=8))

    told = list(Note.objects.order_by("call_id").values_list("text", "number_e164", "outcome__name"))
    assert told == [("", "", "sold"), ("", "", "sold"), ("said", HANNA, "sold")]


def test_deliveries_and_entries_go_with_the_calls(company: Company, clock: Any, neighbours: Company) -> None:
    clock.shift(-timedelta(days=3))
    delivery(company, '{"calls": "+4930901820"}')
    waiting = delivery(company, '{"later": 1}', applied_at=None)
    audit.note(company.domain.pk, "caller looked at", HANNA, {"at": [None, "2026-11-17"]}, once="x")
    audit.note(neighbours.domain.pk, "caller looked at", HANNA)
    clock.shift(timedelta(days=3))
    audit.note(company.domain.pk, "caller looked at", HANNA)

    forgetting.forget_due(keeps(company, calls=1))

    assert list(Delivery.objects.order_by("pk").values_list("body", flat=True)) == ["", waiting.body]
    mine = AuditEntry.objects.filter(company_id=company.domain.pk).order_by("at")
    assert list(mine.values_list("about", "once")) == [("•••", None), (HANNA, None)]
    assert mine[0].changes == {"at": [None, "2026-11-17"]}
    assert AuditEntry.objects.get(company_id=neighbours.domain.pk).about == HANNA


def test_call_backs_of_nobody_are_dropped(company: Company) -> None:
    company.leg(minutes_ago=10, rang=5)
    for number in (HANNA, "+4989111222"):
        CallBack.objects.create(domain=company.domain, number_e164=number)

    forgetting.forget_due(keeps(company))

    assert CallBack.objects.get().number_e164 == HANNA


def test_forgotten_callers_wait_for_no_call_back(company: Company) -> None:
    company.leg(minutes_ago=10, rang=5)
    assert callbacks.summary(company.domain.pk).open == 1

    forgetting.erase(company.domain, hanna())

    assert callbacks.summary(company.domain.pk).open == 0


@pytest.mark.parametrize("is_new", [False, True])
def test_what_is_delivered_later_brings_no_stranger_back(company: Company, is_new: bool) -> None:
    leg = company.leg(call="c", minutes_ago=10, talked=60)
    forgetting.erase(company.domain, hanna())
    leg.refresh_from_db()
    tail = "other" if is_new else leg.to_call_id
    body = (
        '[{"start_time": "Fri, 20 Nov 2026 10:00:00 +0000", "answer_time": null, "end_time": null, "duration": 1,'
        ' "from": {"call_id": "c", "id": "+4930901820", "user": null, "domain": null, "name": "Hanna"},'
        f' "to": {{"call_id": "{tail}", "id": "102", "user": "102", "domain": null}}}}]'
    )
    message = messages.read(body.encode())
    assert isinstance(message, tuple)
    [told] = message

    ledger.keep(company.domain, {(told.from_.call_id, told.to.call_id): legs.told_by_record(told, timezone.now())})
    records.keep(company.domain, [(told, timezone.now())])

    assert set(Leg.objects.values_list("caller_e164", "from_number", "from_name")) == {
        (leg.caller_e164, f"+{leg.caller_e164}", "")
    }
    assert Record.objects.get().from_number == f"+{leg.caller_e164}"
    assert Leg.objects.filter(has_record=True).count() == 1


def test_the_log_says_that_a_number_was_removed(company: Company) -> None:
    company.leg(minutes_ago=10, talked=60)
    forgetting.erase(company.domain, hanna())

    [call] = log.search(company.domain.pk)

    assert (call.caller.name, call.caller.number, call.outcome, call.direction) == ("", "removed", "answered", "in")


@pytest.mark.parametrize(
    ("leg", "words"),
    [
        ({}, "still going on"),
        ({"talked": 60, "minutes_ago": 2}, "has just ended"),
        ({"talked": 9, "minutes_ago": 9, "from_number": "+4989111", "caller_e164": "+4989111", "to_number": HANNA},
         "one of your own"),
    ],
)  # fmt: skip
def test_what_cannot_be_erased_now_is_refused_in_words(company: Company, leg: dict[str, Any], words: str) -> None:
    company.leg(minutes_ago=60, talked=60) if leg.get("to_number") is None else None
    company.leg(**leg)
    before = list(Leg.objects.order_by("pk").values())

    with pytest.raises(NotNow, match=words):
        forgetting.erase(company.domain, hanna())

    assert list(Leg.objects.order_by("pk").values()) == before


def test_deliveries_that_wait_and_running_imports_are_waited_for(company: Company) -> None:
    row = delivery(company, HANNA, applied_at=None)
    with pytest.raises(NotNow, match="wait to be applied"):
        forgetting.erase(company.domain, hanna())
    row.delete()
    begun = importing.begin(company.domain, None, "x.csv", b"Name;Number\nHanna;030 901820\n")
    Import.objects.update(state="running")
    with pytest.raises(NotNow, match="on its way in"):
        forgetting.erase(company.domain, hanna())
    Import.objects.update(state="new")

    assert forgetting.erase(company.domain, hanna()).imports == 1
    assert not Import.objects.filter(pk=begun.pk).exists()


def test_contacts_lose_the_number_and_go_with_their_last_one(company: Company) -> None:
    contacts.save(company.domain, Wish("Only this", numbers=(HANNA,)))
    contacts.save(company.domain, Wish("Another too", numbers=(HANNA, "+4989111222")))

    forgetting.erase(company.domain, hanna())

    assert list(Contact.objects.values_list("name", flat=True)) == ["Another too"]
    assert list(ContactNumber.objects.values_list("number", flat=True)) == ["+4989111222"]
    assert not ContactWord.objects.filter(word__contains=DIGITS).exists()
    assert contacts.find(company.domain.pk, "+4989111222")[0].words.filter(word="another").exists()


def test_the_card_of_a_forgotten_call_names_nobody(company: Company) -> None:
    leg = company.leg(minutes_ago=10, talked=60)
    forgetting.erase(company.domain, hanna())
    leg.refresh_from_db()

    told = card(company.viewer(company.mia), company.domain, leg)

    assert (told["name"], told["number"], told["dial"], told["can_save"]) == ("Number removed", "", "", False)


def test_a_call_that_comes_while_a_number_is_erased_is_a_new_one(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    company.leg(minutes_ago=10, talked=60)

    def rings_again(*_: object) -> int:
        company.leg()
        delivery(company, '{"id": "+4930901820"}', applied_at=None)
        return 0

    monkeypatch.setattr(forgetting, "_erase_imports", rings_again)

    forgetting.erase(company.domain, hanna())

    assert list(Leg.objects.filter(ended_at=None).values_list("from_number", "caller_e164")) == [(HANNA, HANNA)]
    assert HANNA in Delivery.objects.get().body


def everywhere(domain_id: int) -> list[str]:
    """Every text column of every table in which the digits stand for that company, however they are written."""
    found = []
    for place in traces.places():
        for field in place.model._meta.concrete_fields:
            if not isinstance(field, models.CharField | models.TextField | models.JSONField):
                continue
            for value in place.of(domain_id).values_list(field.name, flat=True):
                if DIGITS in "".join(character for character in str(value) if character.isdigit()):
                    found.append(f"{place.model._meta.label}.{field.name}")
    return found


def fill(company: Company) -> None:
    """A row in every table that has any, and the number in each column that could hold it."""
    contacts.save(company.domain, Wish("Hanna", numbers=(HANNA,)))
    leg = company.leg(minutes_ago=30, talked=60)
    record_of(leg)
    delivery(company, "{}")
    Note.objects.create(domain=company.domain, person=company.mia, call_id=leg.from_call_id, text="x")
    Rule.objects.create(person=company.mia, ignored=["x"])
    CallBack.objects.create(domain=company.domain, number_e164=HANNA)
    importing.begin(company.domain, None, "x.csv", b"Name;Number\nHanna;030 901820\n")
    audit.note(company.domain.pk, "calls searched", HANNA, once=HANNA)
    for place in traces.places():
        for number, name in enumerate(place.columns):
            field = place.model._meta.get_field(name)
            text = WRITINGS[number % len(WRITINGS)]
            if (getattr(field, "max_length", None) or 99) < len(text) or name in place.unique:
                continue
            value: Any = {"deep": [f"call {text}"]} if isinstance(field, models.JSONField) else text
            value = [text] if name == "ignored" else value
            models.QuerySet(place.model).filter(pk__in=place.of(company.domain.pk)).update(**{name: value})
    Leg.objects.filter(domain=company.domain).update(caller_e164=HANNA)  # else it would be the company's own number


def test_a_number_goes_from_every_text_of_every_table(company: Company, neighbours: Company) -> None:
    for each in (company, neighbours):
        fill(each)
    assert len(set(everywhere(company.domain.pk))) >= 20
    theirs = everywhere(neighbours.domain.pk)

    erased = forgetting.erase(company.domain, hanna())

    assert (erased.calls, erased.notes, erased.contacts, erased.call_backs, erased.imports) == (1, 1, 1, 1, 1)
    assert everywhere(company.domain.pk) == []
    assert everywhere(neighbours.domain.pk) == theirs
    assert forgetting.erase(company.domain, hanna()).calls == 0
    entry = AuditEntry.objects.filter(what="number erased").order_by("pk")[0]
    assert (entry.about, entry.changes["calls"]) == ("••• ••20", [None, 1])


def test_the_list_of_places_is_made_from_the_models() -> None:
    labels = {place.model._meta.label for place in traces.places()}

    assert {"calls.Leg", "calls.Record", "calls.Delivery", "desk.Note", "desk.Import", "accounts.AuditEntry"} <= labels
    assert strangers.new_mark() != strangers.new_mark()
