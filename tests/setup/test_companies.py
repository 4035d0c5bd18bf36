"""The operator's pages and `manage.py company`: a second company from nothing to its own wizard, paused, and gone."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import AuditEntry, Domain, Person, User
from tests.accounts.conftest import make_domain
from wallboard.setup import first_key

pytestmark = pytest.mark.django_db
PAGE = "/operator/companies/"
FORM = {"username": "ada", "password1": "a-long-enough-phrase", "password2": "a-long-enough-phrase"}


@pytest.fixture
def operator() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("keeper", is_operator=True))
    return client


def test_the_first_administrator_of_the_installation_keeps_it_and_that_of_a_company_does_not() -> None:
    first, second = Client(), Client()
    first.post(first_key.issue().removeprefix("http://testserver"), FORM)
    acme = make_domain("acme")
    second.post(first_key.issue(acme).removeprefix("http://testserver"), FORM | {"username": "eve"})

    assert first.get(PAGE).status_code == 200
    assert PAGE in first.get("/manage/").content.decode()
    assert second.get(PAGE).status_code == 403
    assert PAGE not in second.get("/manage/").content.decode()
    assert Person.objects.get(user__username="eve").domain == acme


def test_a_company_is_added_and_its_administrator_walks_the_wizard_of_that_company(operator: Client) -> None:
    make_domain("main")
    added = operator.post(PAGE, {"name": "Acme", "slug": "", "host": "acme.localhost"})
    acme = Domain.objects.get(slug="acme")
    page, again = (operator.post(f"{PAGE}{acme.pk}/invite/", follow=True).content.decode() for _ in range(2))
    address = page.split('id="invitation">')[1].split("<")[0]
    assert address in again
    visitor = Client(headers={"host": "acme.localhost"})

    begun = visitor.post(address.removeprefix("http://acme.localhost"), FORM)

    assert added.headers["Location"] == f"{PAGE}{acme.pk}/"
    assert begun.headers["Location"] == "/setup/start/"
    wizard = visitor.get("/setup/start/login/").content.decode()
    assert "http://acme.localhost/accounts/callback/" in wizard
    assert Person.objects.get().domain == acme
    assert "has an administrator already" in operator.post(f"{PAGE}{acme.pk}/invite/", follow=True).content.decode()
    assert {"company added", "administrator invited"} <= set(AuditEntry.objects.values_list("what", flat=True))


def test_mistakes_are_said_beside_their_fields(operator: Client) -> None:
    make_domain("main")
    twice = operator.post(PAGE, {"name": "Acme", "slug": "main", "host": ""})
    ours = operator.post(PAGE, {"name": "Acme", "slug": "acme", "host": "testserver"})

    assert (twice.status_code, ours.status_code) == (400, 400)
    assert "already exists" in twice.content.decode()
    assert "the host of the installation itself" in ours.content.decode()
    assert Domain.objects.count() == 1


def test_a_company_is_edited_paused_and_resumed(operator: Client) -> None:
    page = f"{PAGE}{make_domain('acme').pk}/"

    operator.post(page, {"name": "Acme Ltd", "slug": "", "host": ""})
    operator.post(f"{page}pause/")
    paused = operator.get(page).content.decode()
    no_key = operator.post(f"{page}invite/").status_code
    operator.post(f"{page}resume/")

    domain = Domain.objects.get()
    assert (domain.name, domain.slug, domain.is_active) == ("Acme Ltd", "acme", True)
    assert "Resume this company" in paused
    assert no_key == 404
    what = list(AuditEntry.objects.order_by("pk").values_list("what", "who"))
    assert what == [(each, "keeper") for each in ("company changed", "company paused", "company resumed")]


def test_a_removal_tells_what_goes_and_asks_for_the_name(operator: Client) -> None:
    domain = make_domain("acme")
    Person.objects.create(domain=domain, extension="101")
    page = f"{PAGE}{domain.pk}/remove/"

    told = operator.get(page).content.decode()
    wrong = operator.post(page, {"name": "acme"})
    right = operator.post(page, {"name": "Acme company"})

    assert "<dt>People</dt><dd>1</dd>" in told
    assert wrong.status_code == 400
    assert "Nothing was removed" in wrong.content.decode()
    assert right.headers["Location"] == PAGE
    assert "being removed" in operator.get(PAGE).content.decode()
    assert operator.get(f"{PAGE}{domain.pk}/").status_code == 404


def test_a_key_is_worth_nothing_for_a_paused_company() -> None:
    acme = make_domain("acme")
    path = first_key.issue(acme).removeprefix("http://testserver")
    assert Client().get(path).status_code == 200

    Domain.objects.update(is_active=False)

    assert Client().get(path).status_code == 404
    assert Client().post(path, FORM).status_code == 404


def run(*words: str) -> str:
    out = StringIO()
    call_command("company", *words, stdout=out)
    return out.getvalue()


def test_the_command_says_which_value_is_wrong() -> None:
    with pytest.raises(CommandError, match=r"^Name: This field cannot be blank\.$"):
        run("add", "")
    with pytest.raises(CommandError, match=r"^Short name: "):
        run("add", "Acme", "--slug", "a b")


def test_the_command_does_what_the_page_does(monkeypatch: pytest.MonkeyPatch) -> None:
    added = run("add", "Acme", "--host", "acme.localhost")
    edited = run("edit", "acme", "--name", "Acme Ltd", "--new-slug", "ltd", "--host", "")
    run("pause", "ltd")
    listed = run("list")
    run("resume", "ltd")
    invited = run("invite", "ltd")

    assert "http://acme.localhost/setup/first/" in added
    assert "http://testserver/c/ltd/" in edited
    assert listed == "ltd  paused  http://testserver  Acme Ltd\n"
    assert "http://testserver/setup/first/" in invited
    with pytest.raises(CommandError, match="not the name"):
        run("remove", "ltd", "--sure", "ltd")
    monkeypatch.setattr("builtins.input", lambda _: "Acme Ltd")
    assert "0 people" in run("remove", "ltd")
    assert "being removed" in run("list")


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("pause", "nobody"), "There is no company “nobody”. Known: main."),
        (("add", "Main", "--slug", "main"), "already"),
        (("add", "Acme", "--host", "https://acme"), "A host name looks like"),
    ],
)
def test_the_command_refuses_with_one_sentence(words: tuple[str, ...], refusal: str) -> None:
    make_domain("main")

    with pytest.raises(CommandError, match=refusal):
        run(*words)


def test_the_command_invites_nobody_twice() -> None:
    domain = make_domain("main")
    Person.objects.create(domain=domain, extension="101", role="administrator")

    with pytest.raises(CommandError, match="has an administrator already"):
        run("invite", "main")
