"""Many companies in one recording: who has no news is not gone into, and all are written together. Redis is real."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Domain, Lease
from tests.replay.floor import queue, replayed
from wallboard.boards.models import Board
from wallboard.live import connections, feeds, since
from wallboard.live.feeds import Feed
from wallboard.replay import flushing, recorder, recording
from wallboard.replay.models import Run, Span
from wallboard.replay.recording import Recording
from wallboard.replay.tracks import feeds_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]
COUNT = 5


@pytest.fixture(autouse=True)
def connection_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    # It would close that of the test, within its transaction.
    monkeypatch.setattr(recording, "close_old_connections", lambda: None)


@pytest.fixture
def ids() -> list[int]:
    domains = [Domain.objects.create(slug=f"c{n}", name="C", base_url="http://127.0.0.1:1") for n in range(COUNT)]
    for domain in domains:
        for feed in feeds_of(domain.pk, ()):
            feed.change([], is_whole=True)
    return [domain.pk for domain in domains]


@pytest.fixture
def gone_into(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The companies whose feeds were read."""
    found: list[int] = []
    read = since.read

    def counted(asked: Iterable[tuple[Feed, str]]) -> Any:
        asked = list(asked)
        found.extend(sorted({feed.domain_id for feed, _ in asked}))
        return read(asked)

    monkeypatch.setattr(since, "read", counted)
    return found


def looked(these: Recording, gone_into: list[int]) -> list[int]:
    gone_into.clear()
    these.look()
    return list(gone_into)


def all_written(these: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look after which nothing waits to be written."""
    with monkeypatch.context() as patched:
        patched.setattr(recorder, "FLUSH_SECONDS", 1)
        these.look()


def test_only_companies_with_news_are_gone_into(ids: list[int], gone_into: list[int]) -> None:
    these = Recording()
    assert looked(these, gone_into) == ids
    assert looked(these, gone_into) == []

    feeds.queues(ids[2]).publish({"queue:1": (1, queue(3))})
    assert looked(these, gone_into) == [ids[2]]
    assert looked(these, gone_into) == []
    connections.client().delete(*feeds.people(ids[1]).keys)  # as by a Redis that began anew
    assert looked(these, gone_into) == [ids[1]]
    assert looked(these, gone_into) == []
    feeds.people(ids[1]).change([], is_whole=True)
    assert looked(these, gone_into) == [ids[1]]
    board = Board.objects.create(domain_id=ids[4], name="B", slug="b")
    these._survey_at = 0
    assert looked(these, gone_into) == [ids[4]]
    board.delete()
    these._survey_at = 0
    assert looked(these, gone_into) == [ids[4]]
    assert looked(these, gone_into) == []
    these.stop()


def test_a_quiet_second_is_seen_and_not_a_gap(ids: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    moment = connections.client().time()[0]
    monkeypatch.setattr(since, "compare", at(since.compare, lambda: moment))
    monkeypatch.setattr(since, "read", at(since.read, lambda: moment))
    these = Recording()
    begins = moment
    for _ in range(recorder.LONGEST_PAUSE + 2):
        these.look()
        moment += 1
    all_written(these, monkeypatch)
    assert set(Run.objects.values_list("begins", "ends")) == {(begins, moment + 1)}

    moment += recorder.LONGEST_PAUSE + 1
    for _ in range(3):  # the first of them ends the run, the second begins another one
        these.look()
        moment += 1
    these.stop()
    assert Run.objects.filter(domain=ids[0]).count() == 2


def at(answer: Any, moment: Any) -> Any:
    """The same answer, at another moment."""
    return lambda asked: (float(moment()), answer(asked)[1])


def test_a_quiet_company_begins_a_new_span_in_its_time(ids: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "LONGEST_SPAN", 0)
    these = Recording()
    these.look()
    these.look()
    these.stop()

    assert Span.objects.filter(domain=ids[0], track="queues").count() == 2


def test_many_companies_are_written_as_each_alone(ids: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    these = Recording()
    all_written(these, monkeypatch)  # their rows are made one by one
    for pk in ids[:3]:
        feeds.queues(pk).publish({"queue:1": (1, queue(pk))})
    until = dict(Lease.objects.values_list("name", "until"))
    with CaptureQueriesContext(connection) as asked:
        all_written(these, monkeypatch)

    assert all(each.unwritten_since is None for each in these.recorders.values())
    last = these.recorders[ids[0]].known_until - 1
    for pk in ids:
        assert replayed(pk, "queues", last) == [
            {"queue:1": feeds.encoded(queue(pk))} if pk in ids[:3] else {},
        ]
    assert all(lease.until > until[lease.name] for lease in Lease.objects.all())
    if connection.vendor == "postgresql":
        writing = [each["sql"] for each in asked if each["sql"].startswith("UPDATE")]
        assert len(writing) == 3  # leases, runs and spans


@pytest.mark.parametrize("loss", ["lease", "span", "span with news", "run"])
def test_one_that_is_superseded_writes_nothing_and_all_others_do(
    ids: list[int], monkeypatch: pytest.MonkeyPatch, loss: str
) -> None:
    these = Recording()
    all_written(these, monkeypatch)
    for pk in ids:
        feeds.queues(pk).publish({"queue:1": (1, queue(7))})
    losing = ids[2]
    if loss == "lease":
        Lease.objects.filter(name=f"record:{losing}").update(owner="another", fence=99)
    elif loss != "run":  # something in it was erased
        track = "people" if loss == "span" else "queues"
        Span.objects.filter(domain=losing, track=track).update(version=2)
    else:
        Run.objects.filter(domain=losing).delete()
    ends = list(Run.objects.filter(domain=losing).values_list("ends", flat=True))
    all_written(these, monkeypatch)

    assert sorted(these.recorders) == [pk for pk in ids if pk != losing]
    assert list(Run.objects.filter(domain=losing).values_list("ends", flat=True)) == ends
    second = these.recorders[ids[0]].known_until - 1
    told = [{"queue:1": feeds.encoded(queue(7))}]
    assert [replayed(pk, "queues", second) == told for pk in ids] == [pk != losing for pk in ids]


def test_each_company_has_its_own_second_for_writing(ids: list[int]) -> None:
    these = Recording()
    these.look()
    for pk, each in these.recorders.items():
        each.flush()
        due = []
        for second in range(each.known_until, each.known_until + recorder.FLUSH_SECONDS):
            each.take(second, None)
            due += [second] if each.is_flush_due else []
        assert due
        assert (due[0] + pk) % recorder.FLUSH_SECONDS == 0
    these.stop()


def test_more_than_fit_in_one_script_are_compared(ids: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(since, "MOST_COMPARED", 2)
    monkeypatch.setattr(flushing, "TOGETHER", 2)
    known = [(feed, "") for pk in ids for feed in feeds_of(pk, ())]
    connections.client().delete(*known[3][0].keys)

    _, same = since.compare(known)
    assert same == [n == 3 for n in range(len(known))]


def test_companies_that_another_worker_records_cost_no_statement_each(ids: list[int]) -> None:
    first, second = Recording(), Recording()
    first.look()

    with CaptureQueriesContext(connection) as asked:
        second._survey()

    assert (sorted(first.recorders), list(second.recorders)) == (sorted(ids), [])
    assert len(asked) == 3  # the companies, their boards, who holds which
    first.stop()
    second._survey()
    assert sorted(second.recorders) == sorted(ids)
    second.stop()
