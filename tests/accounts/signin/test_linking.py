"""Linking a sign-in to the phone that dialled its number: what counts, what is refused, and what it costs to try."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts import people
from accounts.encryption import sealed
from accounts.models import AuditEntry, Domain, Grant, LinkNumber, Person, User
from accounts.signin import linking, proof_texts
from accounts.signin.linking import NoneFree, TooMany
from tests.accounts.conftest import make_domain

Outcome = LinkNumber.Outcome


@pytest.fixture
def clock() -> Any:
    with time_machine.travel("2026-11-20T12:00:00Z", tick=False) as travel:
        yield travel


def waits(domain: Domain, name: str = "waiting", code: str = "4821") -> User:
    """Somebody who signed in and whom the provider does not name."""
    user = User.objects.create(username=name, link_code=code)
    Grant.objects.create(domain=domain, user=user, access_token=sealed("t"), refresh_token=sealed("t"))
    return user


def dial(row: LinkNumber, extension: str, after_seconds: float = 10) -> None:
    linking.number_dialled(row.domain_id, row.number, extension, row.shown_at + timedelta(seconds=after_seconds))


def settled(user: User, clock: Any, seconds: float = 5) -> Person | None:
    clock.shift(seconds)
    return linking.settle(user)


def test_the_phone_that_dialled_is_linked(domain: Domain, clock: Any) -> None:
    user = waits(domain)
    people.change_role(people.get_or_create(domain, "101"), Person.Role.SUPERVISOR)

    dial(linking.issue_number(user, domain, ()), "101", 0.5)

    assert linking.settle(user) is None  # a second phone may still dial
    assert settled(user, clock) == Person.objects.get(extension="101", user=user, role="supervisor")
    assert User.objects.get().link_code == ""
    assert AuditEntry.objects.filter(what="linked by a call", about="101").exists()


def test_the_number_is_new_for_each_and_is_nobodys(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but four numbers are taken in each of the ways in which a number can be."""
    monkeypatch.setattr(linking, "NUMBERS", range(1000, 1008))
    first, second = waits(domain, "first", "1000"), waits(domain, "second", "1001")
    people.get_or_create(domain, "1002")

    shown = {
        linking.issue_number(first, domain, {"1003", "1004"}).number,
        linking.issue_number(second, domain, {"1003", "1004"}).number,
    }

    assert shown < {"1000", "1001", "1005", "1006", "1007"}
    assert len(shown) == 2
    assert {user.link_code for user in User.objects.all()} == shown


def test_a_number_of_today_is_not_shown_again(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linking, "NUMBERS", range(1000, 1003))
    user = waits(domain)

    shown = {linking.issue_number(user, domain, ()).number for _ in range(3)}

    assert shown == {"1000", "1001", "1002"}
    with pytest.raises(NoneFree):
        linking.issue_number(user, domain, ())


def test_one_open_number_at_a_time(domain: Domain, clock: Any) -> None:
    user = waits(domain)
    before = linking.issue_number(user, domain, ())
    clock.shift(1)
    after = linking.issue_number(user, domain, ())
    clock.shift(10)

    dial(before, "101")
    assert settled(user, clock) is None
    assert linking.open_number(user) == after


def test_numbers_are_rationed(domain: Domain, clock: Any) -> None:
    user, other = waits(domain), waits(domain, "other", "4822")
    for _ in range(linking.MOST_PER_HOUR):
        linking.issue_number(user, domain, ())
        clock.shift(60)

    with pytest.raises(TooMany) as refused:
        linking.issue_number(user, domain, ())

    assert refused.value.until == timezone.now() + timedelta(minutes=60 - linking.MOST_PER_HOUR)
    assert linking.issue_number(other, domain, ())
    clock.shift(timedelta(minutes=60 - linking.MOST_PER_HOUR, seconds=1))
    assert linking.issue_number(user, domain, ())


@pytest.mark.parametrize("after_seconds", [-1, 0, 301])
def test_a_call_outside_its_time_counts_nothing(domain: Domain, clock: Any, after_seconds: float) -> None:
    user = waits(domain)

    dial(linking.issue_number(user, domain, ()), "101", after_seconds)

    assert settled(user, clock) is None
    assert LinkNumber.objects.get().extension == ""


def test_another_companys_phone_counts_nothing(domain: Domain, clock: Any) -> None:
    user = waits(domain)
    row = linking.issue_number(user, domain, ())

    linking.number_dialled(make_domain("other").pk, row.number, "101", timezone.now() + timedelta(seconds=9))

    assert settled(user, clock) is None


def test_two_phones_refuse_each_other(domain: Domain, clock: Any) -> None:
    user = waits(domain)
    row = linking.issue_number(user, domain, ())
    dial(row, "101", 1)
    dial(row, "105", 2)
    dial(row, "101", 3)

    assert settled(user, clock) is None

    refused = linking.recent_refusal(user)
    assert refused is not None
    assert refused.outcome == Outcome.TWO_PHONES
    assert linking.open_number(user) is None
    assert not Person.objects.exclude(user=None).exists()
    entry = AuditEntry.objects.get(what="link by a call refused")
    assert (entry.about, entry.changes) == (row.number, {"why": [None, "101 and 105 both dialled it"]})


def test_a_second_phone_undoes_a_link_within_the_five_minutes(domain: Domain, clock: Any, closed: list[int]) -> None:
    user = waits(domain)
    row = linking.issue_number(user, domain, ())
    dial(row, "101", 1)
    assert settled(user, clock) is not None
    round_before = User.objects.get().session_round

    dial(row, "101", 200)
    assert Person.objects.get(extension="101").user == user
    dial(row, "105", 250)

    assert Person.objects.get(extension="101").user is None
    assert User.objects.get().session_round == round_before + 1


