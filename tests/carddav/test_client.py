"""What a server may answer, and what is said of it: refusals, pauses, nonsense, too much, and leads to other hosts."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import Domain
from tests.carddav.conftest import Sync, people
from tests.carddav.server import BOOK, CardServer, ok, vcard, wrapped
from wallboard.carddav import client, syncing
from wallboard.contacts.models import SyncedBook

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("_two")
def test_a_wrong_password_is_said_and_tried_ever_more_seldom(domain: Domain, server: CardServer, sync: Sync) -> None:
    sync()
    server.password = "another"

    pauses = []
    for _ in range(8):
        book = sync()
        assert book.tried_at is not None
        pauses.append(round((book.next_at - book.tried_at).total_seconds() / 60))

    assert book.failure == "The server does not accept the user name or the password."
    assert pauses == [5, 10, 20, 40, 80, 160, 320, 360]
    assert len(people(domain)) == 2  # they stay as they are
    assert book.pk not in syncing.due()
    server.password = "pass wörd"
    assert (sync().failures, book.failure) == (0, "")


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ((301, b"", {"Location": "https://else.example/dav/?token=1"}), "moved to https://else.example/dav/. Enter"),
        ((404, b"", {}), "There is no address book at this address (404)."),
        ((500, b"boom", {}), "The server answered 500 boom"),
        ((207, b"<html>", {}), "The server's answer cannot be read."),
        ((207, b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", {}), "The server's answer cannot be read."),
        ((207, b"x" * (client.MOST_BYTES + 1), {}), "The server's answer is too large."),
    ],
)
@pytest.mark.usefixtures("_two")
def test_what_is_wrong_is_said(server: CardServer, sync: Sync, answer: Any, sentence: str) -> None:
    server.answers.append(answer)

    book = sync()

    assert sentence in book.failure
    assert "token=1" not in book.failure
    assert server.password not in book.failure


def test_a_server_that_asks_for_a_pause_gets_it(server: CardServer, sync: Sync) -> None:
    server.answers.append((503, b"", {"Retry-After": "7200"}))

    book = sync()

    assert book.next_at > timezone.now() + timedelta(seconds=7100)


def test_a_private_address_is_refused(settings: Any, server: CardServer, sync: Sync) -> None:
    settings.OUTBOUND_ALLOWED_NETWORKS = ()

    assert "https" in sync().failure
    assert server.asked == []
    SyncedBook.objects.update(url=sealed(server.book_url.replace("http://", "https://")))
    assert "private network" in sync().failure


@pytest.mark.usefixtures("_two")
def test_the_address_of_the_server_is_enough_where_there_is_one_book(
    domain: Domain, server: CardServer, sync: Sync
) -> None:
    SyncedBook.objects.update(url=sealed(server.url + "/"))

    sync()
    server.second_book = True
    book = sync()

    assert len(people(domain)) == 2
    assert book.failure.startswith("There are several address books.")
    assert f"{server.url}/dav/addressbooks/mia/other/" in book.failure


def test_too_many_entries_are_refused_before_one_is_fetched(
    server: CardServer, sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "MOST_CARDS", 2)
    for number in range(3):
        server.put(f"c{number}", vcard(f"C{number}", f"+493090182{number}"))

    assert sync().failure == "The address book has more than 2 entries."
    assert server.fetched() == 0


def test_cards_that_are_too_large_together_are_fetched_apart(
    domain: Domain, server: CardServer, sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "MOST_BYTES", 6_000)
    for number in range(4):
        server.put(f"c{number}", vcard(f"C{number}", f"+493090182{number}", more=f"PHOTO:{'A' * 2_000}\r\n"))
    server.put("huge", vcard("Huge", "+4930901830", more=f"PHOTO:{'A' * 9_000}\r\n"))

    book = sync()

    assert sorted(people(domain)) == ["C0", "C1", "C2", "C3"]
    assert (book.cards, book.left_out) == (5, 1)


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "//["])
def test_the_password_is_not_sent_to_another_host(server: CardServer, sync: Sync, elsewhere: str) -> None:
    href = f"<d:current-user-principal><d:href>{elsewhere}</d:href></d:current-user-principal>"
    body = wrapped(ok(BOOK, href))
    server.answers.append((207, body, {}))

    assert f"{elsewhere}. Enter that address." in sync().failure
    assert len(server.asked) == 1
