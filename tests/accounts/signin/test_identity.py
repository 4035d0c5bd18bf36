"""Whose sign-in it is: a field of the token answer, the probe, or an administrator's word."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import people
from accounts.models import AuditEntry, Domain, Grant, IdentityProbe, Person, User
from accounts.signin import identity, joining, proof_texts
from tests.accounts.conftest import Provider, Visitor
from wallboard.calls.webhooks import hook_secrets


def test_field_of_the_token_answer_names_the_person_where_the_probe_says_nothing(
    visitor: Visitor, provider: Provider
) -> None:
    Domain.objects.update(identity_field="uid", provider_domain="acme.example")
    provider.extra = {"uid": "102@Acme.example"}
    provider.users = ()

    visitor.sign_in()

    assert Person.objects.get().extension == "102"


@pytest.mark.parametrize(
    ("named", "read_back", "extension"),
    [
        ("102", "102", "102"),
        ("102@acme.example", "sip:102@ACME.example", "102"),
        ("102", "101", None),
        ("102@rival.example", "102", None),
        ("102", "102@rival.example", None),
        ("102@rival.example", "102@rival.example", None),
    ],
)
def test_two_proofs_must_agree(
    visitor: Visitor, provider: Provider, named: str, read_back: str, extension: str | None
) -> None:
    Domain.objects.update(identity_field="uid", provider_domain="acme.example")
    provider.extra, provider.users = {"uid": named}, (read_back,)

    answer = visitor.sign_in()

    assert [person.extension for person in Person.objects.all()] == ([extension] if extension else [])
    assert answer["Location"] == ("/" if extension else "/accounts/link/")


@pytest.mark.parametrize("name", [joining.LOCAL_EXTENSION, "101 until 2026-11-20 12:00:00"])
def test_no_account_at_the_provider_is_somebody_without_a_phone(
    visitor: Visitor, provider: Provider, domain: Domain, name: str
) -> None:
    person = people.get_or_create(domain, name)
    people.link(person, User.objects.create_user("ada"))
    people.change_role(person, Person.Role.ADMINISTRATOR)
    Domain.objects.update(identity_field="uid")
    provider.extra, provider.users = {"uid": name}, (name,)

    answer = visitor.sign_in()

    assert answer["Location"] == "/accounts/link/"
    assert Person.objects.get().user == User.objects.get(username="ada")
    assert "That is not a user of this company" in visitor.client.get("/accounts/link/").content.decode()


def test_an_administrator_sees_both_of_two_proofs_that_differ(
    visitor: Visitor, new_visitor: Callable[[], Visitor], provider: Provider, domain: Domain
) -> None:
    people.change_role(people.get_or_create(domain, "101"), Person.Role.ADMINISTRATOR)
    Domain.objects.update(identity_field="number")
    provider.extra, provider.users = {"number": "101"}, ("101",)
    administrator = new_visitor()
    administrator.sign_in()
    provider.extra, provider.users = {"number": "206"}, ("201",)

    visitor.sign_in()

    for page in (administrator.client.get("/accounts/people/"), visitor.client.get("/accounts/link/")):
        text = page.content.decode()
        assert "The token answer names 206. The subscription read back names 201. They contradict" in text
    entry = AuditEntry.objects.get(what="sign-in held back")
    assert entry.changes == {"answer": [None, "206"], "read back": [None, "201"]}


def test_an_extension_of_another_account_is_not_signed_in_as(
    visitor: Visitor, new_visitor: Callable[[], Visitor], provider: Provider
) -> None:
    """The read-back names a wrong extension, and the token answer happens to say that this is somebody else."""
    provider.extra, provider.users = {"uid": "u-201"}, ("201",)
    visitor.sign_in()
    assert new_visitor().sign_in()["Location"] == "/"
    provider.extra = {"uid": "u-209"}
    stranger = new_visitor()

    assert stranger.sign_in()["Location"] == "/accounts/link/"

    assert Person.objects.get(extension="201").user == User.objects.get(link_code="")
    assert "Extension 201 is linked to another account" in stranger.client.get("/accounts/link/").content.decode()


def test_an_account_of_another_extension_is_not_signed_in_as_a_free_one(
    visitor: Visitor, new_visitor: Callable[[], Visitor], provider: Provider
) -> None:
    provider.extra, provider.users = {"uid": "u-209"}, ("209",)
    visitor.sign_in()
    provider.users = ("201",)
    again = new_visitor()

    assert again.sign_in()["Location"] == "/accounts/link/"
    assert list(Person.objects.values_list("extension", flat=True)) == ["209"]
    page = again.client.get("/accounts/link/").content.decode()
    assert "The same account at the provider is linked to another extension." in page


def test_a_probe_that_fails_once_is_tried_again(visitor: Visitor, provider: Provider) -> None:
    provider.failing_probes = 1

    assert visitor.sign_in()["Location"] == "/"
    assert len(provider.probes) == 2


def test_a_probe_that_is_still_being_set_up_is_waited_for(visitor: Visitor, provider: Provider) -> None:
    provider.settling_reads = 3

    assert visitor.sign_in()["Location"] == "/"
    assert (len(provider.probes), len(provider.deleted)) == (1, 1)


def test_a_domain_that_is_not_known_yet_counts_for_nobody(visitor: Visitor, provider: Provider) -> None:
    provider.users = ("101@acme.example",)

    assert visitor.sign_in()["Location"] == "/accounts/link/"
    assert "not a user of this company" in visitor.client.get("/accounts/link/").content.decode()


def test_what_was_not_known_at_a_sign_in_and_is_known_now_asks_to_sign_in_again(
    visitor: Visitor, provider: Provider
) -> None:
    provider.users, provider.extra = ("101@acme.example",), {"uid": "u-101"}
    visitor.sign_in()
    Domain.objects.update(provider_domain="acme.example")

    page = visitor.client.get("/accounts/link/").content.decode()

    assert "Nothing speaks against that any more: signing in again links this extension." in page
    assert "linked to another" not in page
    assert visitor.sign_in()["Location"] == "/"
    assert Person.objects.get().extension == "101"


@pytest.mark.parametrize("account", [{}, {"uid": "u-101"}])
def test_who_made_the_installation_is_linked_once_the_domain_is_known(
    visitor: Visitor, provider: Provider, domain: Domain, account: dict[str, object]
) -> None:
    user = User.objects.create_user("root", password="x")
    person = Person.objects.create(domain=domain, extension=joining.LOCAL_EXTENSION, user=user, role="administrator")
    visitor.client.force_login(user)
    provider.users, provider.extra = ("101@acme.example",), account
    visitor.sign_in(join="1")
    Domain.objects.update(provider_domain="acme.example")

    assert proof_texts.reasons(Grant.objects.get())[-1].startswith("Nothing speaks against that any more")
    visitor.sign_in(join="1")

    person.refresh_from_db()
    assert (person.extension, person.user) == ("101", user)


def test_field_that_names_another_company_counts_for_nothing(visitor: Visitor, provider: Provider) -> None:
    Domain.objects.update(identity_field="uid", provider_domain="acme.example")
    provider.extra = {"uid": "102@rival.example"}
    provider.users = ()

    assert visitor.sign_in()["Location"] == "/accounts/link/"
    assert Person.objects.count() == 0


@pytest.mark.parametrize(
    ("user", "extensions"), [("sip:102@Acme.example", ["102"]), ("102@rival.example", [])], ids=["ours", "another's"]
)
def test_a_probe_may_name_the_person_with_the_company(
    visitor: Visitor, provider: Provider, user: str, extensions: list[str]
) -> None:
    Domain.objects.update(provider_domain="acme.example")
    provider.users = (user,)

    visitor.sign_in()

    assert list(Person.objects.values_list("extension", flat=True)) == extensions


@pytest.mark.parametrize("users", [(), ("101", "102")])
def test_unclear_probe_lets_the_person_wait(visitor: Visitor, provider: Provider, users: tuple[str, ...]) -> None:
    provider.users = users

    assert visitor.sign_in(next="/desk/")["Location"] == "/accounts/link/"

    user = User.objects.get()
    assert len(user.link_code) == 4
    page = visitor.client.get("/accounts/link/")
    assert user.link_code in page.content.decode()
    assert visitor.client.get("/accounts/link/state/").json()["is_over"] is False


def test_refused_probe_lets_the_person_wait(visitor: Visitor, provider: Provider) -> None:
    provider.subscription_status = 403

    assert visitor.sign_in()["Location"] == "/accounts/link/"


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (403, "The provider names no extension."),
        (503, "The provider could not be asked for the extension. Signing in again asks it once more."),
    ],
)
def test_a_provider_that_could_not_be_asked_is_not_said_to_name_nobody(
    visitor: Visitor, provider: Provider, status: int, said: str
) -> None:
    provider.subscription_status = status
    visitor.sign_in()
    assert said in visitor.client.get("/accounts/link/").content.decode()

    provider.subscription_status, provider.users = 200, ()
    visitor.sign_in()
    assert "names no extension" in visitor.client.get("/accounts/link/").content.decode()


def test_waiting_ends_when_an_administrator_confirms(visitor: Visitor, provider: Provider, domain: Domain) -> None:
    provider.users = ()
    visitor.sign_in(next="/desk/")

    people.link(people.get_or_create(domain, "103"), User.objects.get())

    assert visitor.client.get("/accounts/link/state/").json() == {"is_over": True}
    assert visitor.client.get("/accounts/link/")["Location"] == "/desk/"


def test_waiting_twice_in_one_browser_leaves_one_entry(visitor: Visitor, provider: Provider) -> None:
    provider.users = ()
    visitor.sign_in()
    visitor.sign_in()

    assert User.objects.count() == 1


def test_probe_address_is_known_to_the_webhook_door_for_a_while(visitor: Visitor, provider: Provider) -> None:
    visitor.sign_in()
    secret = provider.probes[0].rstrip("/").rsplit("/", 1)[1]

    assert hook_secrets.from_database()[hook_secrets.hash_of(secret)].is_probe
    assert secret not in str(list(IdentityProbe.objects.values()))
    with time_machine.travel(timezone.now() + timedelta(minutes=10)):
        assert hook_secrets.from_database() == {}
        identity.forget_old_probes()
        assert not IdentityProbe.objects.exists()


def test_an_account_is_the_same_with_a_new_address_of_e_mail(visitor: Visitor, provider: Provider) -> None:
    provider.extra = {"uid": "u-101", "email": "ana.lima@acme.example"}
    visitor.sign_in()
    provider.extra = {"uid": "u-101", "email": "ana.sousa@acme.example"}

    assert visitor.sign_in()["Location"] == "/"
