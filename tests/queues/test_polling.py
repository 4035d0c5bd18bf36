"""Reading the queues: what is kept, what is told, and what a miss looks like."""

import logging
import threading
from datetime import timedelta
from typing import Any

import msgspec
import pytest
import requests
import responses
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import leases
from accounts.models import CompanyToken, Domain
from accounts.tokens import clients
from tests.queues.conftest import BASE_URL, Answer, FeedNow, Read, due, row, with_token
from wallboard.live import feeds, publish
from wallboard.queues import documents as news
from wallboard.queues import editing, polling
from wallboard.queues.models import PollState, Queue, Reading, Target
from wallboard.telephony.errors import ProviderError, Unreachable
from wallboard.telephony.resources import QueueStats, QueueStatsList


def test_poll_keeps_the_reading_and_makes_the_queues(domain: Domain, read: Read) -> None:
    state = read(row("8001", 3, 45, 20), row(8002))

    assert state.figures["8001"][1]["waiting"] == 3
    assert list(Queue.objects.values_list("number", flat=True)) == ["8001", "8002"]
    assert Reading.objects.get().figures["8001"] == [3, 45, 20, 4, 2, "normal"]
    assert (state.failure, state.failing_since, state.version) == ("", None, 1)


def test_poll_makes_the_default_targets_once(domain: Domain, read: Read) -> None:
    read(row("8001"))
    read(row("8001"), row("8002"))

    target = Target.objects.get()
    assert (target.queue, target.longest_wait_watch_seconds, target.longest_wait_late_seconds) == (None, 60, 120)


def test_poll_tells_the_feed_exactly_what_the_database_holds(domain: Domain, read: Read, feed: FeedNow) -> None:
    read(row("8001", 3, 45, 20), row("8002"))
    assert feed() == msgspec.to_builtins(news.documents(domain.pk))

    read(row("8001", 3, 130, 60), row("8002"))
    assert feed() == msgspec.to_builtins(news.documents(domain.pk))


