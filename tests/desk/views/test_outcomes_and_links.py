"""What an administrator offers on every card: outcomes and links."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEntry, Person
from tests.desk.conftest import Company
from tests.desk.test_desk_views import PAGE, post
from wallboard.contacts.models import Link, LinkHost
from wallboard.desk.models import Note, Outcome

SignIn = Callable[[Person], Client]
LINKS: dict[str, Any] = {
    "hosts": "crm.test\nhttps://Shop.test:8443/\n",
    "link-id": ["", ""],
    "link-name": ["CRM", ""],
    "link-template": ["https://crm.test/?q={e164}", ""],
}


@pytest.fixture
def boss(company: Company, signed_in: SignIn) -> Client:
    """A browser with an administrator."""
    company.ana.role = Person.Role.ADMINISTRATOR
    company.ana.save()
    return signed_in(company.ana)


def card(company: Company, signed_in: SignIn) -> dict[str, Any]:
    told: dict[str, Any] = post(signed_in(company.mia), "pop", {"leg": company.leg().pk, "page": PAGE}).json()
    return told["card"]  # type: ignore[no-any-return]


def test_outcomes_are_offered_in_their_order_from_the_next_card_on(
    company: Company, boss: Client, signed_in: SignIn
) -> None:
    boss.post("/desk/offers/", {"outcomes": "Solved\n\n Order  placed \nSolved\n"})
    assert [outcome["name"] for outcome in card(company, signed_in)["outcomes"]] == ["Solved", "Order placed"]

    boss.post("/desk/offers/", {"outcomes": "Order placed\nCall back"})

    assert [outcome["name"] for outcome in card(company, signed_in)["outcomes"]] == ["Order placed", "Call back"]
    assert AuditEntry.objects.filter(what="outcomes changed").count() == 2


def test_a_retired_outcome_stays_on_its_notes(company: Company, boss: Client) -> None:
    boss.post("/desk/offers/", {"outcomes": "Solved"})
    note = Note.objects.create(domain=company.domain, call_id="c", outcome=Outcome.objects.get())

    boss.post("/desk/offers/", {"outcomes": ""})
    note.refresh_from_db()
    assert (note.outcome and note.outcome.name, Outcome.objects.get().is_offered) == ("Solved", False)

    boss.post("/desk/offers/", {"outcomes": "Solved"})
    assert Outcome.objects.get().is_offered


@pytest.mark.parametrize("wrong", ["x" * 41, "\n".join(str(number) for number in range(31))])
def test_outcomes_that_fit_on_no_card_change_nothing(company: Company, boss: Client, wrong: str) -> None:
    answer = boss.post("/desk/offers/", {"outcomes": wrong})

    assert wrong.splitlines()[0] in answer.content.decode()
    assert not Outcome.objects.exists()


def test_links_are_kept_tested_changed_and_taken_away(company: Company, boss: Client, signed_in: SignIn) -> None:
    boss.post("/desk/offers/", LINKS)
    link = Link.objects.get()
    page = boss.get("/desk/offers/").content.decode()
    assert 'href="https://crm.test/?q=%2B4930901820" target="_blank" rel="noopener noreferrer"' in page
    assert sorted(LinkHost.objects.values_list("host", flat=True)) == ["crm.test", "shop.test:8443"]
    assert card(company, signed_in)["links"][0]["href"] == "https://crm.test/?q=%2B4930901820"

    changed = {"link-id": [str(link.pk)], "link-name": ["Shop"], "link-template": ["https://shop.test:8443/{name}"]}
    boss.post("/desk/offers/", LINKS | changed)
    assert [(one.pk, one.name) for one in Link.objects.all()] == [(link.pk, "Shop")]

    boss.post("/desk/offers/", LINKS | {"link-name": ["", ""], "link-template": ["", ""]})
    assert not Link.objects.exists()
    assert AuditEntry.objects.filter(what="links changed").count() == 3


@pytest.mark.parametrize(
    ("field", "written"),
    [
        ("link-template", "https://evil.test/?q={e164}"),
        ("link-template", "http://crm.test/"),
        ("link-template", "javascript:alert(1)"),
        ("link-template", "https://crm.test/{secret}"),
        ("link-template", "https://crm.test@evil.test/"),
        ("link-name", ""),
        ("hosts", "crm.test/path"),
        ("hosts", "169.254.169.254/latest meta"),
        ("hosts", "user@crm.test"),
        ("hosts", "a" * 5000),
    ],
)
def test_a_link_that_could_lead_elsewhere_is_refused_and_stays_in_its_field(
    company: Company, boss: Client, field: str, written: str
) -> None:
    answer = boss.post("/desk/offers/", LINKS | {field: written if field == "hosts" else [written]})

    assert answer.status_code == 200
    assert [str(message) for message in answer.context["messages"]] != []
    assert not Link.objects.exists()
    assert not LinkHost.objects.exists()


def test_links_of_another_company_are_never_touched(company: Company, neighbours: Company, boss: Client) -> None:
    LinkHost.objects.create(domain=neighbours.domain, host="theirs.test")
    theirs = Link.objects.create(domain=neighbours.domain, name="Theirs", template="https://theirs.test/")

    boss.post("/desk/offers/", LINKS | {"link-id": [str(theirs.pk), ""]})

    theirs.refresh_from_db()
    assert (theirs.name, Link.objects.filter(domain=company.domain).count()) == ("Theirs", 1)


def test_only_administrators_may(company: Company, signed_in: SignIn) -> None:
    company.ana.role = Person.Role.SUPERVISOR
    company.ana.save()

    for person in (company.mia, company.ana):
        assert signed_in(person).get("/desk/offers/").status_code == 403
        assert signed_in(person).post("/desk/offers/", {"outcomes": "x"}).status_code == 403
    assert not Outcome.objects.exists()
