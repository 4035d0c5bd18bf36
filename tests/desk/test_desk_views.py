"""Who may ask the desk for what. Everything that is not one's own is a 404."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import Person
from accounts.signin import joining
from tests.desk.conftest import Company
from wallboard.desk import notes
from wallboard.desk.models import Note
from wallboard.desk.permissions import REACHABLE

SignIn = Callable[[Person], Client]
PAGE, OTHER_PAGE = "page-0000001", "page-0000002"


def post(client: Client, name: str, body: Any) -> Any:
    return client.post(f"/desk/{name}/", json.dumps(body), content_type="application/json")


def test_the_owner_gets_the_card_and_the_other_tab_a_hint(company: Company, signed_in: SignIn) -> None:
    leg, mia = company.leg(), signed_in(company.mia)

    first = post(mia, "pop", {"leg": leg.pk, "page": PAGE}).json()
    second = post(mia, "pop", {"leg": leg.pk, "page": OTHER_PAGE}).json()

    assert first["card"]["name"] == "Hanna Brandt"
    assert second == {"elsewhere": True}


def test_the_other_tab_takes_over_by_hand(company: Company, signed_in: SignIn) -> None:
    leg, mia = company.leg(), signed_in(company.mia)
    post(mia, "pop", {"leg": leg.pk, "page": PAGE})

    taken = post(mia, "pop", {"leg": leg.pk, "page": OTHER_PAGE, "take": True}).json()

    assert taken["card"]["leg"] == leg.pk
    assert post(mia, "renew", {"calls": [leg.from_call_id], "page": PAGE}).json() == {"lost": [leg.from_call_id]}


def test_a_closed_call_stays_closed_in_every_tab_until_asked_for(company: Company, signed_in: SignIn) -> None:
    leg, mia = company.leg(), signed_in(company.mia)
    post(mia, "pop", {"leg": leg.pk, "page": PAGE})

    assert post(mia, "close", {"calls": [leg.from_call_id], "page": PAGE}).status_code == 204

    assert post(mia, "pop", {"leg": leg.pk, "page": OTHER_PAGE}).json() == {"closed": True}
    assert "card" in post(mia, "pop", {"leg": leg.pk, "page": PAGE, "take": True}).json()


@pytest.mark.parametrize("name", ["pop", "note"])
def test_calls_of_others_do_not_exist(company: Company, neighbours: Company, signed_in: SignIn, name: str) -> None:
    mia = signed_in(company.mia)
    own = company.leg()
    foreign = {
        "a colleague's": company.leg("101"),
        "another company's": neighbours.leg("102"),
        "a queue's": company.leg("800", queue="800"),
        "voicemail's": company.leg(is_human=False),
        "nobody's": company.leg(""),
        "last month's": company.leg(minutes_ago=(REACHABLE + timedelta(hours=1)).total_seconds() / 60, rang=20),
    }
    body: dict[str, Any] = {"page": PAGE} if name == "pop" else {"text": "mine", "stamp": 1}

    assert post(mia, name, {**body, "leg": own.pk}).status_code == 200
    answers = {whose: post(mia, name, {**body, "leg": leg.pk}).status_code for whose, leg in foreign.items()}
    assert answers == dict.fromkeys(foreign, 404)
    assert post(mia, name, {**body, "leg": own.pk + 1000}).status_code == 404


def test_no_extension_no_calls(company: Company, signed_in: SignIn) -> None:
    leg = company.leg("")
    Person.objects.filter(pk=company.mia.pk).update(extension="")

    assert post(signed_in(company.mia), "pop", {"leg": leg.pk, "page": PAGE}).status_code == 404


def test_a_call_is_open_while_it_lives_and_for_days_after(company: Company, signed_in: SignIn) -> None:
    mia = signed_in(company.mia)
    talking = company.leg(minutes_ago=5)
    company.answer(talking)
    friday = company.leg(minutes_ago=3 * 1440, talked=60)

    for leg in (talking, friday):
        assert post(mia, "note", {"leg": leg.pk, "text": "later", "stamp": 5}).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"leg": 1}',
        b'{"leg": "1", "page": "page-0000001"}',
        b'{"leg": 99999999999999999999, "page": "page-0000001"}',
        b'{"leg": 1, "page": "x"}',
        b'{"leg": 1, "page": "' + b"p" * 65 + b'"}',
        b'{"leg": 1, "page": "\xff\xff\xff\xff\xff\xff\xff\xff"}',
        b'{"leg": 1, "page": "page-\\u0000-0001"}',
        b"[" * 100_000,
    ],
)
def test_nonsense_is_refused_without_harm(company: Company, signed_in: SignIn, body: bytes) -> None:
    answer = signed_in(company.mia).post("/desk/pop/", body, content_type="application/json")

    assert answer.status_code == 400


@pytest.mark.parametrize("name", ["pop", "renew", "release", "close", "note", "contact", "rules"])
def test_a_post_from_another_site_is_refused(company: Company, signed_in: SignIn, name: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert company.mia.user is not None
    strict.force_login(company.mia.user)

    assert post(strict, name, {"leg": company.leg().pk, "page": PAGE}).status_code == 403


@pytest.mark.parametrize("path", ["", "pop/", "renew/", "release/", "close/", "note/", "day/", "contact/", "rules/"])
def test_nobody_comes_in_without_signing_in(db: None, path: str) -> None:
    method = Client().get if path in ("", "day/") else Client().post

    answer = method(f"/desk/{path}")

    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")


def test_the_page_carries_the_persons_own_things_only(company: Company, signed_in: SignIn) -> None:
    company.leg(minutes_ago=0.2, talked=5)
    company.leg("101", from_name="Somebody Else")

    answer = signed_in(company.mia).get("/desk/")

    assert answer.status_code == 200
    assert "Hanna Brandt" in answer.content.decode()
    assert "Somebody Else" not in answer.content.decode()
    assert answer["Cache-Control"].startswith("max-age=0, no-cache, no-store")


def test_a_hostile_name_cannot_leave_its_place(company: Company, signed_in: SignIn) -> None:
    company.leg(from_name="</script><script>alert(1)</script>")

    assert "<script>alert" not in signed_in(company.mia).get("/desk/").content.decode()


def test_the_newest_text_wins_whatever_order_the_posts_arrive_in(company: Company, signed_in: SignIn) -> None:
    leg, mia = company.leg(), signed_in(company.mia)

    post(mia, "note", {"leg": leg.pk, "text": "damaged, wants a refund", "stamp": 20})
    late = post(mia, "note", {"leg": leg.pk, "text": "damaged, wa", "stamp": 10}).json()

    kept = {"text": "damaged, wants a refund", "stamp": 20, "outcome": None, "contact": None}
    assert late == {**kept, "is_yours": False}
    assert post(mia, "pop", {"leg": leg.pk, "page": PAGE}).json()["card"]["note"] == kept


def test_nothing_is_replaced_that_the_page_has_not_seen(company: Company, signed_in: SignIn) -> None:
    leg, mia = company.leg(), signed_in(company.mia)
    notes.replace(company.mia, leg, "by a program", None)
    [stamp] = Note.objects.values_list("stamp", flat=True)
    note = {"leg": leg.pk, "text": "typed on a page from before", "stamp": stamp + 10, "known": [0]}

    answer = post(mia, "note", note).json()
    assert (answer["text"], answer["is_yours"]) == ("by a program", False)
    assert post(mia, "note", {**note, "known": [0, stamp]}).json()["is_yours"] is True
    assert post(mia, "note", {**note, "known": ["x"]}).status_code == 400
    notes.replace(company.mia, leg, "by the program again", None)
    assert Note.objects.get().text == "by the program again"


def test_a_note_belongs_to_the_call_and_the_number(company: Company, signed_in: SignIn) -> None:
    leg = company.leg(call="one call")
    post(signed_in(company.mia), "note", {"leg": leg.pk, "text": "\0damaged", "stamp": 1})

    kept = Note.objects.get()

    assert (kept.person, kept.call_id, kept.number_e164, kept.text) == (
        company.mia,
        "one call",
        leg.caller_e164,
        "damaged",
    )


def test_a_colleague_sees_the_note_when_the_same_number_rings_them(company: Company, signed_in: SignIn) -> None:
    post(signed_in(company.mia), "note", {"leg": company.leg().pk, "text": "damaged", "stamp": 1})
    hers = company.leg("101")

    told = post(signed_in(company.ana), "pop", {"leg": hers.pk, "page": PAGE}).json()["card"]

    assert told["earlier"][0]["notes"] == [{"by": "Mia", "text": "damaged", "outcome": ""}]
    assert told["note"] == {"text": "", "stamp": 0, "outcome": None, "contact": None}


def test_the_day_counts_calls_not_legs(company: Company, signed_in: SignIn) -> None:
    company.leg(call="twice", minutes_ago=0.05, rang=1)
    company.leg(call="twice", minutes_ago=0.04, talked=2)
    company.leg(call="missed", minutes_ago=0.03, rang=1)
    mine, hers = company.leg(call="taken", minutes_ago=0.02), company.leg("101", call="taken", minutes_ago=0.02)
    company.answer(hers)
    company.end(mine)
    company.leg("101", minutes_ago=0.01, talked=1)

    today = signed_in(company.mia).get("/desk/day/").json()

    assert today["figures"] == {"answered": 1, "missed": 1, "average_talk": "0:02"}
    assert [call["outcome"] for call in today["calls"]] == ["taken", "missed", "answered"]


def test_yesterday_is_not_today(company: Company, signed_in: SignIn) -> None:
    company.leg(minutes_ago=1441, talked=60)

    today = signed_in(company.mia).get("/desk/day/").json()

    assert today["figures"] == {"answered": 0, "missed": 0, "average_talk": ""}
    assert (today["calls"], today["all"]) == ([], 0)


def test_an_account_without_an_extension_is_led_to_get_one(company: Company, signed_in: SignIn) -> None:
    with_phone = signed_in(company.mia).get("/desk/").content.decode()
    Person.objects.filter(pk=company.mia.pk).update(extension=joining.LOCAL_EXTENSION, role="administrator")
    without = signed_in(company.mia).get("/desk/").content.decode()

    assert "has no extension yet" not in with_phone
    assert "When extension" in with_phone
    assert "has no extension yet" in without
    assert 'href="/setup/start/link/"' in without
    assert f"· {joining.LOCAL_EXTENSION}" not in without
