"""When a person wants a card, and when not."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import Person
from tests.desk.conftest import HANNA, Company
from tests.desk.test_desk_views import PAGE, post
from wallboard.contacts import crm_links
from wallboard.contacts.models import Link, LinkHost
from wallboard.desk import rules
from wallboard.desk.models import Rule

SignIn = Callable[[Person], Client]
RULES: dict[str, Any] = {"pop": "ring", "shows_internal": True, "ignored": "", "hide_after_seconds": 0, "opens": None}


def told(client: Client, leg: Any, **further: Any) -> dict[str, Any]:
    answer: dict[str, Any] = post(client, "pop", {"leg": leg.pk, "page": PAGE, **further}).json()
    return answer


def keep(client: Client, **rules: Any) -> Any:
    return post(client, "rules", RULES | rules).json()


def test_a_card_on_answer_waits_for_the_answer_and_skips_a_missed_call(company: Company, signed_in: SignIn) -> None:
    mia, leg, missed = signed_in(company.mia), company.leg(), company.leg(rang=5)
    keep(mia, pop="answer")

    ringing = told(mia, leg)
    company.answer(leg)

    assert ringing == {"waits": True}
    assert "card" in told(mia, leg)
    assert told(mia, missed) == {"quiet": True}


def test_no_card_by_itself_still_comes_by_hand(company: Company, signed_in: SignIn) -> None:
    mia, leg = signed_in(company.mia), company.leg()
    keep(mia, pop="never")

    assert told(mia, leg) == {"quiet": True}
    assert "card" in told(mia, leg, take=True)


def test_calls_of_colleagues_can_be_left_out(company: Company, signed_in: SignIn) -> None:
    mia = signed_in(company.mia)
    internal = company.leg(from_user="101", from_number="101", caller_e164="", on_net=True)
    assert "card" in told(mia, internal)

    keep(mia, shows_internal=False)

    assert told(mia, internal) == {"quiet": True}
    assert "card" in told(mia, company.leg())


@pytest.mark.parametrize("written", ["030 901820", "+49 30 901820\n\n555", "sip:+4930901820@trunk.example"])
def test_ignored_numbers_pop_nothing_in_any_writing(company: Company, signed_in: SignIn, written: str) -> None:
    mia = signed_in(company.mia)

    assert keep(mia, ignored=written)["problem"] == ""

    assert told(mia, company.leg()) == {"quiet": True}
    assert "card" in told(mia, company.leg(from_number="+4989123456", caller_e164="+4989123456"))


@pytest.mark.parametrize(
    ("known", "written", "kept"),
    [
        ("089 111111", "089 111111", {"+4989111111", HANNA}),
        ("089 111111", "089 222222", {"+4989222222", HANNA}),
        ("089 111111", "089 111111\n030 901820", {"+4989111111", HANNA}),
        ("089 111111\n089 555555", "089 111111\n089 555555", {"+4989111111", HANNA}),
        ("089 111111\n030 901820", "089 111111", {"+4989111111"}),
        (None, "089 111111", {"+4989111111"}),
    ],
    ids=["nothing", "another instead", "the same", "one that is gone", "removed", "a page of an older release"],
)
def test_of_ignored_numbers_only_what_was_changed_on_the_page_changes(
    company: Company, signed_in: SignIn, known: str | None, written: str, kept: set[str]
) -> None:
    mia = signed_in(company.mia)
    keep(mia, ignored="089 111111")
    post(mia, "rules/ignore", {"leg": company.leg().pk, "is_ignored": True})  # on another page

    told_back = keep(mia, ignored=written, known=known)["ignored"]

    assert set(Rule.objects.get().ignored) == kept
    assert len(told_back.splitlines()) == len(kept)


def test_rules_are_ones_own(company: Company, signed_in: SignIn) -> None:
    keep(signed_in(company.mia), pop="never")

    assert "card" in told(signed_in(company.ana), company.leg("101"))


def test_a_rule_that_cannot_be_kept_is_said_and_changes_nothing(company: Company, signed_in: SignIn) -> None:
    mia = signed_in(company.mia)
    keep(mia, ignored="030 901820")

    said = keep(mia, pop="never", ignored="030 901820\nHanna")

    assert "Hanna" in said["problem"]
    rule = Rule.objects.get()
    assert (rule.pop, rule.ignored) == ("ring", [HANNA])


@pytest.mark.parametrize(
    "wrong", [{"pop": "often"}, {"hide_after_seconds": -1}, {"hide_after_seconds": 3601}, {"opens": 0}]
)
def test_nonsense_is_refused(company: Company, signed_in: SignIn, wrong: dict[str, Any]) -> None:
    assert post(signed_in(company.mia), "rules", RULES | wrong).status_code == 400


def test_only_a_link_of_ones_own_company_opens(company: Company, neighbours: Company, signed_in: SignIn) -> None:
    link = Link.objects.create(domain=neighbours.domain, name="CRM", template="https://crm.test/")

    keep(signed_in(company.mia), opens=link.pk)

    assert Rule.objects.get().opens is None


def test_the_page_shows_the_rules_as_they_are(company: Company, signed_in: SignIn) -> None:
    mia = signed_in(company.mia)
    keep(mia, pop="answer", ignored="+4930901820", hide_after_seconds=30)

    page = mia.get("/desk/")

    assert page.context["page"]["rules"] == {"hide_after_seconds": 30, "opens": None}
    assert '<option value="answer" selected>' in page.content.decode()
    assert "030 901820" in page.content.decode()


def test_the_card_carries_the_links_filled_in(company: Company, signed_in: SignIn) -> None:
    LinkHost.objects.create(domain=company.domain, host="crm.test")
    link = Link.objects.create(domain=company.domain, name="CRM", template="https://crm.test/?q={e164}&n={name}")

    links = told(signed_in(company.mia), company.leg(from_name="A&B /?#\u202e"))["card"]["links"]

    assert links == [{"id": link.pk, "name": "CRM", "href": "https://crm.test/?q=%2B4930901820&n=A%26B%20%2F%3F%23"}]
    LinkHost.objects.all().delete()
    assert crm_links.links_for_call(company.domain.pk, {"e164": HANNA}) == []


def test_saving_rules_undoes_nothing_that_was_set_meanwhile(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    really = Rule.Pop

    def pop(value: str) -> Rule.Pop:
        Rule.objects.filter(person=company.mia).update(is_quiet=True)  # by another tab, after the rules were read
        return really(value)

    monkeypatch.setattr(Rule, "Pop", pop)
    rules.save(company.mia, rules.RuleInput("never", False, (), 5, None))

    kept = Rule.objects.get(person=company.mia)
    assert (kept.pop, kept.shows_internal, kept.is_quiet) == ("never", False, True)
