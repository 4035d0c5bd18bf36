"""A past day with more or fewer people: by itself, and on the page of reports."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import fmean
from time import process_time
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client

from accounts import limits
from accounts.models import Domain, Person
from tests.boards.conftest import SignIn
from tests.forecast.mondays import MONDAY, certain, forecast, mondays
from tests.reports.service.test_alerting import renumbered
from wallboard.forecast import what_if
from wallboard.forecast.replay import Caller, replay
from wallboard.forecast.waits import Behaviour
from wallboard.forecast.what_if import Answer, Came, answer

pytestmark = pytest.mark.one_database

NOW = MONDAY + timedelta(hours=11, minutes=1)
BEGIN = datetime.fromisoformat("2026-03-09T09:00+01:00")
TIMES = Behaviour(180.0, 0.0, 150.0)


def came(people: int, seed: int, per_hour: float = 80.0) -> list[Came]:
    """Callers from eight until twelve, as so many people would have answered them."""
    random, at, callers = Random(seed), 0.0, []
    while (at := at + random.expovariate(per_hour / 3600)) < 4 * 3600:
        callers.append(Caller(at, random.expovariate(1 / 180), random.expovariate(1 / 150)))
    hour = timedelta(hours=1)
    done = replay(callers, people)
    return [Came(BEGIN - hour + timedelta(seconds=each.entered), each.waited, each.is_answered) for each in done]


def asked(callers: list[Came], change: int) -> Answer:
    found = answer(callers, BEGIN, BEGIN + timedelta(hours=3), change, TIMES, 60.0)
    assert found is not None
    return found


def test_more_people_would_have_waited_less_and_fewer_longer() -> None:
    callers = came(4, seed=1)

    more, fewer = asked(callers, 2), asked(callers, -2)

    assert more.as_it_was == fewer.as_it_was
    assert more.changed.mean_seconds[0] < 0.5 * more.as_it_was.mean_seconds[0]
    assert more.changed.longest_seconds[2] < more.as_it_was.longest_seconds[2]
    assert fewer.changed.mean_seconds[0] > 1.5 * more.as_it_was.mean_seconds[0]
    assert fewer.changed.left[0] > more.as_it_was.left[0] > more.changed.left[0]


def test_hours_over_a_change_of_clocks_are_as_long_as_they_were() -> None:
    zone = ZoneInfo("Europe/Berlin")
    begin, end = datetime(2026, 3, 29, 1, tzinfo=zone), datetime(2026, 3, 29, 5, tzinfo=zone)  # three hours
    late = [Came(begin.astimezone(UTC) + timedelta(minutes=each), 20.0, True) for each in (30, 90, 150, 190, 230)]

    found = answer(late, begin, end, 1, TIMES, 60.0)

    assert found is not None
    assert found.calls == 3


def test_the_model_finds_the_people_and_describes_a_day_that_it_could_have_made() -> None:
    found = [asked(came(4, seed), 1) for seed in range(1, 6)]

    assert fmean(each.people for each in found) == pytest.approx(4, abs=0.25)
    assert sum(each.fitting for each in found) >= 11  # of 15; four of five lie within by nature


def test_what_more_people_did_is_what_they_would_have_done() -> None:
    """Drawn callers with five people beside the answer for four and one more."""
    real = [asked(came(5, seed), 1).measured.mean_seconds for seed in range(1, 9)]
    model = [asked(came(4, seed), 1).changed.mean_seconds[0] for seed in range(1, 9)]

    assert sum(model) == pytest.approx(sum(real), rel=0.35)


def test_nobody_who_called_gives_no_answer() -> None:
    assert answer([], BEGIN, BEGIN + timedelta(hours=1), 1, TIMES, 60.0) is None


@pytest.fixture
def client(sign_in: SignIn) -> Client:
    return sign_in("supervisor")


def page(client: Client, query: Mapping[str, str | int] = {}, status: int = 200) -> str:
    usual: dict[str, str | int] = {
        "what_queue": "501",
        "what_day": "2026-03-09",
        "what_from": 9,
        "what_until": 12,
        "what_change": 2,
    }
    with time_machine.travel(NOW, tick=False):
        answer = client.get("/reports/", usual | dict(query))
    assert answer.status_code == status
    return answer.content.decode()


@pytest.fixture
def _counted(domain: Domain) -> None:
    mondays(domain)
    certain(domain)
    forecast(domain, NOW)


@pytest.mark.usefixtures("_counted")
def test_the_page_answers_with_both_sides_of_the_model_and_how_well_it_fits(client: Client) -> None:
    text = page(client)

    assert "<bdi>Support</bdi> on Monday 9 March from 9 to 12" in text
    assert "Model, 2 people more" in text
    assert "The model describes these hours" in text
    assert "Answered within 120 s" in text
    assert "Model, -1 people" in page(client, {"what_change": -1})


@pytest.mark.usefixtures("_counted")
@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"what_until": 9}, "The last hour has to be after the first one."),
        ({"what_from": 0, "what_until": 20}, "Choose at most 12 hours."),
        ({"what_change": 0}, "Say how many people more or fewer"),
        ({"what_change": 999}, "less than or equal to 50"),
        ({"what_day": "2026-03-17"}, "This day has not been yet."),
        ({"what_day": "0001-01-01"}, "Choose a day after 2000-01-01."),
        ({"what_day": "soon"}, "Enter a valid date."),
        ({"what_queue": "999"}, "Select a valid choice."),
        ({"what_from": 10**30}, "less than or equal to 23"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(client: Client, query: dict[str, str | int], says: str) -> None:
    assert says in page(client, query, 400)


@pytest.mark.usefixtures("_counted")
@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"what_day": "2026-03-08"}, "Nobody called this queue in these hours."),
        ({"what_queue": "502"}, "Too few calls of this queue were seen"),
        ({"what_until": 24, "what_from": 22}, "Nobody called this queue in these hours."),
    ],
)
def test_what_has_no_answer_gets_a_sentence(client: Client, query: dict[str, str | int], says: str) -> None:
    assert says in page(client, query)


@pytest.mark.usefixtures("_counted")
def test_hours_with_more_callers_than_a_page_can_replay_are_not_replayed(client: Client) -> None:
    with patch.object(what_if, "MOST_CALLERS", 30), patch.object(what_if, "answer") as replayed:
        text = page(client)

    assert "There were too many calls in these hours to replay at once: choose fewer." in text
    assert not replayed.called


def test_as_many_callers_as_are_replayed_at_most_take_a_few_seconds() -> None:
    span = timedelta(hours=12)
    many = [Came(BEGIN + index * span / what_if.MOST_CALLERS, 20.0, True) for index in range(what_if.MOST_CALLERS)]
    began = process_time()

    found = answer(many, BEGIN, BEGIN + span, 50, TIMES, 60.0)

    assert found is not None
    assert process_time() - began < 20


@pytest.mark.usefixtures("_counted")
def test_a_day_on_which_the_queue_was_renumbered_is_not_replayed(client: Client, domain: Domain) -> None:
    renumbered(domain, "501", "509", datetime(2026, 3, 9, 10, tzinfo=UTC))

    assert "The number of this queue seems to have changed in these hours" in page(client)
    assert "The number of this queue" not in page(client, {"what_day": "2026-03-02"})


@pytest.mark.usefixtures("_counted")
def test_who_is_limited_to_a_team_is_told_no_whole_queues_calls(client: Client, domain: Domain) -> None:
    person = Person.objects.get(role="supervisor")
    Person.objects.create(domain=domain, extension="199")
    limits.set_limit(person, None, limits.save_team(domain, "Others", ["199"]))

    assert "What if there had been more people" not in page(client)