def test_poll_publishes_only_queues_that_changed(domain: Domain, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    read(row("8001", 3, 45, 20), row("8002"))
    told = []
    monkeypatch.setattr("wallboard.live.publish.tell", lambda _, documents: told.append(documents))

    read(row("8001", 3, 50, 25), row("8002"))
    read(row("8001", 3, 50, 25), row("8002"))

    assert [set(documents) for documents in told] == [{"poll", "queue:8001"}, {"poll"}]


def test_level_keeps_its_since_until_it_changes(domain: Domain, read: Read) -> None:
    first = read(row("8001", 1, 70)).figures["8001"][1]
    second = read(row("8001", 2, 80)).figures["8001"][1]
    third = read(row("8001", 2, 130)).figures["8001"][1]

    assert [each["level"] for each in (first, second, third)] == ["watch", "watch", "late"]
    assert second["since"] == first["since"] < third["since"]


def test_edited_targets_count_from_the_next_reading(domain: Domain, read: Read) -> None:
    read(row("8001", 1, 70))
    editing.set_targets(domain, Queue.objects.get(), {"longest_wait_late_seconds": 65})

    assert read(row("8001", 1, 70)).figures["8001"][1]["level"] == "late"


@pytest.mark.parametrize(("unit", "seconds"), [("s", 90), ("min", 5400), ("ms", 0)])
def test_waits_are_kept_in_seconds(domain: Domain, read: Read, unit: Any, seconds: Any) -> None:
    Domain.objects.filter(pk=domain.pk).update(wait_unit=unit)
    domain.refresh_from_db()

    figures = read(row("8001", 1, 90, 90)).figures["8001"][1]

    assert (figures["longest_wait"], figures["average_wait"]) == (seconds, seconds)


def test_a_queue_that_vanishes_keeps_its_figures_and_since_when(domain: Domain, read: Read, feed: FeedNow) -> None:
    read(row("8001", 3), row("8002"))
    gone = read(row("8002"))
    later = read(row("8002"))

    assert gone.figures["8001"][1]["waiting"] == 3
    assert gone.read_at
    assert gone.figures["8001"][1]["missing_since"] == feeds.milliseconds(gone.read_at)
    assert later.figures["8001"] == gone.figures["8001"]
    assert feed()["queue:8001"][1]["missing_since"] is not None
    assert read(row("8001"), row("8002")).figures["8001"][1]["missing_since"] is None


def test_a_row_of_nonsense_spoils_only_itself(
    domain: Domain, read: Read, feed: FeedNow, caplog: pytest.LogCaptureFixture
) -> None:
    read(row("8001", 1), row("8002", 1))
    bad = {**row("8002"), "calls_waiting": "many"}

    for _ in range(2):
        state = read(row("8001", 2), bad)

    assert state.figures["8001"][1]["waiting"] == 2
    assert (state.figures["8002"][1]["waiting"], state.skipped_rows) == (1, 1)
    assert state.figures["8002"][1]["missing_since"] is not None
    assert feed()["poll"][1]["skipped_rows"] == 1
    read(row("8001", 2))
    assert ["1 rows of the queue" in record.getMessage() for record in caplog.records] == [True, False]


FAILURES: dict[str, Any] = {
    "unreachable": {"body": requests.ConnectionError("canary-text")},
    "in_trouble": {"status": 502},
    "request_refused": {"status": 422},
    "rate_limited": {"status": 429},
    "not_found": {"status": 404},
    "bad_response": {"body": "<html>canary-text</html>", "status": 200},
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_miss_keeps_the_figures_and_shows_the_failure(domain: Domain, read: Read, feed: FeedNow, kind: Any) -> None:
    good = read(row("8001", 3, 45, 20))

    missed = read(**FAILURES[kind])

    assert (missed.figures, missed.read_at, missed.failure) == (good.figures, good.read_at, kind)
    assert missed.failing_since == missed.tried_at
    assert missed.failing_since
    assert good.read_at
    assert missed.failing_since > good.read_at
    assert feed() == msgspec.to_builtins(news.documents(domain.pk))
    assert feed()["poll"][1]["failure"] == kind


def test_a_failure_is_logged_when_it_breaks_and_when_it_heals_and_never_tells_a_secret(
    domain: Domain, read: Read, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    read(row("8001"))
    for _ in range(3):
        read(body='{"access_token": "canary-text"}', status=500)
    healed = read(row("8001"))
    read(row("8001"))

    records = [record for record in caplog.records if record.name == "wallboard.queues.polling"]
    lines = [record.getMessage() for record in records]
    assert [record.levelname for record in records] == ["WARNING", "INFO"]
    assert "acme" in lines[0]
    assert "in_trouble" in lines[0]
    assert "after 3 misses" in lines[1]
    assert "canary" not in caplog.text
    assert (healed.failing_since, healed.failure, healed.failures, healed.not_before) == (None, "", 0, None)


def test_failing_since_stays_while_it_fails(domain: Domain, read: Read) -> None:
    first = read(status=500)
    second = read(status=429)

    assert (second.failing_since, second.failures) == (first.failing_since, 2)
    assert second.tried_at
    assert first.tried_at
    assert second.tried_at > first.tried_at


def test_a_domain_whose_key_is_lost_fails_by_itself(domain: Domain, read: Read, settings: Any) -> None:
    read(row("8001"))
    settings.TOKEN_KEYS = ["-" * 43 + "="]

    assert read(row("8001")).failure == "wrong_key"


def test_poll_of_500_queues_takes_as_many_queries_as_of_one(domain: Domain, read: Read, answer: Answer) -> None:
    read(*(row(str(number)) for number in range(8000, 8500)))
    with CaptureQueriesContext(connection) as many:
        read(*(row(str(number), number % 10) for number in range(8000, 8500)))
    PollState.objects.all().delete()
    read(row("8000"))
    with CaptureQueriesContext(connection) as one:
        read(row("8000", 1))

    assert len(many) == len(one) < 25


def test_poll_does_nothing_while_somebody_else_polls(domain: Domain, answer: Answer) -> None:
    answer(row("8001"))
    lease = leases.acquire(f"poll:{domain.pk}", 30)
    assert lease is not None

    polling.poll(domain)
    assert not PollState.objects.exists()

    lease.release()
    polling.poll(domain)
    assert PollState.objects.get().version == 1


class Overtaken:
    """A client whose exchange lasts so long that another owner writes before the answer is there."""

    def __init__(self, outcome: QueueStatsList | ProviderError, **written: Any) -> None:
        self.outcome = outcome
        self.written = written

    def queue_stats(self) -> QueueStatsList:
        PollState.objects.update(**self.written)
        if isinstance(self.outcome, ProviderError):
            raise self.outcome
        return self.outcome


@pytest.mark.parametrize("outcome", [QueueStatsList([QueueStats("8001", 5)]), Unreachable("x")], ids=["good", "miss"])
@pytest.mark.parametrize("written", [{"fence": 99}, {"version": 7}, {"fence": 99, "version": 7}], ids=str)
def test_a_late_writer_changes_nothing(
    domain: Domain, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, outcome: Any, written: Any
) -> None:
    monkeypatch.setattr(
        "accounts.tokens.clients.client_of_joined", lambda _: Overtaken(outcome, failure="theirs", **written)
    )

    polling.poll(domain)

    state = PollState.objects.get()
    assert {name: getattr(state, name) for name in written} == written
    assert (state.failure, state.figures, state.read_at, state.tried_at) == ("theirs", {}, None, None)
    assert not Reading.objects.exists()
    assert not Queue.objects.exists()
    assert "too late" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_twenty_callers_make_one_reading(domain: Domain, answer: Answer, provider: responses.RequestsMock) -> None:
    answer(row("8001"))

    def call() -> None:
        try:
            polling.poll(domain)
        finally:
            connection.close()

    threads = [threading.Thread(target=call) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(provider.calls) == 1
    assert Reading.objects.count() == 1


def test_poll_survives_a_redis_that_is_away_and_the_feed_is_mended_later(
    domain: Domain, read: Read, settings: Any, feed: FeedNow, redis_url: str
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    state = read(row("8001", 4))
    assert state.figures["8001"][1]["waiting"] == 4

    settings.REDIS_URL = redis_url
    publish.mend(feeds.queues(domain.pk), lambda: news.documents(domain.pk))
    assert feed() == msgspec.to_builtins(news.documents(domain.pk))


def test_one_domain_in_trouble_is_no_other_domains_trouble(
    domain: Domain, provider: responses.RequestsMock, answer: Answer
) -> None:
    other = Domain.objects.create(
        slug="other", name="Other", base_url="http://other.test", client_id="id", client_secret=""
    )
    with_token(other)
    answer(status=429, headers={"Retry-After": "600"})
    provider.get("http://other.test/api/call_queues/stats/live/", json=[row("1", 2)])

    polling.poll(domain)
    polling.poll(other)

    assert PollState.objects.get(domain=domain).failure == "rate_limited"
    assert PollState.objects.get(domain=other).figures["1"][1]["waiting"] == 2
    assert due(timezone.now() + timedelta(seconds=500)) == [other]


def test_changed_credentials_end_the_pause_for_refused_ones(domain: Domain, provider: responses.RequestsMock) -> None:
    CompanyToken.objects.update(usable_until=None)
    provider.post(f"{BASE_URL}/api/oauth/token/", status=401)
    polling.poll(domain)
    assert PollState.objects.get().failure == "not_authorized"
    now = timezone.now()
    assert due(now) == []

    clients.forget_company_token(domain)

    assert due(now) == [domain]
