"""One number goes from everywhere; counts, other numbers and other companies stay as they were."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.models import AuditEntry
from tests.desk.conftest import HANNA, Company
from tests.privacy.caller_data import DIGITS, OTHERS, WRITINGS, delivery, everywhere, fill, hanna
from tests.privacy.erasing import erase
from wallboard.calls import detail_records, leg_store, legs
from wallboard.calls.log import search as call_log
from wallboard.calls.models import Delivery, Leg, Record
from wallboard.calls.retention import anonymizing, traces
from wallboard.calls.retention.retention import NotNow
from wallboard.contacts import address_book, import_files, imports
from wallboard.contacts.address_book import ContactInput
from wallboard.contacts.models import Contact, ContactNumber, ContactWord, Import
from wallboard.desk import callbacks, notes
from wallboard.desk.card.card import card
from wallboard.desk.models import Note, Rule
from wallboard.privacy import erasing
from wallboard.telephony import messages


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.mark.parametrize("text", WRITINGS)
def test_every_writing_of_a_number_is_found(text: str) -> None:
    assert hanna().masked(f"call {text} back") in ("call ••• back", "call (••• back")
    assert hanna().is_in({"a": [text]})


@pytest.mark.parametrize("text", OTHERS)
def test_other_numbers_are_left_alone(text: str) -> None:
    assert hanna().masked(text) == text


def test_a_sip_address_goes_from_everywhere_and_longer_ones_stay(company: Company) -> None:
    told = [("sip:Bo.Lee@Example.org", "c1"), ("bo.lee@example.org.uk", "c2"), ("jim-bo.lee@example.org", "c3")]
    for address, call in told:
        company.leg(call=call, minutes_ago=10, talked=60, from_number=address, caller_e164="", from_name="Bo Lee")
        delivery(company, f'{{"id": "{address}"}}')
    company.leg(call="c4", minutes_ago=9, talked=6, from_user="102", to="", to_number=told[0][0], caller_e164="")
    address_book.save(
        company.domain, ContactInput("Bo", email="BO.LEE@example.org", numbers=("bo.lee@example.org", "+4989111222"))
    )
    Rule.objects.create(person=company.mia, ignored=["bo.lee@example.org", told[1][0]])
    trace = traces.of("sip:bo.lee@EXAMPLE.org", "DE")
    assert trace is not None

    erased = erase(company.domain, trace)

    assert (erased.counts["calls"], erased.counts["contacts"], erased.counts["deliveries"]) == (2, 1, 1)
    others = [told[1][0], told[2][0]]
    assert list(Leg.objects.filter(forgotten_at=None).order_by("pk").values_list("from_number", flat=True)) == others
    gone = Leg.objects.exclude(forgotten_at=None).values_list("from_number", "to_number")
    assert "@" not in "".join(number for pair in gone for number in pair)
    assert Leg.objects.get(from_call_id="c1").from_name == ""
    assert list(ContactNumber.objects.values_list("number", flat=True)) == ["+4989111222"]
    assert Contact.objects.get().email == "•••"
    assert Rule.objects.get().ignored == [told[1][0]]
    assert [row.body for row in Delivery.objects.order_by("pk")][1:] == [f'{{"id": "{address}"}}' for address in others]


@pytest.mark.parametrize("text", ["anonymous@anonymous.invalid", "hello", "@example.org", "", "101"])
def test_what_is_no_address_of_anybody_has_no_trace(text: str) -> None:
    assert traces.of(text, "DE") is None


@pytest.mark.parametrize("is_new", [False, True])
def test_what_is_delivered_later_brings_no_stranger_back(company: Company, is_new: bool) -> None:
    leg = company.leg(call="c", minutes_ago=10, talked=60)
    erase(company.domain, hanna())
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

    leg_store.merge_facts(
        company.domain, {(told.from_.call_id, told.to.call_id): legs.facts_of_record(told, timezone.now())}
    )
    detail_records.store(company.domain, [(told, timezone.now())])

    assert set(Leg.objects.values_list("caller_e164", "from_number", "from_name")) == {
        (leg.caller_e164, f"+{leg.caller_e164}", "")
    }
    assert Record.objects.get().from_number == f"+{leg.caller_e164}"
    assert Leg.objects.filter(has_record=True).count() == 1


def test_the_log_says_that_a_number_was_removed(company: Company) -> None:
    company.leg(minutes_ago=10, talked=60)
    erase(company.domain, hanna())

    [call] = call_log.search(company.domain.pk)

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
        erase(company.domain, hanna())

    assert list(Leg.objects.order_by("pk").values()) == before


def test_deliveries_that_wait_and_running_imports_are_waited_for(company: Company) -> None:
    row = delivery(company, HANNA, applied_at=None)
    with pytest.raises(NotNow, match="wait to be applied"):
        erase(company.domain, hanna())
    row.delete()
    begun = imports.create(company.domain, None, "x.csv", b"Name;Number\nHanna;030 901820\n")
    Import.objects.update(state="running")
    with pytest.raises(NotNow, match="on its way in"):
        erase(company.domain, hanna())
    # Nobody has to start it again before a number can be erased.
    Import.objects.update(heard_at=timezone.now() - imports.STALLED_AFTER * 2)

    assert erase(company.domain, hanna()).counts["imports"] == 1
    assert not Import.objects.filter(pk=begun.pk).exists()


def test_an_import_that_was_taken_for_dead_brings_no_number_back(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, other = (
        imports.create(company.domain, None, "x.csv", f"Name;Number\n{line}\n".encode())
        for line in ("Hanna;030 901820", "Ben;030 555666")
    )
    assert imports.queue(slow, skips_bad=False)
    assert imports.queue(other, skips_bad=False)
    whole = import_files.rows

    def rows(text: str, delimiter: str) -> Any:
        Import.objects.update(heard_at=timezone.now() - imports.STALLED_AFTER * 2)
        erase(company.domain, hanna())
        return whole(text, delimiter)

    with monkeypatch.context() as patch:
        patch.setattr(import_files, "rows", rows)
        imports.run(slow.pk)

    assert not Contact.objects.filter(domain=company.domain).exists()
    assert everywhere(company.domain.pk) == []
    assert imports.queue(other, skips_bad=False)
    imports.run(other.pk)
    assert Contact.objects.get(domain=company.domain).name == "Ben"


def test_contacts_lose_the_number_and_go_with_their_last_one(company: Company) -> None:
    address_book.save(company.domain, ContactInput("Only this", numbers=(HANNA,)))
    address_book.save(company.domain, ContactInput("Another too", numbers=(HANNA, "+4989111222")))

    erase(company.domain, hanna())

    assert list(Contact.objects.values_list("name", flat=True)) == ["Another too"]
    assert list(ContactNumber.objects.values_list("number", flat=True)) == ["+4989111222"]
    assert not ContactWord.objects.filter(word__contains=DIGITS).exists()
    assert address_book.find_by_caller_id(company.domain.pk, "+4989111222")[0].words.filter(word="another").exists()


def test_what_was_noted_on_a_call_that_was_passed_on_goes_with_the_caller(company: Company) -> None:
    first = company.leg("101", call="first", minutes_ago=50, talked=100)
    colleague = {"from_user": "101", "from_number": "101", "caller_e164": "", "on_net": True}
    passed = company.leg("102", call="passed on", minutes_ago=48, by_call_id=first.to_call_id, **colleague)
    notes.save(company.mia, passed, "Hanna is ill", 5)

    erase(company.domain, hanna())

    assert not Note.objects.exclude(text="").exists()


def test_who_ignored_the_number_ignores_it_no_more(company: Company) -> None:
    Rule.objects.create(person=company.mia, ignored=[HANNA, "+4989111222"])

    erase(company.domain, hanna())

    assert Rule.objects.get().ignored == ["+4989111222"]


def test_the_card_of_a_forgotten_call_names_nobody(company: Company) -> None:
    leg = company.leg(minutes_ago=10, talked=60)
    erase(company.domain, hanna())
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

    monkeypatch.setattr(erasing, "_erase_imports", rings_again)

    erase(company.domain, hanna())

    assert list(Leg.objects.filter(ended_at=None).values_list("from_number", "caller_e164")) == [(HANNA, HANNA)]
    assert HANNA in Delivery.objects.get().body


def test_forgotten_callers_wait_for_no_call_back(company: Company) -> None:
    company.leg(minutes_ago=10, rang=5)
    assert callbacks.summary(company.domain.pk).open == 1

    erase(company.domain, hanna())

    assert callbacks.summary(company.domain.pk).open == 0


def test_a_number_goes_from_every_text_of_every_table(company: Company, neighbours: Company) -> None:
    for each in (company, neighbours):
        fill(each)
    assert len(set(everywhere(company.domain.pk))) >= 20
    theirs = everywhere(neighbours.domain.pk)

    erased = erase(company.domain, hanna())

    kinds = ("calls", "notes", "contacts", "call_backs", "imports")
    assert {kind: erased.counts[kind] for kind in kinds} == dict.fromkeys(kinds, 1)
    assert everywhere(company.domain.pk) == []
    assert everywhere(neighbours.domain.pk) == theirs
    assert erase(company.domain, hanna()).counts["calls"] == 0
    entry = AuditEntry.objects.filter(what="number erased").order_by("pk")[0]
    assert (entry.about, entry.changes["calls"]) == ("••• ••20", [None, 1])


def test_the_list_of_places_is_made_from_the_models() -> None:
    labels = {place.model._meta.label for place in traces.places()}

    assert {
        "calls.Leg",
        "calls.Record",
        "calls.Delivery",
        "desk.Note",
        "contacts.Import",
        "accounts.AuditEntry",
    } <= labels
    assert anonymizing.new_mark() != anonymizing.new_mark()
