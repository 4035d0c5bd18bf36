"""Nothing makes some names unique: a document that does not tell which one is meant changes none of them."""

from typing import Any

import msgspec
import pytest

from accounts.models import Domain
from tests.boards.conftest import domain as domain
from wallboard.boards import editing
from wallboard.carddav import books
from wallboard.carddav.books import BookInput
from wallboard.configuration import document, exporting, importing
from wallboard.configuration.document import NotUnderstood
from wallboard.contacts.models import Link, SyncedBook
from wallboard.desk import outcomes
from wallboard.desk.outcomes import LinkInput
from wallboard.screens import screens
from wallboard.screens.models import Screen

pytestmark = pytest.mark.django_db


def told(domain: Domain) -> Any:
    return msgspec.json.decode(document.written(exporting.export(domain)))


def take(domain: Domain, entries: Any) -> None:
    importing.take(domain, document.read(msgspec.json.encode(entries)))


def test_of_two_links_with_one_name_both_stay(domain: Domain) -> None:
    templates = ["https://a.example.com/{e164}", "https://b.example.com/{e164}"]
    entries = [LinkInput(None, "CRM", template) for template in templates]
    outcomes.save_links(domain, ["a.example.com", "b.example.com"], entries)
    before = list(Link.objects.values_list("pk", "template"))
    wanted = told(domain)

    wanted["links"]["hosts"].append("c.example.com")
    take(domain, wanted)

    assert list(Link.objects.values_list("pk", "template")) == before


def test_of_two_tvs_with_one_name_neither_is_changed(domain: Domain) -> None:
    boards = [editing.create(domain, editing.BoardInput(name), name.lower()) for name in ("One", "Two", "Three")]
    for board in boards[:2]:
        screens.create(board, "Main")
    wanted = told(domain)
    Screen.objects.update(name="Elsewhere")
    take(domain, wanted)  # where there are none, none can be mixed up
    Screen.objects.update(name="Main")

    wanted["screens"][1]["board"] = "three"
    with pytest.raises(NotUnderstood, match="Two entries are called “Main”"):
        take(domain, wanted)

    assert list(Screen.objects.order_by("pk").values_list("board__slug", flat=True)) == ["one", "two"]


def test_of_two_address_books_with_one_name_neither_is_changed(domain: Domain) -> None:
    for path in ("a", "b"):
        books.add(domain, BookInput("", f"https://cloud.example.com/{path}/", "mia", "secret"))
    wanted = told(domain)

    wanted["address_books"][1]["username"] = "reader"
    with pytest.raises(NotUnderstood, match=r"\$\.address_books\[1\]"):
        take(domain, wanted)

    assert set(SyncedBook.objects.values_list("username", flat=True)) == {"mia"}
