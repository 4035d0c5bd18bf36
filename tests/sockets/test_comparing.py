"""A round over feeds of which nothing changed reads a few bytes of each; what differs is mended in that round."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Domain, Lease, Person
from accounts.spreading import companies
from tests.live.serving import company
from wallboard.alerts.models import Alert
from wallboard.boards.models import Board
from wallboard.calls.models import Leg, Presence, Subscription
from wallboard.celery import app
from wallboard.live import connections, feeds
from wallboard.live.feeds import Feed
from wallboard.notifications.models import Mute
from wallboard.queues.figures import QueueDocument
from wallboard.queues.models import PollState, Queue, Target, Trends
from wallboard.sockets import comparing, snapshots, sources
from wallboard.sockets.tasks import mend_feeds

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis_url")]
START = datetime(2026, 11, 18, 10, 0, 20, tzinfo=UTC)
NAMES = ("queues", "people", "calls", "wall", "alerts")
LINE = {"waiting": [None, 1.0, 0.5], "late": [None, 2, 0]}
Clock = time_machine.Traveller


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """The clock stands still unless a test moves it, and no feed is compared because an hour has passed."""
    monkeypatch.setattr(comparing, "WHOLE_ROUNDS", 2**40)
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


def furnished(name: str = "acme") -> Domain:
    """A company with a row of everything that feeds are made of."""
    domain, now = company(name), timezone.now()
    queue = Queue.objects.create(domain=domain, number="501", name="Sütterlin")
    Target.objects.create(domain=domain, queue=queue, waiting_watch=2)
    figures = {"501": (7, QueueDocument(waiting=1, since=5))}
    PollState.objects.create(domain=domain, version=7, read_at=now, tried_at=now, figures=figures)
    Trends.objects.create(domain=domain, until=now.replace(second=0), lines={"501": LINE})
    person = Person.objects.create(domain=domain, extension="101", name="Ada")
    leg = Leg.objects.create(
        domain=domain, from_call_id="a", to_call_id="b", from_number="+4930123456", to_user="101", to_state="active",
        first_seen_at=now, active_at=now, heard_at=now, version=1,
    )  # fmt: skip
    Presence.objects.create(person=person, state="talking", since=now, leg=leg, version=1)
    Subscription.objects.create(
        domain=domain, kind="calls", state="ready", secret_hash=name, ready_at=now, heard_at=now
    )
    Alert.objects.create(
        domain=domain, queue=queue, subject="501", level="late", worst="late", began_at=now, raised_at=now
    )
    return domain


def all_mended(monkeypatch: pytest.MonkeyPatch) -> list[Feed]:
    """The feeds that are compared document by document from now on."""
    compared: list[Feed] = []
    really = snapshots.mend_together

    def mend_together(few: Sequence[Feed]) -> dict[Feed, int]:
        compared.extend(few)
        return really(few)

    monkeypatch.setattr(snapshots, "mend_together", mend_together)
    return compared


def settle() -> None:
    """Rounds until every feed is marked: the first builds them, the second finds nothing that differs."""
    snapshots.mend_all()
    snapshots.mend_all()


def held(feed: Feed) -> dict[str, Any]:
    client: Any = connections.client()
    return {key: json.loads(text) for key, text in client.hgetall(feed.keys[1]).items()}


def wanted(feed: Feed) -> dict[str, Any]:
    found = snapshots.documents(feed.domain_id, feed.name)
    return {key: json.loads(feeds.encoded(value)) for key, (_, value) in found.items() if value is not None}


def test_feeds_that_did_not_change_are_not_compared_and_cost_no_statement_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    furnished()
    settle()
    compared = all_mended(monkeypatch)
    with CaptureQueriesContext(connection) as one:
        snapshots.mend_all()
    monkeypatch.undo()
    monkeypatch.setattr(comparing, "WHOLE_ROUNDS", 2**40)
    for number in range(6):
        furnished(f"c{number}")
    settle()
    compared += all_mended(monkeypatch)
    with CaptureQueriesContext(connection) as many:
        snapshots.mend_all()

    assert compared == []
    assert len(one) == len(many) <= 16


def rename(model: Any, **values: Any) -> Callable[[Domain], object]:
    path = "person__domain" if model is Presence else "domain"
    return lambda domain: model.objects.filter(**{path: domain}).update(**values)


def muted(domain: Domain) -> None:
    until = timezone.now() + timedelta(minutes=5)
    Mute.objects.create(domain=domain, until=until, reason="lunch", by_name="Ada")


def queued_leg(domain: Domain) -> None:
    now = timezone.now()
    Leg.objects.create(
        domain=domain, from_call_id="a", to_call_id="q", queue="501", first_seen_at=now, heard_at=now, ended_at=now
    )


FIGURES = {"501": [8, {"waiting": 9, "level": "late", "reason": "waiting", "since": 9}]}
SILENT = {  # written by somebody who died before anything was published, under the same version where there is one
    "a name of a person": rename(Person, name="Grace"),
    "a state of a phone": rename(Presence, state="idle", leg=None),
    "a status": rename(Presence, status="lunch", status_note="back soon"),
    "a name of a queue": rename(Queue, name="Sales"),
    "a queue that is hidden": rename(Queue, is_hidden=True),
    "a target": rename(Target, waiting_watch=3),
    "a poll": rename(PollState, version=8, failure="unreachable", failing_since=START),
    "figures": rename(PollState, version=8, figures=FIGURES),
    "figures of a database that was restored": rename(PollState, figures={"501": [7, {"waiting": 4}]}),
    "lines": rename(Trends, lines={"501": LINE | {"late": [1, 1, 1]}}),
    "a mute": muted,
    "a leg": rename(Leg, to_state="ended", ended_at=START, version=2),
    "a queue of a call": queued_leg,
    "the health of events": rename(Subscription, silent_at=START),
    "an alert": rename(Alert, level="watch", version=2),
    "the country": lambda domain: Domain.objects.filter(pk=domain.pk).update(country="DE"),
    "the interval": lambda domain: Domain.objects.filter(pk=domain.pk).update(poll_seconds=30),
    "a board": rename(Board, notice="Closed at noon", version=2),
}


@pytest.mark.parametrize("change", SILENT.values(), ids=SILENT)
def test_whatever_changes_in_the_database_is_mended_in_the_next_round(change: Callable[[Domain], object]) -> None:
    domain, other = furnished(), furnished("other")
    settle()
    change(domain)

    assert snapshots.mend_all() > 0
    for feed in snapshots.all_feeds([domain.pk, other.pk]):
        assert held(feed) == wanted(feed), feed.name


def lose(part: int) -> Callable[[Feed], object]:
    return lambda feed: connections.client().delete(feed.keys[part])


LOST = {
    "everything": lambda _: connections.client().flushdb(),  # a Redis that was emptied
    "the documents": lose(1),
    "the versions": lose(0),
    "that it is built": lose(4),
    "one document": lambda feed: connections.client().hdel(feed.keys[1], next(iter(held(feed)))),
    "the word of somebody else": lambda feed: feed.publish({"999": (1, {"name": "nobody"})}),
    "an older value": lambda feed: connections.client().hset(feed.keys[1], next(iter(held(feed))), "{}"),
}


@pytest.mark.parametrize("loss", LOST.values(), ids=LOST)
def test_whatever_redis_loses_is_mended_in_the_next_round(loss: Callable[[Feed], object]) -> None:
    domain = furnished()
    settle()
    found = [Feed(domain.pk, name) for name in NAMES]
    for feed in found:
        loss(feed)

    snapshots.mend_all()

    assert {feed.name: held(feed) for feed in found} == {feed.name: wanted(feed) for feed in found}
    assert all(connections.client().exists(feed.keys[4]) for feed in found)


def test_a_mute_that_time_ends_is_mended(clock: Clock) -> None:
    domain = furnished()
    muted(domain)
    settle()
    assert "mute:" in held(feeds.queues(domain.pk))

    clock.shift(timedelta(minutes=6))
    snapshots.mend_all()

    assert "mute:" not in held(feeds.queues(domain.pk))


def test_events_that_nobody_has_checked_for_long_are_down_by_time_alone(clock: Clock) -> None:
    domain = furnished()
    Subscription.objects.update(checked_at=timezone.now())
    settle()

    clock.shift(timedelta(minutes=30))
    snapshots.mend_all()

    assert held(feeds.people(domain.pk))["events"]["state"] == "down"


def test_what_is_counted_for_boards_follows_the_minute_and_a_card_of_call_backs_each_round(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnished()
    board = feeds.board(Board.objects.get().domain_id, Board.objects.get().pk)
    settle()
    before = held(board)["today"]["at"]
    clock.shift(timedelta(minutes=1))
    snapshots.mend_all()
    assert held(board)["today"]["at"] == before + 60_000

    snapshots.mend_all()
    card = {"id": "1", "kind": "callbacks", "x": 0, "y": 0, "w": 4, "h": 3}
    Board.objects.update(layout={"rows": 12, "cards": [card]}, version=2)
    settle()
    compared = all_mended(monkeypatch)
    snapshots.mend_all()
    assert compared == [board]


def test_once_an_hour_every_feed_is_compared_whatever_is_marked(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "WHOLE_ROUNDS", 4)
    furnished()
    settle()
    compared = all_mended(monkeypatch)

    for _ in range(4):
        snapshots.mend_all()
        clock.shift(timedelta(seconds=comparing.ROUND_SECONDS))

    assert set(compared) >= set(snapshots.all_feeds())


def test_marks_that_cannot_be_compared_leave_all_feeds_to_be_compared(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    domain = furnished()
    settle()
    PollState.objects.update(figures=["no figures"])
    Person.objects.update(name="Grace")

    snapshots.mend_all()

    assert held(feeds.people(domain.pk))["101"]["name"] == "Grace"
    assert "The marks of feeds could not be compared" in caplog.text


def tables(work: Callable[[], object]) -> set[str]:
    """The tables that are read meanwhile."""
    with CaptureQueriesContext(connection) as asked:
        work()
    words = {word.strip('"(),') for each in asked.captured_queries for word in each["sql"].split()}
    return words & set(connection.introspection.table_names())


@pytest.mark.parametrize("name", NAMES)
def test_every_table_that_documents_are_made_of_is_looked_at(name: str) -> None:
    feed = Feed(furnished().pk, name)
    made_of = tables(lambda: snapshots.documents(feed.domain_id, name))
    found = sources.Sources([feed.domain_id])

    assert made_of <= tables(lambda: (found.digest(feed), found.told(feed)))


def test_many_companies_are_shared_out_each_share_under_a_lease_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(companies, "SHARE", 2)
    app.conf.task_always_eager = True
    made = [furnished(f"c{number}") for number in range(5)]

    try:
        mend_feeds()
    finally:
        app.conf.task_always_eager = False

    assert all("poll" in held(feeds.queues(domain.pk)) for domain in made)
    assert {f"mend feeds {each.pk}" for each in made[:3]} == set(Lease.objects.values_list("name", flat=True))
