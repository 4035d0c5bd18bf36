"""What was erased is gone from what was recorded, and so is what is past its time; all else stays as it was."""

import json
import zlib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts import people
from accounts.models import Domain, Person
from tests.privacy.erasing import erase
from tests.replay.floor import NOON, Recorded, recorded, replayed
from wallboard.calls.retention import traces
from wallboard.live import feeds
from wallboard.queues.models import Queue
from wallboard.replay import departures, recording, retention, stream
from wallboard.replay.models import Departure, Run, Span
from wallboard.replay.reading import Passage
from wallboard.replay.recorder import Superseded
from wallboard.replay.recording import Recording
from wallboard.replay.rewriting import rewrite

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]


@pytest.fixture
def domain() -> Domain:
    return Domain.objects.create(slug="alfa", name="Alfa", base_url="http://127.0.0.1:1", client_id="id", country="DE")


def leg(number: str, name: str, extension: str = "") -> dict[str, object]:
    ends = {"from": {"name": name, "number": number, "extension": extension}}
    return {"id": 1, **ends, "to": {"name": "Ana", "number": "", "extension": "101"}, "queue": None}


@pytest.fixture
def floor(domain: Domain) -> Recorded:
    """Hanna rings, and rings again later; somebody else does, too, and Ana takes one and then the other."""
    floor = recorded(domain.pk)
    Person.objects.create(domain=domain, extension="101", name="Ana")
    told = [("1", "030 901820", "Hanna", "••• ••20"), ("2", "030 1234567", "Otto", "••• ••67")]
    for key, number, name, mask in told:
        feeds.calls(domain.pk).publish({key: (1, leg(number, name))})
        feeds.wall(domain.pk).publish({key: (1, leg(mask, ""))})
    ana = {"extension": "101", "name": "Ana", "with": "Bo", "status": {"note": "ask +49 30 901820"}}
    feeds.people(domain.pk).publish({"101": (1, ana), "102": (1, {"extension": "102", "name": "Bo", "with": "Ana"})})
    alert = {"queue": "", "person": "101", "acknowledged_by": ""}
    feeds.alerts(domain.pk).publish({"1": (1, alert), "2": (1, alert | {"person": "", "acknowledged_by": "Ana"})})
    floor.look(NOON)
    feeds.calls(domain.pk).publish({"1": (2, None)})
    feeds.wall(domain.pk).publish({"1": (2, None)})
    floor.look(NOON + 1)
    feeds.calls(domain.pk).publish({"3": (3, leg("030 901820", "Hanna"))})
    feeds.wall(domain.pk).publish({"3": (3, leg("••• ••20", ""))})
    floor.look(NOON + 2)
    floor.recorder.flush()
    return floor


def everything(domain: Domain) -> str:
    spans = Span.objects.filter(domain=domain)
    return "".join(line.decode() for span in spans for line in stream.lines(span.data))


def test_an_erased_number_is_gone_with_its_name_and_others_stay(domain: Domain, floor: Recorded) -> None:
    trace = traces.of("+4930901820", "DE")
    assert trace is not None
    erase(domain, trace)

    text = everything(domain)
    assert not [word for word in ("901820", "Hanna", "••20") if word in text]
    assert all(word in text for word in ("Otto", "030 1234567", "••• ••67"))
    for name in ("calls", "wall"):
        [before, between, after] = replayed(domain.pk, name, NOON, NOON + 3)
        assert (sorted(before or {}), sorted(between or {}), sorted(after or {})) == (["1", "2"], ["2"], ["2", "3"])
        assert between == floor.looks[NOON + 1][name]
    assert replayed(domain.pk, "alerts", NOON) == [floor.looks[NOON]["alerts"]]
    floor.look(NOON + 3)
    with pytest.raises(Superseded):  # it would bring it back
        floor.recorder.flush()


def test_a_person_who_is_deleted_is_taken_out_by_the_worker(domain: Domain, floor: Recorded) -> None:
    Person.objects.get(extension="101").delete()
    departures.take_out()

    assert "Ana" not in everything(domain)
    assert '"Bo"' in everything(domain)
    [people] = replayed(domain.pk, "people", NOON)
    [alerts] = replayed(domain.pk, "alerts", NOON)
    assert (sorted(people or {}), sorted(alerts or {})) == (["102"], ["2"])
    assert not Departure.objects.exists()


