"""The log of calls: searched, grouped, newest first."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import people
from accounts.company_day import zone_of
from accounts.limits import EVERYTHING
from accounts.models import Domain, Person
from tests.calls.conftest import Deliver
from tests.calls.events import event, record
from wallboard.calls.log import newest
from wallboard.calls.log import search as call_log
from wallboard.calls.log.filters import CallFilter
from wallboard.calls.log.search import Found
from wallboard.calls.models import Leg
from wallboard.queues.models import Queue

START = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def three_calls(domain: Domain, deliver: Deliver) -> Domain:
    people.get_or_create(domain, "101", "Bea Roth")
    people.get_or_create(domain, "102", "Cem Aksoy")
    Queue.objects.create(domain=domain, number="900", name="Sales")
    second = timedelta(seconds=1)
    deliver(event("ringing", user="900", leg="l0"), at=START)
    deliver(event("ringing"), event("ringing", leg="l2", user="102"), at=START + 5 * second)
    deliver(event("active"), at=START + 9 * second)
    deliver(event(("active", "ended"), leg="l2", user="102"), at=START + 9 * second)
    deliver(event("ended"), event("ended", user="900", leg="l0"), at=START + 69 * second)
    out: dict[str, Any] = {
        "call": "c2",
        "leg": "l3",
        "caller_user": "102",
        "caller": "102",
        "user": None,
        "number": "+4930901820",
    }
    deliver(event("ringing", **out), at=START + timedelta(hours=1))
    deliver(event("ended", **out), at=START + timedelta(hours=1, seconds=20))
    deliver(event("ringing", call="c3", leg="l4"), at=START + timedelta(days=1))
    return domain


def test_calls_come_newest_first_with_their_legs_together(three_calls: Domain) -> None:
    newest, middle, oldest = call_log.search(three_calls.pk)

    assert [call.call for call in (newest, middle, oldest)] == ["c3", "c2", "c1"]
    assert [leg.to.extension for leg in oldest.legs] == ["900", "101", "102"]
    assert (oldest.outcome, oldest.answered_by, oldest.wait_seconds, oldest.talk_seconds, oldest.queue) == (
        "answered",
        "Bea Roth",
        9,
        60,
        "900",
    )
    assert (middle.outcome, middle.direction, middle.caller.name, middle.wait_seconds) == (
        "unanswered",
        "out",
        "Cem Aksoy",
        20,
    )
    assert (newest.outcome, newest.caller.number) == ("live", "(555) 234-5678")


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("555-234-5678", ["c3", "c1"]),
        ("+1 555 234 5678", ["c3", "c1"]),
        ("2345", ["c3", "c1"]),
        ("901820", ["c2"]),
        ("cem", ["c2", "c1"]),
        ("lima", ["c3", "c2", "c1"]),
        ("101", ["c3", "c1"]),
        ("sales", ["c1"]),
        ("900", ["c1"]),
        ("٩٠٠", ["c1"]),
        ("nobody", []),
        ("'; drop table", []),
        ("%", []),
        (" ", ["c3", "c2", "c1"]),
    ],
)
def test_a_text_is_a_name_an_extension_or_a_number(three_calls: Domain, text: str, calls: list[str]) -> None:
    assert [call.call for call in call_log.search(three_calls.pk, CallFilter(text))] == calls


def calls_of(domain: Domain, first: date, last: date) -> list[str]:
    return [call.call for call in call_log.search(domain.pk, CallFilter(first=first, last=last))]


def test_days_are_those_of_the_companys_zone(three_calls: Domain) -> None:
    twentieth, next_day = date(2026, 11, 20), date(2026, 11, 21)
    assert calls_of(three_calls, twentieth, twentieth) == ["c2", "c1"]
    assert calls_of(three_calls, twentieth, next_day) == ["c3", "c2", "c1"]

    three_calls.time_zone = "Pacific/Kiritimati"
    three_calls.save()
    assert calls_of(three_calls, next_day, next_day) == ["c2", "c1"]


def test_a_day_begins_when_the_companys_does(three_calls: Domain) -> None:
    three_calls.day_starts_hour = (START + timedelta(hours=1)).astimezone(zone_of(three_calls)).hour
    three_calls.save()

    assert calls_of(three_calls, date(2026, 11, 20), date(2026, 11, 20)) == ["c3", "c2"]
    assert calls_of(three_calls, date(2026, 11, 19), date(2026, 11, 19)) == ["c1"]


def test_pages_follow_each_other(three_calls: Domain) -> None:
    assert [call.call for call in call_log.search(three_calls.pk, count=2)] == ["c3", "c2"]
    assert [call.call for call in call_log.search(three_calls.pk, count=2, offset=2)] == ["c1"]


@pytest.mark.parametrize("seed", range(3))
def test_any_page_is_cut_from_all_calls_by_when_they_began(domain: Domain, seed: int) -> None:
    chance = Random(seed)
    for number in range(120):
        at = START + timedelta(minutes=chance.randrange(900))
        call = f"call {chance.randrange(40)}" if chance.random() < 0.9 else ""
        Leg.objects.create(
            domain=domain, from_call_id=call, to_call_id=f"leg {number}", first_seen_at=at, heard_at=at, to_user="101"
        )
    began = {}
    for leg in Leg.objects.order_by("-first_seen_at"):
        began[leg.from_call_id or leg.to_call_id] = leg.first_seen_at
    wanted = sorted(began, key=lambda call: (-began[call].timestamp(), call))

    for offset in (0, 3, 20, len(wanted) - 1, len(wanted)):
        assert [each.call for each in call_log.search(domain.pk, count=7, offset=offset)] == wanted[offset : offset + 7]


def test_the_newest_calls_are_found_without_reading_all(domain: Domain) -> None:
    for number in range(300):
        at = START - timedelta(minutes=number)
        Leg.objects.create(
            domain=domain, from_call_id=f"call {number}", to_call_id="leg", first_seen_at=at, heard_at=at
        )

    with CaptureQueriesContext(connection) as queries:
        assert len(call_log.search(domain.pk, count=5)) == 5

    assert all("LIMIT" in each["sql"] or " IN (" in each["sql"] for each in queries if "calls_leg" in each["sql"])


def test_another_companys_calls_are_not_found(three_calls: Domain) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://127.0.0.1:1", client_id="x")

    assert call_log.search(other.pk) == ()


def test_a_name_that_only_repeats_the_number_is_not_shown_twice(domain: Domain, deliver: Deliver) -> None:
    deliver(event("ringing", caller_name="+15552345678"))

    [call] = call_log.search(domain.pk)

    assert (call.caller.name, call.caller.number) == ("", "(555) 234-5678")


def test_a_record_tells_the_talk_time_that_events_missed(domain: Domain, deliver: Deliver) -> None:
    deliver(record())

    [call] = call_log.search(domain.pk)

    assert (call.outcome, call.talk_seconds, call.answered_by) == ("answered", 55, "101")


def test_the_talk_of_a_record_that_came_late_ends_when_it_says(domain: Domain, deliver: Deliver) -> None:
    deliver(event("active"), at=START)
    deliver(record(), at=START + timedelta(minutes=30))

    [call] = call_log.search(domain.pk)

    assert call.talk_seconds == 55


def test_how_long_a_call_took_whose_end_was_never_told_is_not_known(domain: Domain, deliver: Deliver) -> None:
    deliver(event("active"), event("ringing", call="c2", leg="l2"), at=START)
    Leg.objects.update(ended_at=START + timedelta(hours=4))

    calls = call_log.search(domain.pk)

    assert {(call.outcome, call.talk_seconds, call.wait_seconds) for call in calls} == {
        ("answered", None, 0),
        ("unanswered", None, None),
    }


def test_an_unanswered_call_waited_until_the_last_phone_stopped_ringing(domain: Domain, deliver: Deliver) -> None:
    mailbox: dict[str, Any] = {"leg": "l3", "is_human": False}
    news = [("ringing", {}), ("ended", {}), ("ringing", {"leg": "l2", "user": "102"})]
    news += [("ended", {"leg": "l2", "user": "102"}), ("active", mailbox), ("ended", mailbox)]
    for number, (state, of_leg) in enumerate(news):
        deliver(event(state, **of_leg), at=START + timedelta(seconds=10 * number))

    [call] = call_log.search(domain.pk)

    assert (call.outcome, call.wait_seconds) == ("unanswered", 30)


def test_a_few_queries_serve_any_page(three_calls: Domain, django_assert_max_num_queries: object) -> None:
    with django_assert_max_num_queries(11):  # type: ignore[operator]
        call_log.search(three_calls.pk, CallFilter("555", date(2026, 11, 20), direction="in", outcome="answered"))


def crowded(domain: Domain, rare: int) -> None:
    """Sixty calls to 101, and one long before them to Ana that nobody answered."""
    for number in range(61):
        at, is_rare = START - timedelta(minutes=number), number == rare
        Leg.objects.create(
            domain=domain, from_call_id=f"call {number}", to_call_id="leg", first_seen_at=at, heard_at=at, ended_at=at,
            is_answered=not is_rare, to_user="102" if is_rare else "101", from_name="Straße" if is_rare else "",
            from_number="+4930555123" if is_rare else "", caller_e164="+4930555123" if is_rare else "",
        )  # fmt: skip


@pytest.mark.parametrize("text", ["STRASSE", "straß", "102", "١٠٢", "Ana", "55512", "٥٥٥١٢", "+4930555123"])
def test_what_matches_seldom_is_found_however_long_ago(
    domain: Domain, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(newest, "FIRST_LOOK", 10)
    Person.objects.create(domain=domain, extension="102", name="Ana")
    crowded(domain, 55)

    found = call_log.look(domain.pk, CallFilter(text), 5, 0, EVERYTHING, 20)

    assert ([each.call for each in found.calls], found.looked_since) == (["call 55"] * (text != "STRASSE"), None)


def test_where_no_index_helps_the_looking_ends_and_says_since_when(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest, "FIRST_LOOK", 10)
    crowded(domain, 25)
    wanted = CallFilter(outcome="unanswered")

    assert call_log.look(domain.pk, wanted, 5, 0, EVERYTHING, 20) == Found((), START - timedelta(minutes=20))
    assert [each.call for each in call_log.look(domain.pk, wanted, 5, 0, EVERYTHING, 40).calls] == ["call 25"]
    assert [each.call for each in call_log.search(domain.pk, wanted)] == ["call 25"]


def test_legs_that_were_looked_through_in_vain_are_not_looked_through_again(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest, "FIRST_LOOK", 10)
    crowded(domain, 9)  # which is just before the newest ten, with the second leg of a call that is long
    for minutes in (5.5, 12.5):
        at = START - timedelta(minutes=minutes)
        Leg.objects.create(
            domain=domain, from_call_id="long", to_call_id=f"{at}", first_seen_at=at, heard_at=at, ended_at=at
        )

    with CaptureQueriesContext(connection) as queries:
        found = call_log.look(domain.pk, CallFilter(outcome="unanswered"), 5, 0, EVERYTHING, 40)

    assert [each.call for each in found.calls] == ["call 9", "long"]
    assert any('"first_seen_at" <= ' in each["sql"] for each in queries)


def test_a_page_that_is_full_says_nothing_of_how_far_it_looked(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newest, "FIRST_LOOK", 10)
    crowded(domain, 60)

    found = call_log.look(domain.pk, CallFilter("101", outcome="answered"), 8, 30, EVERYTHING, 20)

    assert [each.call for each in found.calls] == [f"call {number}" for number in range(30, 38)]
    assert found.looked_since is None


def test_our_own_people_withhold_nothing(domain: Domain, deliver: Deliver) -> None:
    people.get_or_create(domain, "101", "Bea Roth")
    people.get_or_create(domain, "102", "Cem Aksoy")
    deliver(event("ringing", caller=None, caller_user="102", caller_name="", number=None), at=START)
    deliver(event("ringing", call="c2", leg="l2", caller=None, caller_name=""), at=START + timedelta(minutes=1))

    strangers, own = call_log.search(domain.pk)

    assert own.caller == call_log.Party("Cem Aksoy", "", "102")
    assert own.legs[0].to == call_log.Party("Bea Roth", "", "101")
    assert strangers.caller == call_log.Party("", "withheld", "")


@pytest.mark.parametrize(
    "text", ["901820", "0309018", "030 9018", "+49 30 9018", "03090182", "030 901820", "+٤٩ ٣٠", "９０１８２０"]
)
def test_a_part_of_a_number_is_found_though_it_may_be_a_whole_one(three_calls: Domain, text: str) -> None:
    three_calls.country = "DE"
    three_calls.save()

    assert [call.call for call in call_log.search(three_calls.pk, CallFilter(text))] == ["c2"]
