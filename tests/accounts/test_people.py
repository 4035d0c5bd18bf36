"""Linking sign-ins to extensions, and what ends with it."""

from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client

from accounts import people
from accounts.models import AuditEntry, Domain, Person, User
from tests.accounts.conftest import Provider, Visitor, make_domain


@pytest.fixture
def administrator(domain: Domain, client: Client) -> Client:
    """A browser in which the administrator with extension 100 is signed in."""
    person = people.get_or_create(domain, "100", "Ada")
    people.change_role(person, Person.Role.ADMINISTRATOR)
    people.link(person, User.objects.create(username="main-100"))
    assert person.user is not None
    client.force_login(person.user)
    return client


def test_seen_makes_a_person_once_and_keeps_the_first_name(domain: Domain) -> None:
    people.get_or_create(domain, "101")
    people.get_or_create(domain, "101", "Carla")
    people.get_or_create(domain, "101", "Carla M.")

    assert Person.objects.get().name == "Carla"


def test_nobody_has_an_empty_extension(domain: Domain) -> None:
    with pytest.raises(ValueError, match="extension"):
        people.get_or_create(domain, "")


def test_linking_another_sign_in_ends_the_old_ones_sessions(
    visitor: Visitor, domain: Domain, closed: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    visitor.sign_in()
    person = Person.objects.get(extension="101")
    old = person.user_id
    with django_capture_on_commit_callbacks(execute=True):
        people.link(person, User.objects.create(username="new"))

    assert visitor.client.get("/accounts/").status_code == 302
    assert SESSION_KEY not in visitor.client.session
    assert closed == [old]


def test_one_sign_in_is_one_person(domain: Domain) -> None:
    user = User.objects.create(username="x")
    first, second = people.get_or_create(domain, "101"), people.get_or_create(domain, "102")
    people.link(first, user)

    people.link(second, user)

    first.refresh_from_db()
    assert first.user is None
    assert Person.objects.get(user=user) == second


def test_linking_twice_changes_nothing(visitor: Visitor, closed: list[int]) -> None:
    visitor.sign_in()
    person = Person.objects.get()
    assert person.user is not None

    people.link(person, person.user)

    assert visitor.client.get("/accounts/").status_code == 200


def test_unlinking_ends_sessions_and_sockets(
    visitor: Visitor, closed: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    visitor.sign_in()
    person = Person.objects.get()
    user_id = person.user_id
    with django_capture_on_commit_callbacks(execute=True):
        people.unlink(person)

    assert visitor.client.get("/accounts/").status_code == 302
    assert closed == [user_id]


def test_unlinked_sign_in_does_not_wait_for_another_extension(visitor: Visitor, domain: Domain) -> None:
    visitor.sign_in()

    people.unlink(Person.objects.get())

    assert not people.awaiting_link(domain.pk).exists()


def test_changed_role_closes_sockets_but_keeps_the_session(
    visitor: Visitor, closed: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    visitor.sign_in()
    person = Person.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        people.change_role(person, Person.Role.SUPERVISOR)

    assert closed == [person.user_id]
    assert visitor.client.get("/accounts/").status_code == 200


def test_sign_out_ends_this_session_and_its_sockets(
    visitor: Visitor, new_visitor: Any, closed: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    other = new_visitor()
    visitor.sign_in()
    other.sign_in()
    assert visitor.client.get("/accounts/logout/").status_code == 405

    with django_capture_on_commit_callbacks(execute=True):
        visitor.client.post("/accounts/logout/")

    assert visitor.client.get("/accounts/").status_code == 302
    assert other.client.get("/accounts/").status_code == 200
    assert closed == [User.objects.get().pk]


def test_sign_out_everywhere_ends_every_session(visitor: Visitor, new_visitor: Any) -> None:
    other = new_visitor()
    visitor.sign_in()
    other.sign_in()

    visitor.client.post("/accounts/logout/everywhere/")

    assert visitor.client.get("/accounts/").status_code == 302
    assert other.client.get("/accounts/").status_code == 302


def test_administrator_confirms_who_waits(administrator: Client, visitor: Visitor, provider: Provider) -> None:
    provider.users = ()
    visitor.sign_in(next="/desk/")
    user = User.objects.exclude(link_code="").get()
    assert user.link_code in administrator.get("/accounts/people/").content.decode()

    administrator.post("/accounts/people/link/", {"user": user.pk, "extension": "103"})

    assert Person.objects.get(user=user).extension == "103"
    assert visitor.client.get("/accounts/link/")["Location"] == "/desk/"


def test_taken_extension_is_replaced_only_on_purpose(
    administrator: Client, visitor: Visitor, new_visitor: Any, provider: Provider
) -> None:
    visitor.sign_in()
    provider.users = ()
    new_visitor().sign_in()
    user = User.objects.exclude(link_code="").get()
    wish = {"user": user.pk, "extension": "101"}

    administrator.post("/accounts/people/link/", wish)
    assert Person.objects.get(extension="101").user != user

    administrator.post("/accounts/people/link/", wish | {"replace": "1"})
    assert Person.objects.get(extension="101").user == user
    assert visitor.client.get("/accounts/").status_code == 302


def test_somebody_who_waits_cannot_choose_an_extension(visitor: Visitor, provider: Provider, domain: Domain) -> None:
    provider.users = ()
    visitor.sign_in()
    user = User.objects.get()

    answer = visitor.client.post("/accounts/people/link/", {"user": user.pk, "extension": "101"})

    assert answer.status_code == 302
    assert answer["Location"] == "/accounts/link/"
    assert not Person.objects.exists()


@pytest.mark.parametrize("role", ["agent", "supervisor"])
def test_only_administrators_manage_people(visitor: Visitor, role: str) -> None:
    visitor.sign_in()
    person = Person.objects.get()
    people.change_role(person, role)

    assert visitor.client.get("/accounts/people/").status_code == 403
    answer = visitor.client.post(f"/accounts/people/{person.pk}/", {"name": "", "role": "administrator"})
    assert answer.status_code == 403
    person.refresh_from_db()
    assert person.role == role


def test_administrator_reaches_only_the_own_company(
    administrator: Client, visitor: Visitor, provider: Provider
) -> None:
    north = make_domain("north")
    stranger = people.get_or_create(north, "901", "Stranger")
    provider.users = ()
    visitor.sign_in(domain="north")
    waiting = User.objects.exclude(link_code="").get()

    page = administrator.get("/accounts/people/").content.decode()
    assert "Ada" in page
    assert "Stranger" not in page
    assert waiting.link_code not in page
    posts: list[tuple[str, dict[str, Any]]] = [
        (f"/accounts/people/{stranger.pk}/", {"name": "x", "role": "agent"}),
        (f"/accounts/people/{stranger.pk}/unlink/", {}),
        ("/accounts/people/link/", {"user": waiting.pk, "extension": "100"}),
    ]
    assert [administrator.post(path, form).status_code for path, form in posts] == [404, 404, 404]


def test_administrator_changes_name_and_role(administrator: Client, domain: Domain) -> None:
    person = people.get_or_create(domain, "101")

    administrator.post(f"/accounts/people/{person.pk}/", {"name": "Carla", "role": "supervisor"})

    person.refresh_from_db()
    assert (person.name, person.role) == ("Carla", "supervisor")


def test_last_administrator_stays_one(administrator: Client, domain: Domain) -> None:
    person = Person.objects.get(extension="100")

    answer = administrator.post(f"/accounts/people/{person.pk}/", {"name": "Ada", "role": "agent"}, follow=True)

    assert "one has to remain" in answer.content.decode()
    person.refresh_from_db()
    assert person.role == "administrator"


def test_people_are_found_by_name_and_extension(administrator: Client, domain: Domain) -> None:
    people.get_or_create(domain, "201", "Bruno")
    people.get_or_create(domain, "202", "<script>alert(1)</script>")

    by_name = administrator.get("/accounts/people/?q=brun").content.decode()
    by_extension = administrator.get("/accounts/people/?q=202").content.decode()

    assert "Bruno" in by_name
    assert "Ada" not in by_name
    assert "<script>alert" not in by_extension
    assert "&lt;script&gt;alert(1)" in by_extension


def test_superuser_without_extension_is_sent_to_the_admin_site(client: Client, domain: Domain) -> None:
    client.force_login(User.objects.create_superuser("root", password="x"))

    page = client.get("/accounts/link/").content.decode()

    assert "This account is for the admin site" in page
    assert 'href="/admin/"' in page


def test_added_person_has_a_role_before_signing_in(administrator: Client, visitor: Visitor, domain: Domain) -> None:
    administrator.post("/accounts/people/add/", {"extension": "101", "name": "Carla"})
    people.change_role(Person.objects.get(extension="101"), Person.Role.SUPERVISOR)

    visitor.sign_in()

    assert Person.objects.get(extension="101").role == "supervisor"
    assert "Supervisor" in visitor.client.get("/accounts/").content.decode().title()


@pytest.mark.parametrize(
    "extension", ["http://[::1", "'\"><script>", "101 102", "a/b", "101@example.test", "-101", "1" * 65, ""]
)
def test_what_no_extension_can_be_is_refused(administrator: Client, extension: str) -> None:
    page = administrator.post("/accounts/people/add/", {"extension": extension}, follow=True)

    assert "An extension has at most 64 letters" in page.content.decode()
    assert not Person.objects.filter(extension=extension.strip()).exists()


@pytest.mark.parametrize("extension", ["101", "+49301234", "jörg.müller-2", "آنا", "a_b"])
def test_user_names_are_extensions_too(administrator: Client, extension: str) -> None:
    administrator.post("/accounts/people/add/", {"extension": f" {extension} "})

    assert Person.objects.filter(extension=extension).exists()


def test_somebody_new_with_an_extension_begins_without_role_name_and_notes(
    administrator: Client, visitor: Visitor, provider: Provider, domain: Domain
) -> None:
    before = people.get_or_create(domain, "101", "Carla")
    people.change_role(before, Person.Role.SUPERVISOR)
    people.link(before, User.objects.create(username="carla"))
    provider.users = ()
    visitor.sign_in()
    user = User.objects.exclude(link_code="").get()

    administrator.post(
        "/accounts/people/link/", {"user": user.pk, "extension": "101", "replace": "1", "is_somebody_new": "1"}
    )

    person = Person.objects.get(extension="101")
    assert (person.user, person.role, person.name) == (user, "agent", "")
    before.refresh_from_db()
    assert (before.user, before.role, before.name, before.is_hidden) == (None, "agent", "Carla", True)
    assert before.extension.startswith("101 until ")
    assert AuditEntry.objects.filter(what="extension handed over", about="101").exists()
