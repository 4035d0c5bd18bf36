"""Bad minutes from end to end: calls and figures of the simulator, an alert, its replay, and a link to a moment."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
import responses
import time_machine
from django.test import Client

from accounts import limits
from accounts.models import Domain, Person, User
from tests.calls.conftest import arrival, make_subscription
from tests.queues.conftest import STATS_URL, domain, patient_redis, provider
from tests.replay.floor import Recorded, recorded, told
from wallboard.alerts import lifecycle
from wallboard.alerts.models import Alert
from wallboard.boards import editing
from wallboard.boards.models import Board
from wallboard.calls import numbers, publisher
from wallboard.calls.models import Leg
from wallboard.calls.webhooks import intake
from wallboard.live import publish
from wallboard.queues import polling
from wallboard.queues.models import PollState
from wallboard.replay import moments
from wallboard.simulator.options import Options
from wallboard.simulator.stream import Item, Stream
from wallboard.sockets import snapshots

__all__ = ["domain", "patient_redis", "provider"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]
BEGIN = datetime(2026, 3, 4, 10, tzinfo=UTC)
MINUTES, STEP = 15, 5
LATE, TEAM = "4001", 3  # the queue that the colleague may see, and how many people


@dataclass
class BadHour:
    """What was recorded, and who looks at it: a supervisor, and a colleague who may see one queue and a team."""

    board: Board
    supervisor: Client
    colleague: Client
    people: list[str]
    team: list[str]


def browser(domain: Domain, extension: str, role: str) -> Client:
    user = User.objects.create(username=f"user-{extension}")
    Person.objects.create(domain=domain, extension=extension, name=f"name-{extension}.", role=role, user=user)
    client = Client()
    client.force_login(user)
    return client


def happen(domain: Domain, items: list[Item], stream: Stream, subscription: Any, answers: Any) -> None:
    """Post the events and poll the statistics of a few seconds, each as it does when it is live."""
    events = [item for item in items if item.kind == "calls"]
    bodies = [arrival(subscription, msgspec.json.encode(item.payload), stream.moment(item)) for item in events]
    publisher.publish_changes(intake.commit(bodies))
    if figures := [item for item in items if item.kind == "statistics"]:
        answers.reset()
        answers.get(STATS_URL, json=figures[-1].payload)
        PollState.objects.filter(domain=domain).update(tried_at=None, not_before=None)
        polling.poll(domain)
        lifecycle.apply_reading(domain)


def lived(domain: Domain, answers: Any, clock: Any, callbacks: Any, floor: Recorded) -> list[str]:
    """The quarter of an hour, looked at every few seconds; gives the extensions of those whose phones rang."""
    stream = Stream(Options(seed=5, scenario="demo", load=1.6), starts_at=BEGIN, poll_seconds=10)
    items = list(stream.run(MINUTES * 60))
    users = {item.payload["calls"]["to"]["user"] for item in items if item.kind == "calls"}
    people = sorted(each for each in users if each and not each.startswith("40"))
    Person.objects.bulk_create(Person(domain=domain, extension=each, name=f"name-{each}.") for each in people)
    subscription = make_subscription(domain, "calls")
    for feed in floor.feeds:
        publish.mend(feed, lambda feed=feed: snapshots.documents(feed.domain_id, feed.name))  # type: ignore[misc]
    for second in range(STEP, MINUTES * 60 + 1, STEP):
        clock.move_to(BEGIN + timedelta(seconds=second))
        with callbacks(execute=True):
            now = [item for item in items if second - STEP < item.seconds <= second]
            happen(domain, now, stream, subscription, answers)
        floor.look(int(BEGIN.timestamp()) + second)
    floor.recorder.flush()
    return people


@pytest.fixture
def bad_hour(
    domain: Domain,
    provider: responses.RequestsMock,
    settings: Any,
    django_capture_on_commit_callbacks: Any,
) -> Iterator[BadHour]:
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    with time_machine.travel(BEGIN, tick=False) as clock:
        board = editing.create(domain, editing.BoardInput("Service desk"), slug="desk")
        supervisor, colleague = browser(domain, "901", "administrator"), browser(domain, "902", "supervisor")
        people = lived(domain, provider, clock, django_capture_on_commit_callbacks, recorded(domain.pk, (board.pk,)))
        team = people[:TEAM]
        person = Person.objects.get(domain=domain, extension="902")
        limits.set_limit(person, [LATE], limits.save_team(domain, "Front", team))
        clock.move_to(BEGIN + timedelta(minutes=MINUTES + 5))
        yield BadHour(board, supervisor, colleague, people, team)


def frames(client: Client, **asked: int) -> tuple[dict[str, Any], str]:
    """What the replay draws of a second or a stretch, and the same as it came."""
    answer = client.get("/boards/desk/replay/frames/", {{"begin": "from"}.get(k, k): v for k, v in asked.items()})
    return told(answer), answer.content.decode()


def callers(found: dict[str, Any]) -> set[str]:
    """The numbers of those who called from outside, as they are written, withheld ones left out."""
    calls = [call for key, call in found["feeds"]["calls"].items() if key != "events"]
    return {call["from"]["number"] for call in calls if not call["from"]["extension"]} - {""}


def worst_moment(client: Client, begin: int, end: int) -> tuple[int, int]:
    """Dragging from the alert to the end: when most callers waited in the queue, and how many."""
    found: list[tuple[int, int]] = []
    while begin < end:
        part, _text = frames(client, begin=begin, until=end)
        states = [(begin, part["feeds"]["queues"]), *((each["at"], each.get("set", {})) for each in part["changes"])]
        found += [(docs[f"queue:{LATE}"]["waiting"], at) for at, docs in states if f"queue:{LATE}" in docs]
        begin = part["until"]
    waiting, at = max(found)
    return at, waiting


def test_from_the_alert_to_a_link_that_a_colleague_opens(bad_hour: BadHour) -> None:
    alert = Alert.objects.filter(queue__number=LATE).earliest("pk")
    link = f"/alerts/{alert.pk}/replay/"

    assert f'href="{link}"' in bad_hour.supervisor.get("/alerts/").content.decode()
    to = bad_hour.supervisor.get(link).headers["Location"]
    page = bad_hour.supervisor.get(to)
    raised = page.context["page"]["replay"]["at"]
    assert raised == 1000 * int(alert.raised_at.timestamp()) + 2000
    assert str(alert.pk) in frames(bad_hour.supervisor, at=raised)[0]["feeds"]["alerts"]

    end = 1000 * int((BEGIN + timedelta(minutes=MINUTES)).timestamp())
    at, waiting = worst_moment(bad_hour.supervisor, raised, end)
    assert waiting > 5

    moment = datetime.fromtimestamp(at / 1000, UTC)
    shared = f"/boards/desk/replay/?at={moments.written(moment, bad_hour.board.domain)}"
    opened = bad_hour.colleague.get(shared)
    assert (opened.status_code, opened.context["page"]["replay"]["at"]) == (200, at)
    whole, whole_text = frames(bad_hour.supervisor, at=at)
    found, text = frames(bad_hour.colleague, at=at)
    assert set(found["feeds"]["queues"]) & {f"queue:{number}" for number in range(4001, 4007)} == {f"queue:{LATE}"}
    assert len([key for key in whole["feeds"]["queues"] if key.startswith("queue:")]) == 6
    assert found["feeds"]["queues"][f"queue:{LATE}"]["waiting"] == waiting

    names = set(re.findall(r"name-(\d+)\.", text))
    assert set(bad_hour.people) <= set(re.findall(r"name-(\d+)\.", whole_text))
    assert names <= {*bad_hour.team, "902"}
    assert names & set(bad_hour.team)

    everybody, seen = callers(whole), callers(found)
    theirs = Leg.objects.filter(queue=LATE) | Leg.objects.filter(to_user__in=bad_hour.team)
    assert seen
    country = bad_hour.board.domain.country
    assert seen <= {numbers.shown(number, country) for number in theirs.values_list("from_number", flat=True)}
    assert everybody - seen
    assert not [number for number in everybody - seen if number in text]
    finds_no_alert_of_another_queue(bad_hour)


def finds_no_alert_of_another_queue(bad_hour: BadHour) -> None:
    others = Alert.objects.exclude(queue__number=LATE)
    page = bad_hour.colleague.get("/alerts/").content.decode()

    assert f"/alerts/{Alert.objects.filter(queue__number=LATE).earliest('pk').pk}/replay/" in page
    assert others
    for each in others:
        assert f"/alerts/{each.pk}/replay/" not in page
        assert bad_hour.colleague.get(f"/alerts/{each.pk}/replay/").status_code == 404
    day = told(bad_hour.colleague.get("/boards/desk/replay/day/", {"day": "2026-03-04"}))
    assert {each["queue"] for each in day["marks"]["alerts"]} == {LATE}
    assert json.dumps(day).count("4002") == 0
