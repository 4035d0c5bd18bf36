"""Feeds are brought back to what the database says, company by company."""

import json
import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import leases
from accounts.models import Domain, Lease, Person
from tests.live.serving import company
from wallboard.boards.models import Board
from wallboard.calls import floors
from wallboard.calls.models import Leg, Presence
from wallboard.live import connections, feeds
from wallboard.live.feeds import Feed
from wallboard.sockets import snapshots
from wallboard.sockets.tasks import mend_feeds

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
    assert isinstance(snapshots.documents(domain.pk, name), dict)


@pytest.mark.parametrize("name", ["", "nonsense", "desk:", "desk", "board:", "board:x", "queues:1"])
def test_what_is_no_feed_has_none(domain: Domain, name: str) -> None:
    with pytest.raises(LookupError):
        snapshots.documents(domain.pk, name)


def test_a_boards_feed_holds_the_board_of_that_company_only(domain: Domain) -> None:
    board, other = Board.objects.get(), company("other")

    assert snapshots.documents(domain.pk, f"board:{board.pk}")["board"][1].name == "Main"
    assert snapshots.documents(other.pk, f"board:{board.pk}") == {}


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
    snapshots.mend_all()

    differing = {
        feed.name: snapshots.mend(feed) for feed in snapshots.all_feeds() if not feed.name.startswith("board:")
    }

    assert differing == dict.fromkeys(("queues", "people", "calls", "wall", "alerts"), 0)


def test_mending_undoes_what_only_redis_knows(domain: Domain) -> None:
    snapshots.mend_all()
    feeds.people(domain.pk).publish({"999": (1, {"name": "nobody"})})

    assert snapshots.mend(feeds.people(domain.pk)) == 1
    assert "999" not in held(feeds.people(domain.pk))


def test_desks_are_mended_while_somebody_looks_at_them(domain: Domain, redis_url: str) -> None:
    client: Any = connections.client()
    looked_at, other = feeds.desk(domain.pk, "101"), feeds.desk(domain.pk, "102")
    for feed in (looked_at, other):
        feed.publish({"1": (1, "only Redis knows it")})

    with client.pubsub() as news:
        news.subscribe(looked_at.channel(redis_url))
        news.get_message(timeout=2)
        snapshots.mend_all()

    assert (held(looked_at), held(other)) == ({}, {"1": "only Redis knows it"})


def test_one_company_that_fails_does_not_keep_the_others_from_it(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = company("other")
    really = snapshots.documents

    def documents(domain_id: int, name: str) -> Any:
        if domain_id == domain.pk:
            raise RuntimeError("broken")
        return really(domain_id, name)

    monkeypatch.setattr(snapshots, "documents", documents)
    snapshots.mend_all()

    assert held(feeds.queues(domain.pk)) == {}
    assert "poll" in held(feeds.queues(other.pk))


def test_two_workers_do_not_mend_at_once(domain: Domain) -> None:
    with leases.acquire(f"mend feeds {domain.pk}", 30) or pytest.fail("not free"):
        mend_feeds()

    assert held(feeds.queues(domain.pk)) == {}


def test_a_redis_that_is_away_only_leaves_a_line_in_the_log(
    domain: Domain, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    mend_feeds()

    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert leases.acquire(f"mend feeds {domain.pk}", 1) is not None


def test_mending_keeps_its_lease_and_stops_once_another_has_it(
    domain: Domain, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    held_until: list[Any] = []
    really = snapshots.mend_together

    def mend_together(few: Any) -> Any:
        row = Lease.objects.get(name=f"mend feeds {domain.pk}")
        held_until.append(row.until)
        if len(held_until) == 3:
            Lease.objects.filter(pk=row.pk).update(owner="another", fence=row.fence + 1)
        time.sleep(0.01)
        return really(few)

    monkeypatch.setattr(snapshots, "TOGETHER", 1)
    monkeypatch.setattr(snapshots, "mend_together", mend_together)
    mend_feeds()

    assert len(held_until) == 3
    assert held_until == sorted(set(held_until))
    assert "stopped after 3 of" in caplog.text
    assert Lease.objects.get(name=f"mend feeds {domain.pk}").owner == "another"


def test_polls_have_their_turn_between_pieces_and_nobody_waits_after_the_last(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = list[float]()
    monkeypatch.setattr(snapshots, "time", SimpleNamespace(monotonic=time.monotonic, sleep=pauses.append))
    snapshots.mend_all(domain_ids=[domain.pk])
    assert pauses == []

    monkeypatch.setattr(snapshots, "TOGETHER", 1)
    connections.client().flushdb()
    snapshots.mend_all(domain_ids=[domain.pk])

    assert len(pauses) == len(list(snapshots.all_feeds([domain.pk]))) - 1
    assert all(0 < pause <= snapshots.LONGEST_PAUSE_SECONDS for pause in pauses)


def test_mending_ends_in_time_in_a_thread_too(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "LONGEST_MENDING", -1.0)

    assert snapshots.mend_all() == 0
    assert held(feeds.queues(domain.pk)) == {}


def busy(name: str) -> Domain:
    """A company in which somebody talks, and of which that was never published."""
    domain, now = company(name), timezone.now()
    person = Person.objects.create(domain=domain, extension="101", name=f"Ada of {name}")
    leg = Leg.objects.create(
        domain=domain, from_call_id="a", to_call_id="b", to_user="101", to_state="active", first_seen_at=now,
        active_at=now, heard_at=now, version=1,
    )  # fmt: skip
    Presence.objects.create(person=person, state="talking", since=now, leg=leg, version=1)
    return domain


def test_calls_and_people_of_many_companies_are_mended_with_the_statements_of_one(domain: Domain) -> None:
    names = ("people", "calls", "wall")
    made = [busy(f"c{number}").pk for number in range(5)]
    few = [Feed(pk, name) for pk in made for name in names]
    with CaptureQueriesContext(connection) as one:
        snapshots.mend_together(few[:3])
    with CaptureQueriesContext(connection) as many:
        differing = snapshots.mend_together(few)

    assert len(one) == len(many)
    assert differing == {feed: 0 if feed in few[:3] else 2 for feed in few}
    for number, pk in enumerate(made):
        assert held(feeds.people(pk))["101"]["name"] == f"Ada of c{number}"
        assert held(feeds.calls(pk)).keys() == held(feeds.wall(pk)).keys()


def test_what_is_published_while_feeds_are_mended_together_is_not_undone(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = busy("other")
    both = [feeds.people(domain.pk), feeds.people(other.pk)]
    snapshots.mend_together(both)
    really = floors.read

    def read(*arguments: Any, **options: Any) -> Any:
        found = really(*arguments, **options)
        feeds.people(other.pk).publish({"101": (2, {"name": "newer"}), "102": (1, {"name": "new"})})
        return found

    monkeypatch.setattr(floors, "read", read)
    Presence.objects.update(state="ringing")
    snapshots.mend_together(both)

    assert held(feeds.people(other.pk))["101"] == {"name": "newer"}
    assert held(feeds.people(other.pk))["102"] == {"name": "new"}