def test_a_former_name_of_whoever_is_deleted_goes_and_a_colleagues_stays(
    domain: Domain, floor: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = Person.objects.get(extension="101")
    people.rename(ana, "Anastasia")
    # Bo had that phone once.
    Person.objects.create(domain=domain, extension="102", name="Bo")
    feeds.people(domain.pk).publish({"101": (2, {"extension": "101", "name": "Bo", "with": ""})})
    floor.look(NOON + 3)
    feeds.people(domain.pk).publish({"101": (3, {"extension": "101", "name": "Anastasia", "with": ""})})
    alert = {"queue": "", "person": "", "acknowledged_by": "Bo"}
    feeds.alerts(domain.pk).publish({"3": (3, alert), "4": (3, alert | {"acknowledged_by": "Anastasia"})})
    floor.look(NOON + 4)
    floor.recorder.flush()
    ana.delete()

    class Killed(BaseException):
        """The worker died."""

    def dies(domain_id: int, pattern: Any, cleaner_of: Any) -> None:
        rewrite(domain_id, pattern, cleaner_of, ["people"])
        raise Killed

    with monkeypatch.context() as dying:
        dying.setattr(departures, "rewrite", dies)
        with pytest.raises(Killed):
            departures.take_out()
    departures.take_out()

    assert "Ana" not in everything(domain)
    [alerts] = replayed(domain.pk, "alerts", NOON + 4)
    named = {key: json.loads(each)["acknowledged_by"] for key, each in (alerts or {}).items()}
    assert named == {"2": "", "3": "Bo", "4": ""}
    assert not Departure.objects.exists()


def test_later_frames_hold_nothing_of_somebody_who_is_deleted(
    domain: Domain, floor: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wallboard.replay.recorder.LONGEST_SPAN", 5)
    for second in range(NOON + 3, NOON + 20):
        floor.look(second)
    floor.recorder.flush()
    Person.objects.get(extension="101").delete()
    departures.take_out()

    for name, left in (("people", "102"), ("alerts", "2")):
        [frame] = [each for each in Passage(domain.pk, [name], NOON + 12, NOON + 13).changes() if each.documents]
        assert list(frame.documents or {}) == [left]


def test_what_earlier_releases_took_out_is_left_out_of_a_frame() -> None:
    line = b'[1,{"people":{"101":null,"102":[{"name":"Bo"}]}}]\n'

    assert list(stream.Reader(stream.GROWING + zlib.compress(line)).state["people"] or {}) == ["102"]


def record_day(domain: Domain, moment: datetime) -> None:
    second = int(moment.timestamp())
    for begins in (second, second + 3600):
        run = Run.objects.create(domain=domain, begins=begins, ends=begins + 3600)
        data = stream.Writer(begins, {"queues": {}}).complete()
        Span.objects.create(run=run, domain=domain, track="queues", begins=begins, ends=begins + 3600, data=data)


@pytest.mark.parametrize(
    ("kept", "calls", "log", "left"),
    [(30, None, 400, 30), (30, 14, 400, 14), (7, 90, 400, 7), (0, None, 400, 0), (30, None, 14, 14), (30, 30, 14, 14)],
)
def test_recordings_go_after_their_time_and_never_outlive_callers(
    domain: Domain, kept: int, calls: int | None, log: int, left: int
) -> None:
    days_kept = {"replay_kept_days": kept, "calls_kept_days": calls, "log_kept_days": log}
    Domain.objects.filter(pk=domain.pk).update(time_zone="Europe/Berlin", **days_kept)
    now = timezone.now()
    for days in (6, 13, 29, 35):
        record_day(domain, now - timedelta(days=days, hours=3))
    assert retention.forget_old()

    expected = [days for days in (6, 13, 29, 35) if days < left]
    assert Run.objects.count() == Span.objects.count() == 2 * len(expected)


def test_a_run_that_reaches_over_the_limit_loses_its_beginning(domain: Domain) -> None:
    limit = retention.keeps_from(domain)
    assert limit is not None
    second = int(limit.timestamp())
    run = Run.objects.create(domain=domain, begins=second - 7200, ends=second + 7200)
    for begins in range(second - 7200, second + 7200, 1800):
        data = stream.Writer(begins, {"queues": {}}).complete()
        Span.objects.create(run=run, domain=domain, track="queues", begins=begins, ends=begins + 1800, data=data)
    retention.forget_old()
    run.refresh_from_db()

    assert (run.begins, run.spans.count()) == (second, 4)


def test_of_two_workers_one_records_and_the_other_goes_on_after_it(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It would close that of the test, within its transaction.
    monkeypatch.setattr(recording, "close_old_connections", lambda: None)
    feeds.queues(domain.pk).change([], is_whole=True)
    first, second = Recording(), Recording()
    for each in (first, second, first):
        each.look()
    assert (len(first.recorders), len(second.recorders)) == (1, 0)

    first.stop()
    second._survey_at = 0
    second.look()
    assert len(second.recorders) == 1
    second.stop()
    assert Run.objects.count() == 2
    Domain.objects.update(replay_kept_days=0)
    third = Recording()
    third.look()
    assert third.recorders == {}
    assert datetime.fromtimestamp(Run.objects.latest("pk").ends, UTC) <= timezone.now() + timedelta(seconds=2)


def test_a_queue_that_passed_for_a_person_stays(domain: Domain) -> None:
    Queue.objects.create(domain=domain, number="900")

    people.get_or_create(domain, "900", "Hilfe").delete()

    assert not Departure.objects.exists()