def test_an_extension_is_never_taken_over(domain: Domain, clock: Any) -> None:
    owner, user = User.objects.create(username="owner"), waits(domain)
    people.link(people.get_or_create(domain, "101"), owner)

    dial(linking.issue_number(user, domain, ()), "101", 1)

    assert settled(user, clock) is None
    refused = linking.recent_refusal(user)
    assert refused is not None
    assert refused.outcome == Outcome.TAKEN
    assert Person.objects.get(extension="101").user == owner
    assert AuditEntry.objects.filter(what="link by a call refused").count() == 1


def test_one_phone_that_dials_for_two_people_gets_one_of_them(domain: Domain, clock: Any) -> None:
    first, second = waits(domain, "first", "1111"), waits(domain, "second", "2222")
    for user in (first, second):
        dial(linking.issue_number(user, domain, ()), "101", 1)

    assert [settled(user, clock) is not None for user in (first, second)] == [True, False]
    assert Person.objects.get(extension="101").user == first


def test_an_administrator_may_be_quicker(domain: Domain, clock: Any) -> None:
    user = waits(domain)
    dial(linking.issue_number(user, domain, ()), "101", 1)
    people.link(people.get_or_create(domain, "102"), user)

    assert settled(user, clock) is None
    assert Person.objects.get(user=user).extension == "102"


def test_whoever_does_not_wait_gets_no_number(domain: Domain) -> None:
    user = waits(domain)
    assert linking.domain_of(user) == domain

    people.link(people.get_or_create(domain, "101"), user)

    assert linking.domain_of(User.objects.get()) is None
    Person.objects.update(user=None)
    assert linking.domain_of(User.objects.get()) is None  # an administrator took the sign-in off its extension


def test_the_page_goes_on_to_where_they_wanted(domain: Domain, clock: Any, client: Client) -> None:
    user = waits(domain)
    client.force_login(user)
    assert client.post("/accounts/link/number/", headers={"Accept": "application/json"}).json()["is_shown"] is True
    row = LinkNumber.objects.get()
    told = client.get("/accounts/link/state/").json()
    assert told == {"is_over": False, "number": row.number, "seconds": 300, "message": ""}
    assert row.number in client.get("/accounts/link/").content.decode()

    dial(row, "101", 1)
    assert client.get("/accounts/link/state/").json()["message"] == "Your call was seen. One moment …"
    clock.shift(5)

    assert client.get("/accounts/link/state/").json() == {"is_over": True}
    answer = client.get("/accounts/link/", follow=True)
    assert "you are extension 101" in answer.content.decode()


def test_a_form_without_a_script_shows_a_number_too(domain: Domain, client: Client) -> None:
    client.force_login(waits(domain))

    page = client.post("/accounts/link/number/", follow=True).content.decode()

    assert LinkNumber.objects.get().number in page
    assert "No call events come in at the moment" in page


def test_what_speaks_against_dialling_is_asked_without_a_new_number(
    domain: Domain, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(waits(domain))
    assert "No call events" in client.get("/accounts/link/number/").json()["message"]

    monkeypatch.setattr("wallboard.calls.linking.is_heard", lambda domain: True)

    assert client.get("/accounts/link/number/").json() == {"message": ""}
    assert not LinkNumber.objects.exists()


@pytest.mark.parametrize(("outcome", "words"), [("taken", "belongs to another"), ("two phones", "neither was linked")])
def test_a_refusal_is_said_in_words(domain: Domain, client: Client, outcome: str, words: str) -> None:
    user = waits(domain)
    linking.issue_number(user, domain, ())
    LinkNumber.objects.update(outcome=outcome, extension="101")
    client.force_login(user)

    assert words in client.get("/accounts/link/state/").json()["message"]


def test_numbers_of_yesterday_are_forgotten(domain: Domain, clock: Any) -> None:
    linking.issue_number(waits(domain), domain, ())

    linking.forget_old()
    assert LinkNumber.objects.count() == 1
    clock.shift(timedelta(days=1, seconds=1))
    linking.forget_old()

    assert not LinkNumber.objects.exists()


def test_a_call_wins_no_more_than_the_rights_of_an_agent(domain: Domain, clock: Any) -> None:
    """Somebody can be talked into dialling the number on another person's page."""
    chief = people.get_or_create(domain, "100")
    people.change_role(chief, Person.Role.ADMINISTRATOR)
    people.link(chief, User.objects.create(username="chief"))
    people.change_role(people.get_or_create(domain, "101"), Person.Role.SUPERVISOR)
    user = waits(domain)

    dial(linking.issue_number(user, domain, ()), "101")

    assert settled(user, clock) is None
    assert LinkNumber.objects.get().outcome == Outcome.CONFIRM
    [grant] = people.awaiting_link(domain.pk)
    assert proof_texts.reasons(grant)[-1] == "Their number was dialled from extension 101."


@pytest.mark.parametrize(("named", "outcome"), [("201", "differs"), ("101", "linked"), ("101@x.test", "linked")])
def test_the_phone_must_agree_with_what_the_provider_named(
    domain: Domain, clock: Any, named: str, outcome: str
) -> None:
    user = waits(domain)
    Grant.objects.update(named_by_probe=named)

    dial(linking.issue_number(user, domain, ()), "101")

    assert (settled(user, clock) is not None) == (outcome == "linked")
    assert LinkNumber.objects.get().outcome == outcome
    assert Domain.objects.get().provider_domain == ("x.test" if "@" in named else "")
