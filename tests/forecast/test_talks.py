"""How long calls keep people, from legs: talk, ring, and the time between two calls while somebody waits."""

from datetime import UTC, datetime, timedelta

from wallboard.forecast.talks import PersonLeg, by_queue
from wallboard.forecast.waits import Sums

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def at(second: float) -> datetime:
    return START + timedelta(seconds=second)


def queue_leg(call: str, came: float, ended: float) -> PersonLeg:
    return PersonLeg(call, "501", "", at(came), None, None, at(ended), None, at(ended))


def talk(
    call: str, rang: float, answered: float, ended: float, *, user: str = "101", is_human: bool | None = None,
    heard: float | None = None,
) -> PersonLeg:  # fmt: skip
    heard_at = at(ended if heard is None else heard)
    return PersonLeg(call, "", user, at(rang), at(rang), at(answered), at(ended), is_human, heard_at)


def test_talk_and_ring_are_those_of_the_person_who_answered_the_queue() -> None:
    legs = [queue_leg("a", 0, 10), talk("a", 5, 10, 70), talk("a", 60, 65, 300, user="102")]

    assert by_queue(legs) == {"501": Sums(talk_seconds=60, talks=1, ring_seconds=5, rings=1)}


def test_a_gap_counts_only_where_the_caller_waited_all_the_time_and_the_person_was_at_work() -> None:
    legs = [queue_leg("a", 0, 5), talk("a", 0, 5, 100)]
    waited = [queue_leg("b", 50, 120), talk("b", 115, 120, 200)]
    came_later = [queue_leg("c", 210, 220), talk("c", 215, 220, 300)]
    after_a_break = [queue_leg("d", 290, 900), talk("d", 890, 900, 950)]

    found = by_queue([*legs, *waited, *came_later, *after_a_break])["501"]

    assert (found.gaps, found.gap_seconds) == (1, 20)
    assert found.talks == 4


def test_machines_and_calls_that_came_through_no_queue_do_not_count() -> None:
    legs = [queue_leg("a", 0, 10), talk("a", 5, 10, 70, is_human=False), talk("b", 0, 5, 60)]

    assert by_queue(legs) == {}


def test_a_talk_whose_end_was_never_told_does_not_count() -> None:
    lost = [queue_leg("b", 0, 10), talk("b", 5, 10, 14_400, heard=10)]

    assert by_queue([queue_leg("a", 0, 10), talk("a", 5, 10, 70), *lost])["501"].talk_seconds == 60
