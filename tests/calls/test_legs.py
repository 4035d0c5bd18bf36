"""Facts of a leg: whatever order and however often deliveries come, the same is known in the end."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wallboard.calls import legs
from wallboard.calls.legs import Facts
from wallboard.calls.models import Leg
from wallboard.telephony.messages import CallEvent, CallRecord, Endpoint

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
STATES = ["", "progressing", "ringing", "active", "ended", "parked"]
few_words = st.sampled_from(["", "101", "102", "+15552345678", "Ana"])
moments = st.integers(0, 30).map(lambda seconds: NOON + timedelta(seconds=seconds))


def endpoint(call_id: str) -> st.SearchStrategy[Endpoint]:
    return st.builds(
        Endpoint,
        st.just(call_id),
        few_words,
        few_words,
        few_words,
        st.sampled_from(STATES),
        few_words,
        st.sampled_from([None, True, False]),
    )


call_events = st.builds(
    CallEvent,
    endpoint("c1"),
    endpoint("l1"),
    st.sampled_from([None, True, False]),
    st.sampled_from(["", "2026-11-20 12:00:00", "2026-11-20 12:00:01"]),
    st.sampled_from(["", "2026-11-20 12:00:05"]),
    few_words,
)
call_records = st.builds(
    CallRecord,
    st.builds(Endpoint, st.just("c1"), few_words, few_words),
    st.builds(Endpoint, st.just("l1"), few_words, few_words),
    st.sampled_from(["", "Fri, 20 Nov 2026 12:00:00 +0000"]),
    st.sampled_from(["", "Fri, 20 Nov 2026 12:00:05 +0000"]),
    st.sampled_from(["", "Fri, 20 Nov 2026 12:01:00 +0000"]),
)
told_facts = st.one_of(
    st.builds(legs.facts_of_event, call_events, moments), st.builds(legs.facts_of_record, call_records, moments)
)
# Among them news of later than the assumed end of another.
closings = st.integers(10, 40).map(lambda seconds: NOON + timedelta(seconds=seconds))
facts = st.one_of(told_facts, st.builds(legs.closed, told_facts, closings))


def joined(told: list[Facts]) -> Facts:
    known = told[0]
    for fresh in told[1:]:
        known = legs.merge(known, fresh)
    return known


@settings(max_examples=2000, deadline=None)
@given(st.data())
def test_any_order_and_any_repetition_ends_in_the_same_facts(data: st.DataObject) -> None:
    told = data.draw(st.lists(facts, min_size=1, max_size=6))
    repeated = told + data.draw(st.lists(st.sampled_from(told), max_size=6))
    shuffled = data.draw(st.permutations(repeated))

    assert joined(shuffled) == joined(told)


@settings(max_examples=300, deadline=None)
@given(facts, facts, facts)
def test_a_merge_is_associative(one: Facts, two: Facts, three: Facts) -> None:
    assert legs.merge(legs.merge(one, two), three) == legs.merge(one, legs.merge(two, three))


@settings(max_examples=300, deadline=None)
@given(facts)
def test_facts_survive_being_kept_in_a_row(told: Facts) -> None:
    leg = Leg()

    legs.apply_facts(leg, told)

    assert legs.facts_of_leg(leg) == told


def event(from_state: str, to_state: str, user: str = "", name: str = "") -> CallEvent:
    caller = Endpoint("c1", "+15552345678", state=from_state)
    return CallEvent(caller, Endpoint("l1", user=user, state=to_state, name=name))


def told(*states: tuple[str, str]) -> Leg:
    leg = Leg()
    each = [legs.facts_of_event(event(*pair), NOON + timedelta(seconds=n)) for n, pair in enumerate(states)]
    legs.apply_facts(leg, joined(each))
    return leg


@pytest.mark.parametrize(
    ("from_state", "to_state", "whole"),
    [
        ("progressing", "progressing", "progressing"),
        ("progressing", "ringing", "ringing"),
        ("active", "ringing", "ringing"),
        ("active", "active", "active"),
        ("active", "", "active"),
        ("active", "ended", "ended"),
        ("ended", "active", "ended"),
        ("", "", "other"),
        ("parked", "parked", "other"),
        ("progressing", "parked", "progressing"),
    ],
)
def test_the_state_of_the_whole_leg(from_state: str, to_state: str, whole: str) -> None:
    assert legs.state_of(told((from_state, to_state))) == whole


def test_ended_is_final_whatever_comes_later() -> None:
    leg = told(("active", "active"), ("ended", "ended"), ("active", "active"), ("progressing", "ringing"))

    assert (leg.from_state, leg.to_state, legs.state_of(leg)) == ("ended", "ended", "ended")
    assert leg.ended_at == NOON + timedelta(seconds=1)


MINUTE = timedelta(minutes=1)


def after_an_assumed_end(*news: Facts) -> Facts:
    """A talk since noon of which nothing was heard, assumed to be over after ten minutes; then the news."""
    talk = legs.facts_of_event(event("active", "active"), NOON)
    return joined([legs.closed(talk, NOON + 10 * MINUTE), *news])


@pytest.mark.parametrize("minutes", [5, 60])
def test_an_end_that_is_told_counts_rather_than_an_assumed_one(minutes: int) -> None:
    known = after_an_assumed_end(legs.facts_of_event(event("ended", "ended"), NOON + minutes * MINUTE))

    assert known.ended_at == NOON + minutes * MINUTE
    assert not legs.is_end_lost(known.ended_at, known.heard_at)


@pytest.mark.parametrize("minutes", [5, 60])
def test_an_assumed_end_stays_one_whatever_else_is_heard(minutes: int) -> None:
    known = after_an_assumed_end(legs.facts_of_event(event("active", "active"), NOON + minutes * MINUTE))

    assert (known.to_state, known.active_at) == ("ended", NOON)
    assert legs.is_end_lost(known.ended_at, known.heard_at)


def test_each_state_is_timed_by_its_first_delivery() -> None:
    leg = told(("progressing", "progressing"), ("progressing", "ringing"), ("active", "active"), ("active", "active"))

    assert (leg.first_seen_at, leg.ringing_at, leg.active_at, leg.ended_at) == (
        NOON,
        NOON + timedelta(seconds=1),
        NOON + timedelta(seconds=2),
        None,
    )
    assert legs.since(leg) == NOON + timedelta(seconds=2)


@pytest.mark.parametrize(
    "states",
    [
        [("active", "active"), ("ended", "ended"), ("progressing", "ringing")],
        [("ended", "ended"), ("active", "active"), ("progressing", "ringing")],
        [("ended", "ended"), ("progressing", "ringing"), ("active", "active")],
    ],
)
def test_news_that_were_overtaken_make_no_length_of_time_negative(states: list[tuple[str, str]]) -> None:
    leg = told(*states)

    assert leg.ringing_at == leg.active_at == NOON
    assert leg.ended_at == NOON + timedelta(seconds=states.index(("ended", "ended")))


def test_the_more_advanced_endpoint_knows_better_who_handles_the_call() -> None:
    leg = Leg()
    early = legs.facts_of_event(event("progressing", "ringing", user="900"), NOON)
    late = legs.facts_of_event(event("active", "active", user="101"), NOON)

    legs.apply_facts(leg, legs.merge(late, early))

    assert leg.to_user == "101"


def test_what_a_later_delivery_leaves_out_is_not_forgotten() -> None:
    leg = Leg()
    ringing = legs.facts_of_event(event("progressing", "ringing", user="101", name="Ana"), NOON)
    ended = legs.facts_of_event(event("ended", "ended"), NOON)

    legs.apply_facts(leg, legs.merge(ringing, ended))

    assert (leg.to_user, leg.to_name) == ("101", "Ana")


def test_a_record_ends_the_leg_and_knows_whether_it_was_answered() -> None:
    times = ("Fri, 20 Nov 2026 11:59:00 +0000", "Fri, 20 Nov 2026 11:59:05 +0000", "Fri, 20 Nov 2026 12:00:00 +0000")
    known = legs.facts_of_record(CallRecord(Endpoint("c1"), Endpoint("l1"), *times), NOON)

    assert (known.to_state, known.ended_at, known.is_answered) == ("ended", NOON, True)
    assert known.first_seen_at == NOON - timedelta(minutes=1)


def test_a_record_says_when_a_leg_began_only_where_no_event_does() -> None:
    call = CallRecord(
        Endpoint("c1"), Endpoint("l1"), "Fri, 20 Nov 2026 11:50:00 +0000", "", "Fri, 20 Nov 2026 12:00:10 +0000"
    )
    record = legs.facts_of_record(call, NOON + timedelta(seconds=20))
    rung = legs.facts_of_event(event("active", "ringing", user="102"), NOON)
    over = legs.facts_of_event(event("ended", "ended", user="102"), NOON + timedelta(seconds=10))

    assert joined([rung, over, record]).first_seen_at == NOON
    assert joined([over, record]).first_seen_at == NOON + timedelta(seconds=20) - timedelta(minutes=10, seconds=10)


@pytest.mark.parametrize(
    ("columns", "direction"),
    [
        ({"to_user": "101", "on_net": False}, "in"),
        ({"from_user": "101", "on_net": False}, "out"),
        ({"from_user": "101", "to_user": "102", "on_net": True}, "internal"),
        ({"from_user": "101", "to_user": "102"}, "internal"),
        ({"from_user": "101", "from_number": "+15552345678", "to_user": "102", "on_net": False}, "in"),
        ({"from_user": "101", "to_user": "102", "to_number": "+15552345678", "on_net": False}, "out"),
        ({"queue": "900", "on_net": False}, "in"),
        ({"on_net": True}, "internal"),
        ({}, ""),
    ],
)
def test_the_direction_follows_from_whose_sides_are_ours(columns: dict[str, object], direction: str) -> None:
    assert legs.direction(Leg(**columns)) == direction
