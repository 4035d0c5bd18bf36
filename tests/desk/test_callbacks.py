"""The list of callers whom nobody answered: what opens an entry, and what closes it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, Person
from tests.desk.conftest import HANNA, Company
from tests.desk.test_desk_views import post
from wallboard.contacts import address_book
from wallboard.contacts.address_book import ContactInput
from wallboard.desk import callback_sheet, callbacks
from wallboard.desk.callbacks import CallbackSummary
from wallboard.desk.models import CallBack

SignIn = Callable[[Person], Client]


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def waiting(company: Company) -> list[str]:
    return [each.number for each in callbacks.missed_callers(company.domain.pk)]


def rows(client: Client) -> list[dict[str, Any]]:
    cache.clear()
    found: list[dict[str, Any]] = client.get("/desk/call-backs/").json()["rows"]
    return found


def act(client: Client, what: str, number: str = HANNA) -> Any:
    cache.clear()
    return post(client, "call-backs/change", {"number": number, "act": what}).json()


def outgoing(company: Company, **known: Any) -> None:
    company.leg("", from_user="102", from_number="102", to_number=HANNA, caller_e164=HANNA, **known)


def test_an_unanswered_caller_waits_and_is_named(company: Company, signed_in: SignIn) -> None:
    address_book.save(company.domain, ContactInput("Hanna B", numbers=(HANNA,)))
    company.leg(minutes_ago=30, rang=20)
    company.leg("101", minutes_ago=20, rang=20)

    told = rows(signed_in(company.mia))

    assert [(row["name"], row["shown"], row["times"], row["owner"]) for row in told] == [
        ("Hanna B", "030 901820", 2, ""),
    ]


def test_a_number_sent_as_the_name_is_shown_once(company: Company, signed_in: SignIn) -> None:
    company.leg(minutes_ago=30, rang=20, from_name=HANNA)

    assert [(row["name"], row["shown"]) for row in rows(signed_in(company.mia))] == [("030 901820", "030 901820")]


def test_phones_that_rang_beside_the_one_that_answered_open_nothing(company: Company) -> None:
    company.leg("800", call="c", minutes_ago=10, talked=300, queue="800")
    company.leg("101", call="c", minutes_ago=9, talked=200)
    company.leg("102", call="c", minutes_ago=8.99, rang=5)

    assert waiting(company) == []


def test_hold_music_and_voicemail_are_no_answer(company: Company) -> None:
    company.leg("800", call="c", minutes_ago=10, talked=60, queue="800")
    company.leg("102", call="c", minutes_ago=9.5, talked=20, is_human=False)

    assert waiting(company) == [HANNA]


@pytest.mark.parametrize("how", ["they reach somebody", "somebody reaches them"])
def test_an_entry_closes_itself(company: Company, how: str) -> None:
    company.leg(minutes_ago=30, rang=20)
    assert waiting(company) == [HANNA]

    if how == "they reach somebody":
        company.leg("101", minutes_ago=20, talked=60)
    else:
        outgoing(company, minutes_ago=20, talked=60)

    assert waiting(company) == []


def test_ringing_them_in_vain_closes_nothing(company: Company) -> None:
    company.leg(minutes_ago=30, rang=20)
    outgoing(company, minutes_ago=20, rang=30)

    assert waiting(company) == [HANNA]


def test_only_our_own_vain_calls_open_nothing(company: Company) -> None:
    outgoing(company, minutes_ago=20, rang=30)

    assert waiting(company) == []


def test_a_caller_who_is_on_the_line_again_is_not_listed(company: Company) -> None:
    company.leg(minutes_ago=30, rang=20)
    company.leg("101")

    assert waiting(company) == []


def test_a_call_whose_end_was_never_told_hides_nobody_for_days(company: Company) -> None:
    company.leg(minutes_ago=600, is_unconfirmed=True)

    assert waiting(company) == [HANNA]


def test_what_cannot_be_called_back_or_is_long_ago_is_not_listed(company: Company, neighbours: Company) -> None:
    company.leg(from_number="anonymous", caller_e164="", minutes_ago=5, rang=5)
    company.leg(minutes_ago=(callbacks.LOOKBACK + timedelta(hours=1)).total_seconds() / 60, rang=5)
    neighbours.leg(minutes_ago=5, rang=5)

    assert waiting(company) == []
    assert waiting(neighbours) == [HANNA]


def test_a_call_back_has_one_owner(company: Company, signed_in: SignIn) -> None:
    company.leg(minutes_ago=30, rang=20)
    mia, ana = signed_in(company.mia), signed_in(company.ana)

    assert [act(mia, "take")["is_done"], act(ana, "take")["is_done"], act(ana, "done")["is_done"]] == [
        True,
        False,
        False,
    ]

    assert [(row["owner"], row["is_mine"]) for row in (*rows(mia), *rows(ana))] == [("Mia", True), ("Mia", False)]
    act(mia, "leave")
    assert act(ana, "take")["is_done"] is True


def test_done_is_done_until_they_call_in_vain_again(company: Company, signed_in: SignIn) -> None:
    company.leg(minutes_ago=30, rang=20)
    mia = signed_in(company.mia)
    act(mia, "take")

    act(mia, "done")
    assert rows(mia) == []
    company.leg(rang=0)

    CallBack.objects.update(done_at=timezone.now() - timedelta(seconds=5))
    assert [row["owner"] for row in rows(mia)] == [""]


def test_what_a_colleague_finished_is_not_taken(company: Company, signed_in: SignIn) -> None:
    company.leg(minutes_ago=30, rang=20)
    mia, ana = signed_in(company.mia), signed_in(company.ana)
    act(mia, "done")

    assert act(ana, "take")["is_done"] is False
    assert CallBack.objects.get().owner is None


def test_what_is_put_off_comes_back_in_an_hour(company: Company, signed_in: SignIn) -> None:
    company.leg(minutes_ago=30, rang=20)
    mia = signed_in(company.mia)

    act(mia, "snooze")

    assert rows(mia) == []
    CallBack.objects.update(snoozed_until=timezone.now())
    assert len(rows(mia)) == 1


def test_nobody_marks_what_is_not_on_their_list(company: Company, neighbours: Company, signed_in: SignIn) -> None:
    neighbours.leg(minutes_ago=5, rang=5)

    assert act(signed_in(company.mia), "done")["is_done"] is False
    assert not CallBack.objects.exists()


def test_counts_tell_age_and_owner(company: Company, signed_in: SignIn) -> None:
    company.leg(minutes_ago=90, rang=20)
    company.leg(minutes_ago=5, rang=20, from_number="+4989777888", caller_e164="+4989777888")
    mia = signed_in(company.mia)

    counts = act(mia, "take")["counts"]

    assert 90 * 60_000 <= counts.pop("oldest_ms") < 91 * 60_000
    longer = counts.pop("today") + counts.pop("older")  # midnight may lie in between
    assert counts == {"open": 2, "mine": 1, "taken": 1, "under_an_hour": 1, "owners": [{"name": "Mia", "count": 1}]}
    assert longer == 1


@pytest.fixture
def noon() -> Iterator[None]:
    with time_machine.travel(datetime(2026, 11, 20, 12, tzinfo=UTC), tick=False):
        yield


@pytest.mark.usefixtures("noon")
def test_the_summary_tells_ages_by_the_companys_own_day(company: Company) -> None:
    """It is one in the afternoon in Berlin: 12:50 is young, 00:30 is today, 23:30 is not."""
    for number, minutes in (("+4930111111", 10), ("+4930222222", 12.5 * 60), ("+4930333333", 13.5 * 60)):
        company.leg(minutes_ago=minutes, rang=20, from_number=number, caller_e164=number)
    CallBack.objects.create(domain=company.domain, number_e164="+4930222222", owner=company.ana)

    told = callbacks.summary(company.domain.pk)

    assert told == CallbackSummary(
        open=3,
        taken=1,
        under_an_hour=1,
        today=1,
        older=1,
        oldest_at=timezone.now() - timedelta(minutes=13.5 * 60),
        owners=(("Ana", 1),),
    )


def test_nobody_waiting_is_a_summary_too(company: Company, neighbours: Company) -> None:
    neighbours.leg(minutes_ago=5, rang=5)

    assert callbacks.summary(company.domain.pk) == CallbackSummary(0, 0, 0, 0, 0, None, ())


def test_who_calls_again_waits_since_the_first_time(company: Company, signed_in: SignIn) -> None:
    company.leg(minutes_ago=100, rang=20)
    company.leg(minutes_ago=5, rang=20)

    assert callbacks.summary(company.domain.pk).oldest_at == company.domain.legs.earliest("first_seen_at").first_seen_at
    act(signed_in(company.mia), "done")
    company.leg(minutes_ago=0, rang=0)
    CallBack.objects.update(done_at=timezone.now() - timedelta(minutes=3))
    cache.clear()

    told = callbacks.summary(company.domain.pk)

    assert (told.open, told.under_an_hour) == (1, 1)
    assert rows(signed_in(company.mia))[0]["times"] == 1


def test_more_are_counted_than_listed(company: Company, signed_in: SignIn) -> None:
    for number in range(callbacks.MOST_LISTED + 3):
        company.leg(minutes_ago=9, rang=5, from_number=f"+4930{number:06}", caller_e164=f"+4930{number:06}")

    told = signed_in(company.mia).get("/desk/call-backs/").json()

    assert (len(told["rows"]), told["counts"]["open"]) == (callbacks.MOST_LISTED, callbacks.MOST_LISTED + 3)


def test_somebody_who_is_not_shown_is_counted_without_a_name(company: Company) -> None:
    company.leg(minutes_ago=9, rang=5)
    CallBack.objects.create(domain=company.domain, number_e164=HANNA, owner=company.ana)
    Person.objects.filter(pk=company.ana.pk).update(is_hidden=True)

    assert callbacks.summary(company.domain.pk).owners == (("", 1),)


def test_what_is_done_is_noted_without_the_number(company: Company, signed_in: SignIn) -> None:
    company.leg(minutes_ago=30, rang=20)

    act(signed_in(company.mia), "take")

    assert AuditEntry.objects.filter(what="call-back taken").values_list("about", flat=True)[0] == "••• ••20"


def test_a_row_says_how_long_the_caller_waited_the_last_time(company: Company, signed_in: SignIn) -> None:
    company.leg(minutes_ago=60, rang=300)
    company.leg("800", call="last", minutes_ago=30, rang=75, queue="800")
    company.leg(call="last", minutes_ago=29.5, rang=20)

    assert [row["waited"] for row in rows(signed_in(company.mia))] == ["1:15"]


def test_the_sheet_has_all_of_them(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callbacks, "MOST_LISTED", 1)
    for number in range(3):
        company.leg(minutes_ago=30, rang=75, caller_e164=f"+4930901820{number}")
    assert len(list(callback_sheet.lines(company.viewer(company.ana), company.domain))) == 4


def test_supervisors_take_the_list_as_a_sheet(company: Company, signed_in: SignIn) -> None:
    with time_machine.travel("2026-11-19T11:00:00Z", tick=False):
        company.leg(minutes_ago=30, rang=75, from_name="=Hanna")
        agent = signed_in(company.mia).get("/desk/call-backs/?as=csv")
        Person.objects.filter(pk=company.mia.pk).update(role=Person.Role.SUPERVISOR)
        answer = signed_in(company.mia).get("/desk/call-backs/?as=csv&head=plain")

    assert agent.status_code == 403
    assert answer.content.decode("utf-8-sig").splitlines() == [
        "last call (Europe/Berlin),number,name,waited,calls,taken by",
        "2026-11-19 11:30:00,030 901820,'=Hanna,1:15,1,",
    ]
    assert AuditEntry.objects.get().what == "call-backs exported"
