"""Calls by the way they went and by what became of them: the database and the page agree."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest

from accounts.models import Domain
from wallboard.calls import legs
from wallboard.calls.log import search
from wallboard.calls.log.filters import LEG_DIRECTION, CallFilter, Direction, Outcome, hint
from wallboard.calls.models import Leg

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def leg(domain: Domain, call: str, seconds: int = 0, /, **columns: Any) -> Leg:
    at = NOON + timedelta(seconds=seconds)
    values: dict[str, Any] = {"first_seen_at": at, "heard_at": at, "ended_at": at, **columns}
    return Leg.objects.create(domain=domain, from_call_id=call, to_call_id=f"t{Leg.objects.count()}", **values)


def found(domain: Domain, direction: str = "", outcome: str = "") -> list[str]:
    return sorted(each.call for each in search.search(domain.pk, CallFilter(direction=direction, outcome=outcome)))


def test_a_leg_goes_the_same_way_in_the_database(domain: Domain) -> None:
    names = ("from_user", "to_user", "queue", "on_net", "from_number", "to_number")
    ours, number = ("", "101"), ("", "+4930901820")
    for columns in product(ours, ours, ("", "900"), (None, True, False), number, number):
        leg(domain, "", 0, **dict(zip(names, columns, strict=True)))

    rows = Leg.objects.annotate(told=LEG_DIRECTION)

    assert [row.told for row in rows] == [legs.direction(row) for row in rows]


def test_a_caller_who_hangs_up_in_the_menu_called_in(domain: Domain) -> None:
    leg(domain, "hung up", from_number="+4930901820")
    leg(domain, "went on", from_number="+4930901820")
    leg(domain, "went on", 9, from_number="+4930901820", to_user="101")
    leg(domain, "out", from_user="101")

    shown = {call.call: call.direction for call in search.search(domain.pk)}

    assert shown == {"hung up": "in", "went on": "in", "out": "out"}
    assert [found(domain, each) for each in Direction.values] == [["hung up", "went on"], ["out"], []]


def test_a_call_is_found_by_what_became_of_it(domain: Domain) -> None:
    leg(domain, "talks", to_user="101", ended_at=None, is_answered=True)
    leg(domain, "talks", 1, to_user="102")
    leg(domain, "taken", to_user="900", queue="900", is_answered=True)
    leg(domain, "taken", 2, to_user="101", is_answered=True)
    leg(domain, "music", to_user="900", queue="900", is_answered=True)
    leg(domain, "machine", to_user="101", is_answered=True, is_human=False)
    leg(domain, "dialled", from_user="101", is_answered=True)

    by_page = {outcome: sorted(c.call for c in search.search(domain.pk) if c.outcome == outcome) for outcome in Outcome}

    assert by_page == {"live": ["talks"], "answered": ["dialled", "taken"], "unanswered": ["machine", "music"]}
    assert {outcome: found(domain, outcome=outcome) for outcome in Outcome} == by_page
    assert found(domain, "out", "answered") == ["dialled"]


@pytest.mark.parametrize(("direction", "outcome"), list(product(Direction.values, Outcome.values)))
def test_calls_without_a_callers_id_are_judged_each_by_itself(domain: Domain, direction: str, outcome: str) -> None:
    leg(domain, "", to_user="101", is_answered=True)
    leg(domain, "", 1, from_user="101", ended_at=None)

    expected = {("in", "answered"): ["t0"], ("out", "live"): ["t1"]}.get((direction, outcome), [])
    assert found(domain, direction, outcome) == expected


def test_legs_whose_call_was_answered_among_those_looked_through_are_left_out_at_once(domain: Domain) -> None:
    leg(domain, "taken", to_user="101")
    leg(domain, "taken", 1, to_user="102", is_answered=True)
    leg(domain, "talks", 2, to_user="101", ended_at=None)
    leg(domain, "missed", 3, to_user="101")
    leg(domain, "", 4, to_user="101")

    looked = Leg.objects.filter(first_seen_at__gt=NOON)

    assert [row.from_call_id for row in looked.filter(hint(looked, "unanswered")).order_by("pk")] == ["missed", ""]
    assert found(domain, outcome="unanswered") == ["missed", "t4"]
