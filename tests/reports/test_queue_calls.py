"""Calls of queues from raw legs, held against what really happened on the simulated floor; and the reports page."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
import time_machine
from django.test import Client

from accounts import limits
from accounts.models import Domain, Person
from tests.calls.conftest import arrival, make_subscription
from tests.desk.conftest import Company
from wallboard.calibration import findings
from wallboard.calls.models import Leg
from wallboard.calls.webhooks import intake
from wallboard.queues.models import Queue
from wallboard.reports import queue_calls
from wallboard.reports.period_parts import Period
from wallboard.reports.queue_calls import QueueCall, QueueLeg, joined
from wallboard.reports.service_level import Rules, figures
from wallboard.simulator.options import Options
from wallboard.simulator.stream import Stream

SignIn = Callable[[Person], Client]
Queries = Callable[[int], AbstractContextManager[object]]
START = datetime(2026, 1, 5, 10, tzinfo=UTC)
PERIOD = Period(date(2026, 1, 5), date(2026, 1, 5), ZoneInfo("UTC"))
CERTAIN = {"queue_legs": "user", "caller_ids": "shared", "queue_leg_answered": "answered", "missing_events": "few"}


def floor(domain: Domain, dialect: dict[str, object] | None = None, minutes: float = 15) -> Stream:
    """A floor whose events came in as they do; its queues are known."""
    stream = Stream(Options(seed=5, scenario="demo", dialect=dialect or {}), starts_at=START)
    subscription = make_subscription(domain, "calls")
    for number in range(4001, 4007):
        Queue.objects.create(domain=domain, number=str(number))
    items = [item for item in stream.run(minutes * 60) if item.kind == "calls"]
    arrivals = [arrival(subscription, msgspec.json.encode(item.payload), stream.moment(item)) for item in items]
    for begin in range(0, len(arrivals), 200):
        intake.commit(arrivals[begin : begin + 200])
    return stream


def counted(domain: Domain, *, from_music: bool, number: str = "") -> list[QueueCall]:
    return queue_calls.queue_calls(domain, PERIOD, lambda number, at: True, from_music=from_music, number=number)


@pytest.mark.parametrize(
    ("dialect", "from_music"),
    [({}, True), ({"queue_legs": "id", "queue_leg_state": "ringing"}, False)],
)
def test_they_are_what_really_happened(company: Company, dialect: dict[str, object], from_music: bool) -> None:
    stream = floor(company.domain, dialect)

    found = counted(company.domain, from_music=from_music)

    for queue in stream.ground_truth()["queues"]:
        ours = [call for call in found if call.queue == queue["queue"]]
        over = [call for call in queue["calls"] if call["outcome"] != "waiting"]
        assert len(ours) == queue["offered"] - queue["waiting"]
        assert sum(call.is_answered for call in ours) == queue["answered"]
        # From the ringing the wait is longer by the greeting of a second.
        close = 0.01 if from_music else 1.1
        waits = sorted(call.wait_seconds for call in ours)
        assert waits == pytest.approx(sorted(call["wait_seconds"] for call in over), abs=close)


def test_a_colleague_to_whom_a_call_was_handed_on_answers_no_queue(company: Company) -> None:
    floor(company.domain)

    found = counted(company.domain, from_music=True)

    assert max(call.wait_seconds for call in found if call.is_answered) < 400
    assert len({(call.queue, call.entered_at, call.caller) for call in found}) == len(found)


@pytest.fixture
def supervisor(company: Company, signed_in: SignIn) -> Client:
    company.mia.role = Person.Role.SUPERVISOR
    company.mia.save()
    return signed_in(company.mia)


def page(client: Client, **query: str | int) -> str:
    with time_machine.travel(START + timedelta(minutes=16), tick=False):
        return client.get("/reports/", {"first": "2026-01-05", "last": "2026-01-05", **query}).content.decode()


def test_what_is_not_proven_is_no_number_and_says_what_it_rests_on(company: Company, supervisor: Client) -> None:
    floor(company.domain, minutes=5)

    text = page(supervisor)

    assert "Not provable here, so not shown" in text
    assert "Callers in a queue in call events</b>: is not proven yet" in text
    assert "service-formula" not in text


def test_where_queue_legs_are_hidden_it_stays_locked_and_says_so(company: Company, supervisor: Client) -> None:
    for question, answer in (CERTAIN | {"queue_legs": "hidden"}).items():
        findings.overrule(company.domain, question, answer, None)

    assert "Callers in a queue in call events</b>: not seen" in page(supervisor)


def test_once_it_is_certain_it_is_shown_with_its_formula_and_what_was_overruled(
    company: Company, supervisor: Client
) -> None:
    stream = floor(company.domain)
    for question, answer in CERTAIN.items():
        findings.overrule(company.domain, question, answer, None)

    text = page(supervisor, formula="B", within=30, short=8)

    truth = next(each for each in stream.ground_truth()["queues"] if each["queue"] == "4001")
    met = sum(call["outcome"] == "answered" and call["wait_seconds"] <= 30 for call in truth["calls"])
    over = [call for call in truth["calls"] if call["outcome"] != "waiting"]
    short = sum(call["outcome"] == "abandoned" and call["wait_seconds"] <= 8 for call in over)
    assert "answered within 30 s ÷ (all offered − left within 8 s)" in text
    assert f"{met} / {len(over) - short}</bdi>" in text
    assert "Set by an administrator, not measured: Callers in a queue in call events" in text
    assert "All of these" in text


def test_who_sees_a_team_sees_its_service_level_and_none_of_a_part_of_a_queue(
    company: Company, supervisor: Client
) -> None:
    floor(company.domain)
    for question, answer in CERTAIN.items():
        findings.overrule(company.domain, question, answer, None)
    team = limits.save_team(company.domain, "Front desk", [company.ana.extension])
    of_queues, of_teams = (
        '<th scope="col">Queue</th><th scope="col" class="number" data-figure="service.percent">',
        "Front desk",
    )
    before = page(supervisor)

    limits.set_limit(company.mia, None, team)
    after = page(supervisor)

    assert (of_queues in before, of_teams in before) == (True, True)
    assert (of_queues in after, of_teams in after) == (False, True)


@pytest.mark.parametrize("query", [{"formula": "C"}, {"within": "-3"}, {"within": "²"}, {"short": "9" * 40}])
def test_nonsense_in_the_address_counts_as_not_given(
    company: Company, supervisor: Client, query: dict[str, str]
) -> None:
    for question, answer in CERTAIN.items():
        findings.overrule(company.domain, question, answer, None)

    assert "answered within 20 s ÷ all offered" in page(supervisor, **query)


def queue_leg(*, call: str = "c", ended: int | None = 30, queue: str = "800", **more: object) -> QueueLeg:
    at = START + timedelta(seconds=ended) if ended is not None else None
    return QueueLeg(call, "+491", queue, START, START, at, **more)  # type: ignore[arg-type]


def person_leg(answered: int, **more: object) -> QueueLeg:
    at = START + timedelta(seconds=answered)
    return QueueLeg("c", "+491", "", START, at, at + timedelta(seconds=60), **more)  # type: ignore[arg-type]


def before_queue_leg(answered: int) -> QueueLeg:
    at = START + timedelta(seconds=answered)
    return QueueLeg("c", "+491", "", START - timedelta(seconds=9), at, at + timedelta(seconds=60))


def lost_answer(ended: int) -> QueueLeg:
    """A leg of a person of whom only a record or the events after the answer tell that they answered."""
    return QueueLeg("c", "+491", "", START, None, START + timedelta(seconds=ended), is_answered=True)


@pytest.mark.parametrize(
    ("legs", "expected"),
    [
        ([queue_leg(), person_leg(31)], [(31.0, True)]),
        ([queue_leg(), person_leg(31, is_human=False)], [(30.0, False)]),  # voicemail
        ([queue_leg(), person_leg(90)], [(30.0, False)]),  # they had left, and called back within the call
        ([queue_leg(ended=None), person_leg(31)], []),  # under way
        ([queue_leg(call=""), queue_leg(call="", ended=10)], [(30.0, False), (10.0, False)]),
        ([queue_leg(ended=90), person_leg(31)], [(31.0, True)]),  # the queue's leg stays up during the talk
        ([queue_leg(ended=90), before_queue_leg(31)], [(90.0, False)]),  # whose phone rang before, took no call of it
        ([queue_leg(), lost_answer(90)], [(30.0, True)]),
        ([queue_leg(), lost_answer(20)], [(30.0, False)]),  # they were put back into the queue
        ([queue_leg(heard_at=START), person_leg(31)], []),  # its end was lost: it was closed hours later
    ],
)
def test_a_wait_ends_with_the_person_who_answered_or_with_the_leg(
    legs: list[QueueLeg], expected: list[tuple[float, bool]]
) -> None:
    found = joined(legs, PERIOD, lambda number, at: True, from_music=True)

    assert [(call.wait_seconds, call.is_answered) for call in found] == expected


def test_a_caller_who_was_handed_from_one_queue_to_the_next_is_answered_in_the_last_one() -> None:
    at = [START + timedelta(seconds=seconds) for seconds in (0, 120, 124)]
    first, second = (
        QueueLeg("c", "+491", name, at[place], at[place], at[place + 1]) for place, name in ((0, "800"), (1, "801"))
    )

    found = joined([first, second, person_leg(124)], PERIOD, lambda number, at: True, from_music=True)

    assert [(call.queue, call.wait_seconds, call.is_answered) for call in found] == [
        ("800", 120.0, False),
        ("801", 4.0, True),
    ]
    assert figures("", found, Rules()).repeated == 0


def test_calls_that_never_came_to_a_queue_are_not_loaded_and_too_many_are_not_either(
    company: Company, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Queries
) -> None:
    floor(company.domain, minutes=5)
    begin, end = PERIOD.begin, PERIOD.end
    Leg.objects.create(
        domain=company.domain, from_call_id="direct", to_call_id="x", to_user="101", first_seen_at=START, heard_at=START
    )
    legs = list(queue_calls.legs_of_queue_calls(company.domain, begin, end))
    with_queue = {leg.from_call_id for leg in legs if leg.queue}

    assert {leg.from_call_id for leg in legs} == with_queue
    assert "direct" not in with_queue
    monkeypatch.setattr(queue_calls, "MOST_LEGS", len(legs) - 1)
    with django_assert_num_queries(1), pytest.raises(queue_calls.TooMany):
        counted(company.domain, from_music=True)


def test_of_one_queue_only_the_legs_of_its_callers_are_loaded(company: Company) -> None:
    floor(company.domain)
    # Somebody was handed on from one queue to the next, and answered there.
    handed = Leg.objects.filter(queue="4001", is_answered=True).exclude(from_call_id="")[0]
    later = handed.first_seen_at + timedelta(seconds=1)
    Leg.objects.filter(queue="4002", from_call_id=handed.from_call_id).delete()
    Leg.objects.create(
        domain=company.domain, from_call_id=handed.from_call_id, to_call_id="next", queue="4002", to_user="4002",
        is_answered=True, first_seen_at=later, active_at=later, heard_at=handed.heard_at, ended_at=handed.ended_at,
    )  # fmt: skip
    whole = counted(company.domain, from_music=True)

    for number in ("4001", "4002", "4003"):
        assert counted(company.domain, from_music=True, number=number) == [
            call for call in whole if call.queue == number
        ]
    begin, end = PERIOD.begin, PERIOD.end
    legs = queue_calls.legs_of_queue_calls(company.domain, begin, end, "4002")
    assert 0 < legs.count() < queue_calls.legs_of_queue_calls(company.domain, begin, end).count() / 2
    assert "4001" in legs.values_list("queue", flat=True)
