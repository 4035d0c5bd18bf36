"""Feeds are brought back to what the database says, company by company."""

import json
from typing import Any

import pytest

from accounts import leases
from accounts.models import Domain, Person
from tests.live.serving import company
from wallboard.boards import sources
from wallboard.boards.models import Board
from wallboard.boards.tasks import mend_feeds
from wallboard.live import connections, feeds
from wallboard.live.feeds import Feed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis_url")]


def held(feed: Feed) -> dict[str, Any]:
    """What the feed holds in Redis."""
    client: Any = connections.client()
    return {key: json.loads(text) for key, text in client.hgetall(feed.keys[1]).items()}


@pytest.fixture
def domain() -> Domain:
    return company()


@pytest.mark.parametrize("name", ["queues", "people", "calls", "wall", "desk:101"])
def test_every_feed_has_its_documents(domain: Domain, name: str) -> None:
    assert isinstance(sources.documents(domain.pk, name), dict)


@pytest.mark.parametrize("name", ["", "nonsense", "desk:", "desk", "board:", "board:x", "queues:1"])
def test_what_is_no_feed_has_none(domain: Domain, name: str) -> None:
    with pytest.raises(LookupError):
        sources.documents(domain.pk, name)


def test_a_boards_feed_holds_the_board_of_that_company_only(domain: Domain) -> None:
    board, other = Board.objects.get(), company("other")

    assert sources.documents(domain.pk, f"board:{board.pk}")["board"][1]["name"] == "Main"
    assert sources.documents(other.pk, f"board:{board.pk}") == {}


def test_mending_builds_the_feeds_of_all_active_companies(domain: Domain) -> None:
    other, asleep = company("other"), company("asleep")
    Domain.objects.filter(pk=asleep.pk).update(is_active=False)
    boards = {board.domain_id: feeds.board(board.domain_id, board.pk) for board in Board.objects.all()}

    mend_feeds()

    assert held(boards[domain.pk])["board"]["name"] == "Main"
    assert held(boards[other.pk])["board"]["name"] == "Main"
    assert held(boards[asleep.pk]) == {}
    assert "poll" in held(feeds.queues(domain.pk))


def test_mending_twice_changes_nothing_the_second_time(domain: Domain) -> None:
    Person.objects.create(domain=domain, extension="101", name="Ada")
    sources.mend_all()

    differing = {feed.name: sources.mend(feed) for feed in sources.all_feeds() if not feed.name.startswith("board:")}

    assert differing == dict.fromkeys(("queues", "people", "calls", "wall", "alerts"), 0)


def test_mending_undoes_what_only_redis_knows(domain: Domain) -> None:
    sources.mend_all()
    feeds.people(domain.pk).publish({"999": (1, {"name": "nobody"})})

    assert sources.mend(feeds.people(domain.pk)) == 1
    assert "999" not in held(feeds.people(domain.pk))


def test_desks_are_mended_while_somebody_looks_at_them(domain: Domain, redis_url: str) -> None:
    client: Any = connections.client()
    looked_at, other = feeds.desk(domain.pk, "101"), feeds.desk(domain.pk, "102")
    for feed in (looked_at, other):
        feed.publish({"1": (1, "only Redis knows it")})

    with client.pubsub() as news:
        news.subscribe(looked_at.channel(redis_url))
        news.get_message(timeout=2)
        sources.mend_all()

    assert (held(looked_at), held(other)) == ({}, {"1": "only Redis knows it"})


def test_one_company_that_fails_does_not_keep_the_others_from_it(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = company("other")
    really = sources.documents

    def documents(domain_id: int, name: str) -> Any:
        if domain_id == domain.pk:
            raise RuntimeError("broken")
        return really(domain_id, name)

    monkeypatch.setattr(sources, "documents", documents)
    sources.mend_all()

    assert held(feeds.queues(domain.pk)) == {}
    assert "poll" in held(feeds.queues(other.pk))


def test_two_workers_do_not_mend_at_once(domain: Domain) -> None:
    with leases.acquire("mend feeds", 30) or pytest.fail("not free"):
        mend_feeds()

    assert held(feeds.queues(domain.pk)) == {}


def test_a_redis_that_is_away_only_leaves_a_line_in_the_log(
    domain: Domain, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    mend_feeds()

    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert leases.acquire("mend feeds", 1) is not None
