"""What a server does not list or hand out is not gone: no contact is lost by an answer that is broken or odd."""

from urllib.parse import unquote

import pytest

from accounts.models import Domain
from tests.carddav import server as module
from tests.carddav.conftest import MIA, TOM, Sync, people
from tests.carddav.server import CardServer, status, vcard

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("can_sync", [True, False])
@pytest.mark.usefixtures("_two")
def test_an_entry_that_is_not_handed_out_keeps_its_contact_and_comes_later(
    domain: Domain, server: CardServer, sync: Sync, monkeypatch: pytest.MonkeyPatch, *, can_sync: bool
) -> None:
    server.can_sync = can_sync
    sync()
    server.put("mia", vcard("Mia Tal", "+4930901829"))
    with monkeypatch.context() as broken:
        broken.setattr(server, "card", lambda href: status(unquote(href), "500 Internal Server Error"))
        sync()
    assert people(domain) == {"Mia Berg": [MIA], "Tom": [TOM]}

    sync()
    assert people(domain) == {"Mia Tal": ["+4930901829"], "Tom": [TOM]}


@pytest.mark.parametrize("can_sync", [True, False])
@pytest.mark.parametrize(
    ("address", "failure"),
    [("https://127.0.0.1", ""), ("http://127.0.0.1:80", ""), ("http://other.example", "at another host")],
)
@pytest.mark.usefixtures("_two")
def test_entries_with_whole_addresses_are_known_again_or_nothing_is_taken_for_gone(
    domain: Domain,
    server: CardServer,
    sync: Sync,
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    failure: str,
    *,
    can_sync: bool,
) -> None:
    server.can_sync = can_sync
    sync()
    server.put("eva", vcard("Eva", "+4930901830"))
    whole = module.ok
    monkeypatch.setattr(
        module, "ok", lambda path, about: whole(path, about).replace("<d:href>/", f"<d:href>{address}/", 1)
    )
    card = server.card
    monkeypatch.setattr(server, "card", lambda href: card(href.removeprefix(address)))

    book = sync()

    assert set(people(domain)) == {"Mia Berg", "Tom", *([] if failure else ["Eva"])}
    assert failure in book.failure
    assert bool(book.failure) is bool(failure)


@pytest.mark.usefixtures("_two")
def test_a_listing_that_is_cut_short_takes_nothing_for_gone(
    domain: Domain, server: CardServer, sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.can_sync = False
    sync()
    whole = server.properties

    def cut(path: str, depth: str) -> str:
        return whole(path, depth) if depth != "1" else status(path, "507 Insufficient Storage")

    monkeypatch.setattr(server, "properties", cut)

    assert "does not list all" in sync().failure
    assert set(people(domain)) == {"Mia Berg", "Tom"}
