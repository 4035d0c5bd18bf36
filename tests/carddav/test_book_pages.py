"""The pages of address books: added, tested, paused, changed and removed; and what a contact of one shows."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, Domain
from tests.boards.conftest import SignIn
from tests.carddav.conftest import people
from tests.carddav.server import CardServer, vcard
from wallboard.carddav import books, syncing, tasks, views
from wallboard.carddav.books import BookInput
from wallboard.contacts.models import Contact, SyncedBook
from wallboard.setup import guides

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]
PAGE = "/desk/contacts/books/"


@pytest.fixture
def administrator(sign_in: SignIn, monkeypatch: pytest.MonkeyPatch) -> Client:
    # What the page hands to the worker is done at once.
    monkeypatch.setattr(views, "send_now", lambda task, *given, **_: task(*given))
    return sign_in("administrator")


def said(answer: Any) -> str:
    text: str = answer.content.decode()
    return text


def test_a_book_is_added_and_read_at_once(administrator: Client, domain: Domain, server: CardServer) -> None:
    server.put("mia", vcard("Mia", "030 901820"))
    wanted = {"name": "", "url": server.book_url, "username": "mia", "password": server.password}

    page = said(administrator.post(PAGE, wanted, follow=True))

    book = SyncedBook.objects.get()
    assert "in order" in page
    assert "Contacts: 1. Entries: 1, of which 0 without a number are left out." in page
    assert people(domain) == {"Mia": ["+4930901820"]}
    stored = SyncedBook.objects.values_list("url", "password").get()
    assert all(text not in part for part in stored for text in ("pass", server.url))
    assert (book.name, AuditEntry.objects.filter(what="address book added").count()) == (server.url, 1)
    assert server.password not in said(administrator.get(f"{PAGE}{book.pk}/"))
    assert server.password not in str(list(AuditEntry.objects.values_list("changes", flat=True)))
    assert "/desk/contacts/books/" in said(administrator.get("/desk/contacts/"))
    assert guides.chapter_of("carddav:books", is_agent=False).endswith("administrator/#address-books")


@pytest.mark.parametrize("change", [{"url": "http://user:x@a.example/"}, {"username": "a:b"}, {"password": ""}])
def test_a_book_that_cannot_be_is_refused(administrator: Client, change: dict[str, str]) -> None:
    wanted = {"name": "x", "url": "https://a.example/", "username": "mia", "password": "p"}

    answer = administrator.post(PAGE, wanted | change)

    assert (answer.status_code, SyncedBook.objects.count()) == (400, 0)


def test_there_is_an_end_to_books(administrator: Client, domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(books, "MOST_BOOKS", 0)
    wanted = {"name": "x", "url": "https://a.example/", "username": "mia", "password": "p"}

    assert "as many address books as there can be" in said(administrator.post(PAGE, wanted))


def test_a_book_is_tested_read_paused_and_let_go(administrator: Client, book: SyncedBook, server: CardServer) -> None:
    act = f"{PAGE}{book.pk}/do/"

    assert "“Büro” can be read" in said(administrator.post(act, {"do": "test"}, follow=True))
    server.password = "another"
    assert "does not accept the user name" in said(administrator.post(act, {"do": "test"}, follow=True))
    page = said(administrator.post(act, {"do": "sync"}, follow=True))
    assert "cannot be read" in page
    assert "It is tried again at" in page

    assert "paused" in said(administrator.post(act, {"do": "pause"}, follow=True))
    assert syncing.due() == []
    administrator.post(act, {"do": "resume"})
    server.password = "pass wörd"
    tasks.sync_books.app.conf.task_always_eager = True
    try:
        tasks.sync_books()  # what beat starts
    finally:
        tasks.sync_books.app.conf.task_always_eager = False
    book.refresh_from_db()
    assert (book.failure, book.failures) == ("", 0)


def test_another_host_needs_the_password_again(administrator: Client, book: SyncedBook) -> None:
    moved = {"name": "Moved", "url": "https://b.example/", "username": "mia", "password": ""}

    refused = administrator.post(f"{PAGE}{book.pk}/", moved)
    administrator.post(f"{PAGE}{book.pk}/", moved | {"password": "new"})

    book.refresh_from_db()
    assert "Enter the password again" in said(refused)
    assert (book.name, book.url.open(), book.password.open()) == ("Moved", "https://b.example/", "new")


@pytest.mark.parametrize(("do", "left"), [("remove", {}), ("keep", {"Mia": ["+4930901820"]})])
def test_it_goes_with_or_without_its_contacts(
    administrator: Client, domain: Domain, book: SyncedBook, server: CardServer, do: str, left: dict[str, list[str]]
) -> None:
    server.put("mia", vcard("Mia", "030 901820"))
    syncing.run(book.pk)

    administrator.post(f"{PAGE}{book.pk}/do/", {"do": do})

    assert (SyncedBook.objects.count(), people(domain)) == (0, left)


def test_a_contact_of_a_book_says_so_and_has_no_form(
    administrator: Client, domain: Domain, book: SyncedBook, server: CardServer
) -> None:
    server.put("mia", vcard("Mia", "030 901820"))
    syncing.run(book.pk)
    contact = Contact.objects.get()
    edit = reverse("contacts:edit", args=[contact.pk])

    page = said(administrator.get(edit))
    for address in (edit, reverse("contacts:remove", args=[contact.pk]), reverse("contacts:merge", args=[contact.pk])):
        answer = administrator.post(address, {"name": "Other", "numbers": "+4930901899", "other": contact.pk})
        assert answer.url == edit  # type: ignore[attr-defined]

    assert "From the address book <bdi>Office</bdi>" in page
    assert 'name="numbers"' not in page
    assert people(domain) == {"Mia": ["+4930901820"]}


def test_books_of_another_company_and_of_no_administrator_are_out_of_reach(
    administrator: Client, sign_in: SignIn, server: CardServer
) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://127.0.0.1:1", client_id="i")
    theirs = books.add(other, BookInput("Theirs", server.book_url, "mia", "p"))

    assert administrator.get(f"{PAGE}{theirs.pk}/").status_code == 404
    assert administrator.post(f"{PAGE}{theirs.pk}/do/", {"do": "remove"}).status_code == 404
    assert "Theirs" not in said(administrator.get(PAGE))
    assert sign_in("supervisor").get(PAGE).status_code == 403
    assert SyncedBook.objects.count() == 1
