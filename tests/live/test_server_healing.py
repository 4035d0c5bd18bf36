"""The live socket on real servers: what survives the loss of a server process or of Redis."""

import contextlib
import signal
import time
from pathlib import Path

import pytest
from django.db import connection, transaction

from accounts.models import Domain
from tests.harness.redis import RedisServer
from tests.live.serving import Page, Server, opened, serving, signed_in
from wallboard.boards.models import Board
from wallboard.live import feeds, publish
from wallboard.live.feeds import Feed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]


def test_resuming_on_another_process_brings_just_what_was_missed(
    own_redis: RedisServer, domain: Domain, tmp_path: Path
) -> None:
    _, cookie = signed_in(domain)
    with serving("daphne", own_redis, tmp_path) as one, serving("uvicorn", own_redis, tmp_path) as two:
        page = opened(one, cookie)
        feeds.queues(domain.pk).publish({"queue:1": (9, "x")})
        again = two.open(f"board=main&last=queues:{page.held['queues']}", cookie)
        again.held = dict(page.held)
        again.documents = {"queues": dict(page.documents["queues"])}
        again.until(lambda: again.shows("queues", "queue:1") == "x")

    first = next(frame for frame in again.frames if frame.get("feed") == "queues")
    assert "snapshot" not in first


def test_an_emptied_redis_heals_by_itself(server: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    page = opened(server, cookie)
    queues = feeds.queues(domain.pk)
    queues.publish({"queue:ghost": (1, "only Redis knows it")})
    page.until(lambda: page.shows("queues", "queue:ghost") is not None)

    import redis

    with redis.Redis.from_url(server.redis.url) as client:
        client.flushall()
    took = page.until(lambda: page.shows("queues", "queue:ghost") is None, 15)

    assert took < 15
    queues.publish({"queue:1": (1, "news")})
    page.until(lambda: page.shows("queues", "queue:1") == "news")


def test_a_killed_redis_heals_by_itself_with_sockets_open(server: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    pages = [opened(server, cookie) for _ in range(3)]

    server.redis.child.kill()
    page = pages[0]
    page.until(lambda: any("deaf_since" in frame for frame in page.frames), 10)
    missed = publish.tell(feeds.queues(domain.pk), {"queue:1": (1, "missed")})
    board = Board.objects.get()
    Board.objects.filter(pk=board.pk).update(name="Renamed meanwhile", version=2)
    time.sleep(1)
    server.redis.child.stop()
    server.redis.start()

    for page in pages:
        page.until(lambda page=page: page.shows(f"board:{board.pk}", "board")["version"] == 2, 30)  # type: ignore[misc]
        told_until_seen(page, feeds.queues(domain.pk))
    assert missed is False


def told_until_seen(page: Page, feed: Feed) -> None:
    """Tell what stands in no database, again where the server compared the feed with the database just then."""
    start = int(time.monotonic() * 1000)
    for version in range(start, start + 15):
        feed.publish({"queue:2": (version, f"news {version}")})
        with contextlib.suppress(AssertionError):
            page.until(lambda version=version: page.shows("queues", "queue:2") == f"news {version}", 1)  # type: ignore[misc]
            return
    raise AssertionError("News are not seen")


def test_a_frozen_redis_heals_by_itself(daphne: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    page = opened(daphne, cookie)

    daphne.redis.child.kill(signal.SIGSTOP)
    try:
        page.until(lambda: "deaf_since" in page.frames[-1], 20)
    finally:
        daphne.redis.child.kill(signal.SIGCONT)

    page.until(lambda: "ping" in page.frames[-1] and "deaf_since" not in page.frames[-1], 20)
    told_until_seen(page, feeds.queues(domain.pk))


def test_a_database_that_takes_nothing_makes_the_proof_old(daphne: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    page = opened(daphne, cookie)

    with transaction.atomic(), connection.cursor() as cursor:  # on SQLite the lock of all who write
        if connection.vendor == "postgresql":
            cursor.execute("LOCK TABLE calls_delivery IN EXCLUSIVE MODE")
        page.until(lambda: page.frames[-1].get("proof_age", 0) > 4000, 15)

    page.until(lambda: page.frames[-1].get("proof_age", 9999) < 3000, 15)
