"""Companies and people in the Django admin."""

from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from accounts import limits, people
from accounts.models import AuditEntry, Domain, Person, Team, User
from tests.accounts.conftest import Provider, Visitor
from wallboard.setup import removing


@pytest.fixture
def root(client: Client, domain: Domain) -> Client:
    client.force_login(User.objects.create_superuser("root", password="x"))
    return client


def test_a_company_with_people_is_removed_by_the_worker(root: Client, domain: Domain) -> None:
    people.get_or_create(domain, "101")
    assert "delete_selected" not in root.get("/admin/accounts/domain/").content.decode()
    path = f"/admin/accounts/domain/{domain.pk}/delete/"

    page = root.post(path, {"post": "yes"}, follow=True).content.decode()

    assert ("Main company is being removed." in page, "successfully" in page) == (True, False)
    assert root.post(path, {"post": "yes"}).status_code == 403
    domain.refresh_from_db()
    assert (domain.is_active, domain.removal_at is None) == (False, False)
    removing.go_on()
    assert not Domain.objects.exists()


def person_fields(person: Person, **changes: Any) -> dict[str, Any]:
    return {"name": person.name, "role": person.role, "user": person.user_id or ""} | changes


def test_waiting_sign_in_is_linked_by_choice(
    root: Client, visitor: Visitor, domain: Domain, provider: Provider
) -> None:
    provider.users = ()
    visitor.sign_in()
    user = User.objects.exclude(link_code="").get()
    person = people.get_or_create(domain, "101", "Carla")
    path = f"/admin/accounts/person/{person.pk}/change/"
    assert f"waiting with number {user.link_code}" in root.get(path).content.decode()

    assert root.post(path, person_fields(person, user=user.pk)).status_code == 302

    person.refresh_from_db()
    assert person.user == user


def test_person_is_made_and_changed_through_the_admin(root: Client, domain: Domain) -> None:
    form = {"domain": domain.pk, "extension": "105", "name": "Eva", "role": "supervisor"}
    assert root.post("/admin/accounts/person/add/", form).status_code == 302
    person = Person.objects.get(extension="105")
    assert (person.name, person.role) == ("Eva", "supervisor")

    path = f"/admin/accounts/person/{person.pk}/change/"
    assert root.post(path, person_fields(person, role="agent", is_hidden="on")).status_code == 302

    person.refresh_from_db()
    assert (person.role, person.is_hidden) == ("agent", True)


def test_unlinking_in_the_admin_signs_out(root: Client, visitor: Visitor) -> None:
    visitor.sign_in()
    person = Person.objects.get(extension="101")

    root.post(f"/admin/accounts/person/{person.pk}/change/", person_fields(person, user=""))

    assert visitor.client.get("/accounts/").status_code == 302


def test_deleted_person_is_signed_out(root: Client, visitor: Visitor) -> None:
    visitor.sign_in()
    chosen = {"action": "delete_selected", "_selected_action": [Person.objects.get().pk], "post": "yes"}

    root.post("/admin/accounts/person/", chosen)

    assert not Person.objects.exists()
    assert visitor.client.get("/accounts/").status_code == 302


def test_last_administrator_cannot_be_demoted(root: Client, domain: Domain) -> None:
    person = people.get_or_create(domain, "100")
    people.change_role(person, Person.Role.ADMINISTRATOR)

    answer = root.post(f"/admin/accounts/person/{person.pk}/change/", person_fields(person, role="agent"))

    assert "one has to remain" in answer.content.decode()


def test_sign_out_everywhere_action(root: Client, visitor: Visitor) -> None:
    visitor.sign_in()
    user = Person.objects.get(extension="101").user_id

    root.post("/admin/accounts/user/", {"action": "end_sessions", "_selected_action": [user]})

    assert visitor.client.get("/accounts/").status_code == 302


@pytest.mark.parametrize("name", ["domain", "user", "person", "grant", "companytoken", "lease"])
def test_lists_open_for_superusers_and_for_nobody_else(root: Client, visitor: Visitor, name: str) -> None:
    visitor.sign_in()

    assert root.get(f"/admin/accounts/{name}/").status_code == 200
    assert visitor.client.get(f"/admin/accounts/{name}/").status_code == 302


def test_a_team_gets_another_name_and_both_are_noted(root: Client, domain: Domain) -> None:
    people.get_or_create(domain, "101", "Bea")
    team = limits.save_team(domain, "North", ["101"])

    form = {"name": "South", "people": list(team.people.values_list("pk", flat=True))}
    assert root.post(f"/admin/accounts/team/{team.pk}/change/", form).status_code == 302

    assert Team.objects.get().name == "South"
    assert AuditEntry.objects.get(what="team changed").changes == {"name": ["North", "South"]}


def test_a_team_does_not_get_the_name_of_another(root: Client, domain: Domain) -> None:
    north, _south = (limits.save_team(domain, name, []) for name in ("North", "South"))

    refused = root.post(f"/admin/accounts/team/{north.pk}/change/", {"name": "South", "people": []})
    same = root.post(f"/admin/accounts/team/{north.pk}/change/", {"name": "North", "people": []})
    twice = root.post("/admin/accounts/team/add/", {"domain": domain.pk, "name": "South", "people": []})

    assert (refused.status_code, same.status_code, twice.status_code) == (200, 302, 200)
    assert "There is a team of this name already." in refused.content.decode()
    assert set(Team.objects.values_list("name", flat=True)) == {"North", "South"}


def test_a_team_that_could_not_be_removed_is_not_noted_as_removed(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = limits.save_team(domain, "North", [])

    def fail(*_args: Any) -> None:
        raise OperationalError("the disk is full")

    monkeypatch.setattr(Team, "delete", fail)
    with pytest.raises(OperationalError):
        limits.remove_team(team)

    assert not AuditEntry.objects.filter(what="team removed").exists()


def test_the_admin_site_has_the_icon_of_the_site(root: Client) -> None:
    for client, path in ((root, "/admin/"), (Client(), "/admin/login/")):
        assert '<link rel="icon" href="/static/icon' in client.get(path).content.decode()
