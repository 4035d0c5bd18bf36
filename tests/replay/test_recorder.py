"""What the recorder keeps is what the feeds held, byte for byte; what it did not see is a gap. The Redis is real."""

import random
from typing import Any

import pytest
from django.db import OperationalError

from accounts.models import Domain
from tests.replay.floor import NOON, new_recorder, queue, recorded, replayed
from wallboard.live import connections, feeds
from wallboard.replay import recorder
from wallboard.replay.models import Run, Span
from wallboard.replay.reading import Passage
from wallboard.replay.recorder import Recorder, Superseded

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]


@pytest.fixture
def domain() -> Domain:
    return Domain.objects.create(slug="alfa", name="Alfa", base_url="http://127.0.0.1:1", client_id="id")


def trend(minute: int) -> dict[str, Any]:
    waiting: list[int | None] = [*range(minute % 3, 60), *range(minute % 3)]
    return {"until": 60_000 * minute, "waiting": waiting[:60], "late": [None] * 95 + [minute % 2]}


def test_every_document_reads_back_byte_for_byte_at_every_second(domain: Domain, monkeypatch: Any) -> None:
    monkeypatch.setattr(recorder, "SPAN_SECONDS", 30)
    floor, chance = recorded(domain.pk, (7,)), random.Random(5)
    odd: list[Any] = [
        {"name": "Zoë “x” \\ \n", "n": 1.0},
        {"name": "\ud800", "n": 1},
        {"n": True},
        {"n": 1},
        {"n": 10**30},
        "x",
        None,
    ]
    for second in range(NOON, NOON + 100):
        version = second
        told: dict[str, tuple[int, Any]] = {"odd": (version, chance.choice(odd))}
        for number in chance.sample(range(9), 3):
            told[f"queue:{number}"] = (version, queue(chance.randrange(3), second))
        told["trend:1"] = (version, trend(second // 60))
        feeds.queues(domain.pk).publish(told)
        leg = {"id": 1, "from": {"name": "A", "number": "030 1"}, "since": 1000 * second}
        feeds.calls(domain.pk).publish({"1": (version, chance.choice([leg, None]))})
        feeds.wall(domain.pk).publish({"1": (version, leg)})
        feeds.board(domain.pk, 7).publish({"board": (second // 100, {"name": "B"})})
        floor.look(second)
        if second % 10 == 0:
            floor.recorder.flush()
    floor.recorder.flush()

    assert Span.objects.filter(track="queues").exclude(ends=None).count() >= 2
    for name in ("queues", "calls", "wall", "people", "alerts", "board:7"):
        for second in range(NOON, NOON + 100, 7):
            assert replayed(domain.pk, name, second) == [floor.looks[second][name]], (name, second)
    every = replayed(domain.pk, "queues", NOON, NOON + 100)
    assert every == [floor.looks[second]["queues"] for second in range(NOON, NOON + 100)]


def test_several_changes_between_two_looks_are_the_newest_of_them(domain: Domain) -> None:
    floor = recorded(domain.pk)
    floor.look(NOON)
    for version in range(2000):  # more than the log of the feed holds
        feeds.queues(domain.pk).publish({"queue:1": (version, queue(version))})
    floor.look(NOON + 1)
    floor.recorder.flush()

    assert replayed(domain.pk, "queues", NOON, NOON + 2) == [{}, floor.looks[NOON + 1]["queues"]]


def test_what_was_not_seen_is_a_gap(domain: Domain) -> None:
    floor = recorded(domain.pk)
    feeds.queues(domain.pk).publish({"queue:1": (1, queue(1))})
    for second in (NOON, NOON + 1, NOON + 60, NOON + 61, NOON + 62):  # the look after the pause begins anew
        floor.look(second)
    floor.recorder.flush()

    passage = Passage(domain.pk, ["queues"], NOON - 10, NOON + 100)
    assert passage.gaps == [(NOON - 10, NOON), (NOON + 2, NOON + 61), (NOON + 63, NOON + 100)]
    whole = floor.looks[NOON]["queues"]
    assert replayed(domain.pk, "queues", NOON - 10, NOON + 100) == [whole, None, whole, None]
    assert replayed(domain.pk, "queues", NOON + 30) == []


def test_a_feed_that_redis_lost_is_not_known_until_it_is_built_anew(domain: Domain) -> None:
    floor = recorded(domain.pk)
    feed = feeds.queues(domain.pk)
    feed.publish({"queue:1": (1, queue(1))})
    floor.look(NOON)
    connections.client().delete(*feed.keys)
    floor.look(NOON + 1)
    feed.publish({"queue:1": (1, queue(4))})
    feed.change([], is_whole=True)
    floor.look(NOON + 2)
    floor.recorder.flush()

    before, after = floor.looks[NOON]["queues"], floor.looks[NOON + 2]["queues"]
    assert replayed(domain.pk, "queues", NOON, NOON + 3) == [before, None, after]
    assert replayed(domain.pk, "people", NOON + 1) == [{}]


def test_a_recorder_that_died_leaves_what_it_wrote(domain: Domain) -> None:
    floor = recorded(domain.pk)
    floor.look(NOON)
    floor.recorder.flush()
    floor.look(NOON + 1)  # never written
    floor.recorder.lease.release()
    floor.recorder = new_recorder(domain.pk)
    floor.look(NOON + 30)
    floor.recorder.flush()

    known = list(Run.objects.order_by("begins").values_list("begins", "ends"))
    assert known == [(NOON, NOON + 1), (NOON + 30, NOON + 31)]
    assert set(Span.objects.filter(begins=NOON).values_list("ends", flat=True)) == {NOON + 1}


def test_what_the_database_took_back_is_written_again(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    floor = recorded(domain.pk)
    feeds.queues(domain.pk).publish({"queue:1": (1, queue(1))})
    floor.look(NOON)
    floor.recorder.flush()
    feeds.queues(domain.pk).publish({"queue:1": (2, queue(2))})
    floor.look(NOON + 1)
    save = recorder._save
    saved: list[Span] = []

    def breaks_at_the_last(run: Run, piece: Any) -> Span:
        saved.append(save(run, piece))
        if len(saved) == len(floor.recorder._growing):
            raise OperationalError
        return saved[-1]

    with monkeypatch.context() as patched:
        patched.setattr(recorder, "_save", breaks_at_the_last)
        with pytest.raises(OperationalError):
            floor.recorder.flush()
    floor.recorder.flush()

    assert replayed(domain.pk, "queues", NOON + 1) == [{"queue:1": feeds.encoded(queue(2))}]


def test_of_two_recorders_only_the_one_with_the_lease_writes(domain: Domain) -> None:
    floor = recorded(domain.pk)
    floor.look(NOON)
    floor.recorder.flush()
    older: Recorder = floor.recorder
    older.lease.release()  # as when it is over, while the older one does not know yet
    floor.recorder = new_recorder(domain.pk)
    floor.look(NOON + 1)
    floor.recorder.flush()
    older.take(NOON + 2.0, {})

    with pytest.raises(Superseded):
        older.flush()
    assert list(Run.objects.order_by("pk").values_list("begins", "ends")) == [(NOON, NOON + 1), (NOON + 1, NOON + 2)]


def test_a_clock_that_is_set_back_begins_a_new_run_that_counts(domain: Domain) -> None:
    floor = recorded(domain.pk)
    for second in (NOON, NOON + 1, NOON + 2, NOON + 1, NOON + 2):
        floor.look(second)
    floor.recorder.flush()

    assert list(Run.objects.order_by("pk").values_list("begins", "ends")) == [(NOON, NOON + 3), (NOON + 2, NOON + 3)]
    assert Passage(domain.pk, ["queues"], NOON, NOON + 3).gaps == []
