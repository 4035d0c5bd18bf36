"""A company is never left without anybody who may change roles."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from accounts import people
from accounts.models import Domain, Person, User
from accounts.signin import joining
from tests.accounts.keys import PASSWORD, signed_in
from wallboard.setup import first_key

pytestmark = pytest.mark.django_db
REFUSAL = "one has to remain"


@pytest.fixture
def keeper(domain: Domain) -> Person:
    """The first administrator, whose account has no extension yet."""
    user = User.objects.create_user("keeper", password=PASSWORD)
    return Person.objects.create(domain=domain, user=user, extension=joining.LOCAL_EXTENSION, role="administrator")


def administrator(domain: Domain, extension: str) -> Person:
    person = people.get_or_create(domain, extension)
    people.change_role(person, "administrator")
    people.link(person, User.objects.create(username=extension))
    return person


def test_the_only_administrator_does_not_unlink_a_local_account(keeper: Person) -> None:
    assert keeper.user is not None
    browser = signed_in(keeper.user)

    page = browser.post(f"/accounts/people/{keeper.pk}/unlink/", follow=True).content.decode()

    assert REFUSAL in page
    entered = Client().post("/accounts/password/", {"username": "keeper", "password": PASSWORD, "next": "/setup/"})
    assert entered.status_code == 302


def test_a_local_account_is_unlinked_where_somebody_else_administrates(keeper: Person, domain: Domain) -> None:
    ada = administrator(domain, "101")

    people.unlink(keeper)

    assert not Person.objects.get(pk=keeper.pk).user
    # Nobody signs in as the local account again.
    with pytest.raises(people.LastAdministrator):
        people.change_role(ada, "agent")


def test_whoever_has_an_extension_signs_in_at_the_provider_again(domain: Domain) -> None:
    ada = administrator(domain, "101")

    people.unlink(ada)

    assert (ada.user, ada.role) == (None, "administrator")


def test_a_company_whose_local_account_is_gone_is_invited_again(keeper: Person, domain: Domain) -> None:
    with pytest.raises(CommandError, match="has an administrator already"):
        call_command("company", "invite", domain.slug)
    assert keeper.user is not None
    keeper.user.delete()
    assert first_key.is_needed(domain)
    assert first_key.is_needed()

    key = first_key.issue(domain).rstrip("/").rpartition("/")[2]
    person = first_key.spend(key, User(username="next"))

    assert (person.pk, person.role) == (keeper.pk, "administrator")


def test_the_admin_site_refuses_it_too_but_deletes_who_is_to_be_deleted(keeper: Person, admin_client: Client) -> None:
    path = f"/admin/accounts/person/{keeper.pk}"

    answer = admin_client.post(f"{path}/change/", {"name": "", "role": "administrator", "user": ""})
    assert REFUSAL in answer.content.decode()
    assert Person.objects.get(pk=keeper.pk).user

    assert admin_client.post(f"{path}/delete/", {"post": "yes"}).status_code == 302
    assert not Person.objects.filter(pk=keeper.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_demote_each_other_at_once_one_stays(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bea = administrator(domain, "101"), administrator(domain, "102")
    both, change_role = Barrier(2), people.change_role

    def slowly(person: Person, role: str) -> None:
        # Where nothing keeps them apart, each has taken the row of the other by now.
        with suppress(BrokenBarrierError):
            both.wait(2)
        change_role(person, role)

    def demote(browser: Client, whom: Person) -> int:
        try:
            return browser.post(f"/accounts/people/{whom.pk}/", {"name": "", "role": "agent"}).status_code
        finally:
            connection.close()

    monkeypatch.setattr(people, "change_role", slowly)
    browsers = [signed_in(person.user) for person in (ada, bea) if person.user]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(demote, browsers, (bea, ada)))

    assert answers == [302, 302]
    assert people.administrators(domain.pk).count() == 1
