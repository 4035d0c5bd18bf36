"""A frame on another site: what its link lets through, on a real server, until it is revoked."""

import time
from dataclasses import replace
from typing import Any

import pytest

from accounts.models import Domain
from tests.live.conftest import daphne as daphne
from tests.live.conftest import domain as domain
from tests.live.conftest import own_redis as own_redis
from tests.live.serving import Page, Server
from tests.screens.embeds.conftest import CARDS
from wallboard.boards import editing, layout
from wallboard.boards.models import Board
from wallboard.live import feeds
from wallboard.screens.embeds import links
from wallboard.screens.embeds.links import EmbedInput
from wallboard.screens.embeds.scope import Scope
from wallboard.sockets.embed_access import EmbedFilter, EmbedRequest

ONE = Scope(frozenset({"501"}), frozenset(), (), "one")


def end(extension: str) -> dict[str, str]:
    return {"extension": extension}


@pytest.mark.parametrize(
    ("kind", "key", "text", "is_shown"),
    [
        ("queues", "poll", "{}", True),
        ("queues", "queue:501", "{}", True),
        ("queues", "about:502", "{}", False),
        ("people", "events", "{}", True),
        ("people", "101", "{}", False),
        ("wall", "events", "{}", True),
        ("wall", "7", '{"queue":"501","via":[],"from":{"extension":""},"to":{"extension":""}}', False),
        ("alerts", "1", '{"queue":"501"}', True),
        ("alerts", "2", '{"queue":""}', False),
        ("board", "figure:one", "{}", True),
        ("board", "figure:two", "{}", False),
        ("board", "today", "{}", False),
        ("news-of-a-later-release", "1", '{"queue":"501"}', False),
    ],
)
def test_nothing_but_the_card_is_told(kind: str, key: str, text: str, is_shown: bool) -> None:
    assert bool(EmbedFilter(kind, ONE).let_through(key, text)) == is_shown


def test_whom_a_shown_person_speaks_with_is_not_told() -> None:
    crew = EmbedFilter("people", replace(ONE, people=frozenset({"101"})))

    assert crew.let_through("101", '{"with":"Billing"}') == '{"with":""}'
    assert crew.let_through("102", '{"with":"Billing"}') == ""


@pytest.mark.django_db
def test_a_frame_comes_anew_in_another_language_or_zone(domain: Domain) -> None:
    board = editing.create(domain, editing.BoardInput("Wall"))
    embed, _token = links.make(domain, EmbedInput("Intranet", board, "", ("https://a.example",)))
    request = EmbedRequest(embed.token_hash)
    first = request.access({})
    assert request.access({}) == first

    editing.update(board, editing.BoardInput("Wall", language="de"))
    second = request.access({})
    Domain.objects.filter(pk=domain.pk).update(time_zone="America/New_York")

    assert len({first, second, request.access({})}) == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.one_database
def test_a_frame_gets_its_card_without_cookies_until_the_link_is_revoked(daphne: Server, domain: Domain) -> None:
    board = Board.objects.filter(domain=domain).first() or editing.create(domain, editing.BoardInput("Wall"))
    editing.update(board, editing.BoardInput("Wall", layout=layout.parse({"rows": 12, "cards": CARDS})))
    embed, token = links.make(domain, EmbedInput("Intranet", board, "one", ("https://a.example",)))
    feeds.queues(domain.pk).publish({"queue:501": (1, "ours"), "queue:502": (1, "hidden")})

    def opened(text: str = token, **more: Any) -> Page:
        return daphne.open("embed=1", subprotocols=["wallboard", f"embed.{text}"], **more)

    page = opened()
    assert page.socket.subprotocol == "wallboard"
    name = f"board:{board.pk}"
    page.until(lambda: {"queues", "people", "wall", "alerts", name} <= page.documents.keys())
    assert "calls" not in page.documents
    assert "queue:502" not in page.documents["queues"]
    assert [card["id"] for card in page.documents[name]["board"]["layout"]["cards"]] == ["one"]
    assert opened("wrong").close_code() == 4401

    began = time.monotonic()
    links.revoke(embed)
    assert page.close_code() == 4401
    assert time.monotonic() - began < 2
    assert opened().close_code() == 4401
