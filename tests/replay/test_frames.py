"""What a viewer gets of the past is cut as what they get live: by role, by limit, and without people who are gone."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Person
from tests.replay.floor import NOON, Recorded, queue, recorded, told
from tests.security import two_floors
from tests.security.company import made
from tests.security.two_floors import HIDDEN, Floors
from wallboard.alerts.models import Alert
from wallboard.live import feeds, publish
from wallboard.queues.models import Queue, Sample
from wallboard.replay import answers
from wallboard.sockets import snapshots

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]


@pytest.fixture
def floors(settings: Any) -> Floors:
    """Pages that say what is missing name their files plainly, as nothing is collected."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    return two_floors.made(made("alfa"))


@pytest.fixture
def floor(floors: Floors) -> Recorded:
    """Half a minute of the company: its queues fill up and empty."""
    domain = floors.company.domain
    floor = recorded(domain.pk, (floors.company.board.pk, floors.boards[HIDDEN].pk))
    for feed in floor.feeds:
        publish.mend(feed, lambda feed=feed: snapshots.documents(feed.domain_id, feed.name))  # type: ignore[misc]
    for second in range(NOON, NOON + 30):
        for number in ("810", "866"):
            feeds.queues(domain.pk).publish({f"queue:{number}": (NOON + second, queue(second % 20 // 5))})
        floor.look(second)
    floor.recorder.flush()
    return floor


def asked(client: Client, floors: Floors, what: str = "frames", slug: str = "", **values: Any) -> Any:
    """The answer; `begin` stands for `from`, which is a word of Python's."""
    values = {{"begin": "from"}.get(name, name): value for name, value in values.items()}
    return client.get(f"/boards/{slug or floors.company.board.slug}/replay/{what}/", values)


def frames(client: Client, floors: Floors, begin: int, end: int) -> Any:
    return told(asked(client, floors, begin=1000 * begin, until=1000 * end))


def test_a_stretch_is_the_first_second_and_every_change(floors: Floors, floor: Recorded) -> None:
    found = frames(floors.company.browser("administrator"), floors, NOON + 3, NOON + 29)

    assert (found["from"], found["until"], found["gaps"]) == (1000 * (NOON + 3), 1000 * (NOON + 29), [])
    board = f"board:{floors.company.board.pk}"
    assert set(found["feeds"]) == {"queues", "people", "calls", "alerts", board}
    live = {name: {k: json.loads(v) for k, v in texts.items()} for name, texts in floor.looks[NOON + 3].items()}
    assert found["feeds"] == {name: live[name] for name in found["feeds"]}
    assert [(change["at"] // 1000 - NOON, sorted(change["set"])) for change in found["changes"]] == [
        (second, ["queue:810", "queue:866"]) for second in (5, 10, 15, 20, 25)
    ]


def test_a_document_stands_in_the_answer_byte_for_byte(floors: Floors, floor: Recorded) -> None:
    answer = asked(floors.company.browser("administrator"), floors, at=1000 * NOON + 999).content.decode()

    assert all(text in answer for text in floor.looks[NOON]["calls"].values())


def test_a_limited_supervisor_sees_nothing_of_the_other_floor(floors: Floors, floor: Recorded) -> None:
    answer = asked(floors.browser(), floors, begin=1000 * NOON, until=1000 * (NOON + 30))
    text = answer.content.decode()

    assert "queue:810" in text
    assert "121" in told(answer)["feeds"]["people"]
    everything = asked(floors.company.browser("administrator"), floors, at=1000 * NOON).content.decode()
    # The queue as it is named, since any moment or id may have these digits in it.
    for hidden in (HIDDEN, "queue:866", '"queue":"866"', "9999900"):
        assert hidden not in text.replace(" ", "")
    assert HIDDEN in everything
    assert "queue:866" in everything
    assert asked(floors.browser(), floors, slug=floors.boards[HIDDEN].slug, at=1000 * NOON).status_code == 404


def test_an_agent_gets_calls_without_numbers(floors: Floors, floor: Recorded) -> None:
    found = told(asked(floors.company.browser("agent"), floors, at=1000 * NOON))

    assert "calls" not in found["feeds"]
    ends = [leg[end] for key, leg in found["feeds"]["wall"].items() if key != "events" for end in ("from", "to")]
    assert any("••" in end["number"] for end in ends)
    assert not any(digit.isdigit() for end in ends for digit in end["number"].rpartition("••")[0])


def test_people_who_are_gone_or_hidden_now_are_not_shown_as_they_were(floors: Floors, floor: Recorded) -> None:
    domain = floors.company.domain
    Person.objects.filter(domain=domain, extension="121").delete()
    Person.objects.filter(domain=domain, extension="122").update(is_hidden=True)
    found = told(asked(floors.company.browser("administrator"), floors, at=1000 * NOON))

    assert {"121", "122"} <= set(floor.looks[NOON]["people"])
    assert not {"121", "122"} & set(found["feeds"]["people"])
    names = {leg[end]["name"] for leg in found["feeds"]["calls"].values() if "from" in leg for end in ("from", "to")}
    assert "shown person" not in names


def test_what_is_too_long_for_one_answer_is_asked_on_for(
    floors: Floors, floor: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = floors.company.browser("administrator")
    whole = frames(client, floors, NOON, NOON + 30)["changes"]
    monkeypatch.setattr(answers, "MOST_LETTERS", 10)
    begin, pieces = NOON, []
    while begin < NOON + 30:
        found = frames(client, floors, begin, NOON + 30)
        pieces += found["changes"]
        assert 1000 * begin < found["until"] < 1000 * (NOON + 30) or found["until"] == 1000 * (NOON + 30)
        begin = found["until"] // 1000
    # What changed at the second that the next answer begins with stands in its state.
    assert len(pieces) == len(whole) // 2 + len(whole) % 2
    far = frames(client, floors, NOON, NOON + 9000)
    assert far["until"] <= 1000 * (NOON + 600)


def test_a_gap_tells_where_to_go_on(floors: Floors, floor: Recorded) -> None:
    found = told(asked(floors.company.browser("administrator"), floors, at=1000 * (NOON - 5)))

    assert set(found["feeds"].values()) == {None}
    assert found["gaps"] == [[1000 * (NOON - 5), 1000 * (NOON - 4)]]
    assert (found["previous"], found["next"]) == (None, 1000 * NOON)
    after = told(asked(floors.company.browser("administrator"), floors, at=1000 * (NOON + 99)))
    assert (after["previous"], after["next"]) == (1000 * (NOON + 29), None)


def test_a_gap_is_told_anew_once_something_is_known_after_it(floors: Floors, floor: Recorded) -> None:
    client = floors.company.browser("administrator")
    address = f"/boards/{floors.company.board.slug}/replay/frames/?at={1000 * (NOON + 99)}"
    tag = {"If-None-Match": client.get(address)["ETag"]}
    for second in (NOON + 200, NOON + 201):  # the first look after a pause begins anew
        floor.look(second)
    floor.recorder.flush()

    assert told(client.get(address, headers=tag))["next"] == 1000 * (NOON + 201)


def test_the_same_stretch_is_not_sent_twice_and_is_nobody_elses(floors: Floors, floor: Recorded) -> None:
    client = floors.company.browser("administrator")
    first = client.get(
        f"/boards/{floors.company.board.slug}/replay/frames/?at={1000 * NOON}", headers={"Accept-Encoding": "gzip"}
    )
    tag = {"If-None-Match": first["ETag"]}
    address = f"/boards/{floors.company.board.slug}/replay/frames/?at={1000 * NOON}"

    assert first["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(first.content))["from"] == 1000 * NOON
    assert first["Cache-Control"] == "private, no-cache"
    assert client.get(address, headers=tag).status_code == 304
    assert floors.company.browser("supervisor").get(address, headers=tag).status_code == 200
    Person.objects.filter(domain=floors.company.domain, extension="121").delete()
    assert client.get(address, headers=tag).status_code == 200


@pytest.mark.parametrize(
    "query",
    ["", "at=", "at=x", "at=-1", "at=1e9", "at=9999999999999999", "at=١٢٣", "from=5000", "until=5000",
     "from=5000&until=5000", "from=9000&until=5000", "from=5000&until=nan"],
)  # fmt: skip
def test_nonsense_in_the_address_is_refused(floors: Floors, query: str) -> None:
    slug = floors.company.board.slug
    answer = floors.company.browser("administrator").get(f"/boards/{slug}/replay/frames/?{query}")

    assert answer.status_code == 400
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "day", ["x", "2026-13-01", "1999-12-31", "2101-01-01", "0001-01-01", "2026-11-22T10:00", "%00"]
)
def test_a_day_that_is_none_is_refused(floors: Floors, day: str) -> None:
    assert asked(floors.company.browser("administrator"), floors, "day", day=day).status_code == 400


def test_a_moment_far_away_is_a_gap(floors: Floors) -> None:
    found = told(asked(floors.company.browser("administrator"), floors, at=999_999_999_999_999))

    assert (found["previous"], found["next"], len(found["gaps"])) == (None, None, 1)


def test_a_day_tells_what_is_kept_of_it_and_what_happened(floors: Floors, floor: Recorded) -> None:
    noon = datetime.fromtimestamp(NOON, UTC).replace(second=0)
    shown, hidden = (Queue.objects.get(domain=floors.company.domain, number=number) for number in ("810", "866"))
    for row, minutes in ((shown, (0, 1, 5)), (hidden, (2,))):
        for minute in minutes:
            Sample.objects.create(
                queue=row, minute=noon + timedelta(minutes=minute), readings=9, waiting=1, most_waiting=1,
                watch_seconds=0, late_seconds=20, nobody_seconds=20 * (minute == 5),
            )  # fmt: skip
        times = {"began_at": noon, "raised_at": noon, "ended_at": noon + timedelta(minutes=3)}
        Alert.objects.create(domain=row.domain, queue=row, subject=row.number, level="late", worst="late", **times)
    day = f"{noon:%Y-%m-%d}"
    found = told(asked(floors.company.browser("administrator"), floors, "day", day=day))
    limited = told(asked(floors.browser(), floors, "day"))

    assert (found["day"], limited["day"], found["days"]) == (day, day, [day])
    assert (found["first"], found["last"]) == (1000 * NOON, 1000 * (NOON + 29))
    assert found["gaps"][0] == [found["begins"], 1000 * NOON]
    begin = int(1000 * noon.timestamp())
    assert found["marks"]["late"] == [[begin, begin + 180_000], [begin + 300_000, begin + 360_000]]
    assert limited["marks"]["late"] == [[begin, begin + 120_000], [begin + 300_000, begin + 360_000]]
    assert found["marks"]["nobody"] == [[begin + 300_000, begin + 360_000]]
    assert [(alert["queue"], alert["from"], alert["until"]) for alert in limited["marks"]["alerts"]] == [
        ("810", begin, begin + 180_000)
    ]
    assert {alert["queue"] for alert in found["marks"]["alerts"]} >= {"810", "866"}
    assert timezone.now().timestamp() * 1000 >= found["now"] - 1000
