"""Today's calls and the next hour, each figure with its proof, and nothing beyond a token's limit."""

from datetime import timedelta
from typing import Any

import msgspec
from django.utils import timezone

from accounts import limits
from accounts.models import Domain
from tests.api.conftest import MakeProgram, Program
from tests.reports.test_queue_calls import CERTAIN
from wallboard.calibration import findings
from wallboard.forecast.models import NextHour
from wallboard.forecast.outlook import Estimate, Outlook
from wallboard.queues.models import PollState, Queue
from wallboard.reports.models import ServiceDay
from wallboard.reports.service.today import Tally


def told(program: Program, path: str) -> Any:
    answer = program.ask(path)
    assert answer.status_code == 200
    return msgspec.json.decode(answer.content)


def test_calls_of_today_come_with_their_proof(floor: Domain, make_program: MakeProgram) -> None:
    now = timezone.now()
    tally = msgspec.to_builtins(Tally(10, 8, 1, 6, 10, 96.0))
    minute = str(int(now.timestamp()) // 900 * 900)
    quarters = {minute: {"800": tally}}
    ServiceDay.objects.create(domain=floor, at=now, counted_whole_at=now, quarters=quarters, minutes=quarters)

    found = told(make_program("reports", queues=("800",)), "today")

    [queue] = found["items"]
    figures = queue["figures"]
    known = {name: each["known"] for name, each in figures.items()}
    assert set(figures) == {"percent", "offered", "answered", "unanswered", "left_early", "answer_speed"}
    assert all(figures[name]["value"] is None for name, how in known.items() if how == "not_provable")
    assert set(found["proofs"]) >= {each["proof"] for each in figures.values()}
    assert set(found["calls"]) == {"ended", "answered", "unanswered"}
    assert found["events_since"], "call events began today"


def test_queues_that_were_renumbered_today_have_no_figures(floor: Domain, make_program: MakeProgram) -> None:
    for question, answer in CERTAIN.items():
        findings.overrule(floor, question, answer, None)
    now = timezone.now()
    tally = msgspec.to_builtins(Tally(10, 8, 1, 6, 10, 96.0))
    numbers = ("800", "801", "802")
    quarters = {str(int(now.timestamp()) // 900 * 900): dict.fromkeys(numbers, tally)}
    ServiceDay.objects.create(domain=floor, at=now, counted_whole_at=now, quarters=quarters, minutes=quarters)
    Queue.objects.create(domain=floor, number="802", name="Spares")
    Queue.objects.filter(domain=floor).update(first_seen_at=now - timedelta(days=9))
    before = offered(make_program("reports"))

    state = PollState.objects.get(domain=floor)
    state.figures["800"][1]["missing_since"] = int(now.timestamp() * 1000)
    state.save()
    Queue.objects.filter(number="801").update(first_seen_at=now)

    assert before == {"800": 10, "801": 10, "802": 10}
    assert offered(make_program("reports")) == {"800": None, "801": None, "802": 10}


def offered(program: Program) -> dict[str, float | None]:
    return {each["queue"]: each["figures"]["offered"]["value"] for each in told(program, "today")["items"]}


def test_calls_from_outside_have_no_value_where_each_leg_has_an_id_of_its_own(
    floor: Domain, make_program: MakeProgram
) -> None:
    findings.overrule(floor, "caller_ids", "per_leg", None)

    calls = told(make_program("reports"), "today")["calls"]

    assert {(each["known"], each["value"]) for each in calls.values()} == {("not_provable", None)}


def test_the_next_hour_has_its_range_or_says_why_not(floor: Domain, make_program: MakeProgram) -> None:
    outlook = msgspec.to_builtins(Outlook(calls=Estimate(12.0, 8.0, 17.0), days=8))
    queue, now = Queue.objects.get(number="800"), timezone.now()
    NextHour.objects.create(queue=queue, begins_at=now, made_at=now, outlook=outlook)

    orders, returns = told(make_program("reports"), "forecasts")["items"]

    expected = orders["figures"]["calls"]
    is_told = expected["expected"]["known"] != "not_provable"
    assert (expected["low"], expected["high"]) == ((8.0, 17.0) if is_told else (None, None))
    assert orders["figures"]["longest"]["expected"]["value"] is None
    assert "Not calculated yet" in returns["why"]
    assert len(told(make_program("reports", queues=("801",)), "forecasts")["items"]) == 1


def test_a_token_with_a_team_is_told_no_figures_of_whole_queues(floor: Domain, make_program: MakeProgram) -> None:
    program = make_program("reports", team=limits.save_team(floor, "Front desk", ["301"]))

    today = told(program, "today")

    assert [today["items"], told(program, "forecasts")["items"]] == [[], []]
    assert set(today["calls"]) == {"ended", "answered", "unanswered"}
