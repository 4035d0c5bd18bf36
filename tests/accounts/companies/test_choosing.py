"""Which company a sign-in is to: by the host, by the address, by an earlier choice; nobody is shown a list."""

from django.test import Client

from accounts.models import Domain
from tests.accounts.conftest import make_domain

START = "/accounts/login/start/?domain="


def page(client: Client, path: str = "/accounts/login/", host: str = "testserver") -> str:
    return client.get(path, headers={"host": host}).content.decode()


def test_one_company_needs_no_choice(domain: Domain) -> None:
    assert f"{START}main" in page(Client())


def test_a_wrong_short_name_is_told_without_making_one_company_several(domain: Domain) -> None:
    wrong = Client().get("/c/nobody/")

    assert wrong.status_code == 404
    assert "There is no such company here." in wrong.content.decode()
    assert "Several companies" not in wrong.content.decode()


def test_with_several_its_short_name_is_asked_for_and_remembered(domain: Domain) -> None:
    make_domain("acme")
    visitor = Client()

    asked = page(visitor)
    wrong = visitor.get("/accounts/login/", {"company": "nobody"})
    right = page(visitor, "/accounts/login/?company=ACME")

    assert START not in asked
    assert "Several companies" in asked
    assert "Main company" not in asked
    assert wrong.status_code == 404
    assert "There is no such company here." in wrong.content.decode()
    assert f"{START}acme" in right
    assert f"{START}acme" in page(visitor)
    assert f"{START}main" in page(visitor, "/c/main/")
    assert f"{START}main" in page(visitor)


def test_a_company_with_a_host_is_signed_in_to_there_only(domain: Domain) -> None:
    make_domain("acme", host="acme.localhost")

    assert f"{START}main" in page(Client())
    assert f"{START}acme" in page(Client(), host="acme.localhost")
    assert Client().get("/c/acme/").headers["Location"].startswith("http://acme.localhost/accounts/login/")
    elsewhere = Client().get(f"{START}acme&next=/desk/")
    assert elsewhere.headers["Location"] == "http://acme.localhost/accounts/login/?next=%2Fdesk%2F"
    assert Client(headers={"host": "acme.localhost"}).get(f"{START}main").status_code == 404
    away = Client(headers={"host": "acme.localhost"}).get(f"{START}acme").headers["Location"]
    assert "redirect_uri=http%3A%2F%2Facme.localhost%2Faccounts%2Fcallback%2F" in away


def test_a_company_that_is_being_removed_is_gone(domain: Domain) -> None:
    make_domain("acme", is_active=False, removal_at="2030-01-01T00:00:00Z")

    assert Client().get("/c/acme/").status_code == 404
    assert f"{START}main" in page(Client())


def test_a_paused_company_says_so(domain: Domain) -> None:
    domain.is_active = False
    domain.save()

    shown = page(Client())

    assert "whoever runs this installation has paused it" in shown
    assert START not in shown
    assert Client().get(f"{START}main").status_code == 404
