"""What is known of a call leg, and how another delivery adds to it, whatever order deliveries come in.

Every delivery is turned into facts of its own, and merge() joins two sets of facts field by field with "the greater
wins" (for times: the earlier, for the last sign of life: the later). Such a join is commutative, associative and
idempotent by its nature, so permutations and repetitions of the same deliveries end in the same facts.
"""

from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from operator import attrgetter

import msgspec
from django.db.models import Q

from wallboard.calls.models import Leg
from wallboard.telephony.messages import CallEvent, CallRecord, Endpoint, parse_time

State = Leg.State
# The order of the states is that in which they are declared: endpoints only move forward.
RANK = {state.value: rank for rank, state in enumerate(State)}
# As plain texts: members of an enumeration take long to reach, and every event compares them a dozen times.
OTHER, RINGING, ACTIVE, ENDED = (str(state.value) for state in (State.OTHER, State.RINGING, State.ACTIVE, State.ENDED))
FIELDS = (
    *("by_call_id", "on_net", "started_text", "answered_text"),
    *("from_number", "from_user", "from_domain", "from_name"),
    *("to_number", "to_user", "to_domain", "to_name", "is_human"),
)
_values = attrgetter(*FIELDS)
# Not known counts as a person: the field is only shown in samples of the API, and may be missing.
MAY_BE_HUMAN = Q(is_human=None) | Q(is_human=True)
IS_SPOKEN = Q(is_answered=True, queue="") & MAY_BE_HUMAN  # is_spoken() in the database
MOMENT = timedelta(microseconds=1)  # the least that a row can keep
# Of a leg that a phone of ours is named as the caller of, the part of direction() that tells a stranger's call sent on.
IS_SENT_ON = Q(on_net=False, from_number__startswith="+") & ~Q(to_user="") & ~Q(to_number__startswith="+")
LONGEST_CALL = timedelta(days=1)  # a record that claims a longer call is not believed

Value = str | bool | None


class Facts(msgspec.Struct, frozen=True):
    """What is known of one leg. `values` and `ranks` follow FIELDS; all times are our receipt clock."""

    from_state: str
    to_state: str
    values: tuple[Value, ...]
    ranks: str
    first_seen_at: datetime
    heard_at: datetime
    ringing_at: datetime | None = None
    active_at: datetime | None = None
    ended_at: datetime | None = None
    is_answered: bool = False
    has_record: bool = False
    is_begin_guessed: bool = False


def overall(from_state: str, to_state: str) -> str:
    """The state of the leg as a whole: ended with either end, else that of the called side where it is known."""
    # A call with one end is over, even where the other side's last event was lost.
    if ENDED in (from_state, to_state):
        return ENDED
    if RANK[to_state] > RANK[OTHER]:
        return to_state
    return max(from_state, to_state, key=RANK.__getitem__) or OTHER


def facts_of_event(event: CallEvent, received_at: datetime) -> Facts:
    """The facts that one call event states."""
    source, target = _known(event.from_.state), _known(event.to.state)
    state = overall(source, target)
    values = (event.by_call_id, event.on_net, event.time_start, event.time_answer, *_sides(event.from_, event.to))
    return Facts(
        source,
        target,
        values,
        _ranks(values, RANK[source], RANK[target]),
        first_seen_at=received_at,
        heard_at=received_at,
        # Our receipt clock: the zone of the provider's times is documented nowhere.
        ringing_at=received_at if state == RINGING else None,
        active_at=received_at if state == ACTIVE else None,
        ended_at=received_at if state == ENDED else None,
        # The event with the answer may be lost, and the time of answer stands in all later ones.
        is_answered=target == ACTIVE or bool(event.time_answer),
        is_begin_guessed=state == ENDED,
    )


def facts_of_record(record: CallRecord, received_at: datetime) -> Facts:
    """The facts that a call detail record states: the leg is over, and whether it was answered."""
    values = ("", None, "", "", *_sides(record.from_, record.to))
    return Facts(
        ENDED,
        ENDED,
        values,
        _ranks(values, RANK[ENDED], RANK[ENDED]),
        # Where no event came, the record's own length puts the leg about where its call began. Not nearer: every record
        # of a call counts from when the caller began it.
        first_seen_at=received_at - _length(record),
        heard_at=received_at,
        ended_at=received_at,
        is_answered=bool(record.answer_time),
        has_record=True,
        is_begin_guessed=True,
    )


def closed(facts: Facts, now: datetime) -> Facts:
    """The same leg, ended because nothing was heard of it for too long."""
    return merge(facts, msgspec.structs.replace(facts, from_state=ENDED, to_state=ENDED, ended_at=now))


def merge(one: Facts, other: Facts) -> Facts:
    """Both taken together. Commutative, associative and idempotent."""
    values, ranks = _greater(one, other)
    ended_at = _end(one, other)
    active_at = _in_order(_earlier(one.active_at, other.active_at), ended_at)
    ringing_at = _in_order(_earlier(one.ringing_at, other.ringing_at), active_at or ended_at)
    return Facts(
        max(one.from_state, other.from_state, key=RANK.__getitem__),
        max(one.to_state, other.to_state, key=RANK.__getitem__),
        values,
        ranks,
        first_seen_at=_begin(one, other, ended_at),
        heard_at=max(one.heard_at, other.heard_at),
        ringing_at=ringing_at,
        active_at=active_at,
        ended_at=ended_at,
        is_answered=one.is_answered or other.is_answered,
        has_record=one.has_record or other.has_record,
        is_begin_guessed=one.is_begin_guessed and other.is_begin_guessed,
    )


def _begin(one: Facts, other: Facts, ended_at: datetime | None) -> datetime:
    """When the leg was first seen: the earliest, as deliveries overtake each other, of those that do not guess."""
    known = [each.first_seen_at for each in (one, other) if not each.is_begin_guessed]
    begin = min(known or (one.first_seen_at, other.first_seen_at))
    return min(begin, ended_at or begin)


def _end(one: Facts, other: Facts) -> datetime | None:
    """When the leg ended: as told, the earliest; else as assumed, which stays later than all that was heard."""
    told = [each.ended_at for each in (one, other) if each.ended_at and not is_end_lost(each.ended_at, each.heard_at)]
    if told:
        return min(told)
    assumed = _earlier(one.ended_at, other.ended_at)
    # News after an assumed end must not turn it into a told one, from which lengths are reckoned.
    return max(assumed, max(one.heard_at, other.heard_at) + MOMENT) if assumed else None


def facts_of_leg(leg: Leg) -> Facts:
    """What a stored leg knows."""
    return Facts(
        leg.from_state,
        leg.to_state,
        _values(leg),
        # Rows of a release with fewer fields have shorter ranks.
        leg.ranks.ljust(len(FIELDS), "0"),
        leg.first_seen_at,
        leg.heard_at,
        leg.ringing_at,
        leg.active_at,
        leg.ended_at,
        leg.is_answered,
        leg.has_record,
        leg.is_begin_guessed,
    )


def apply_facts(leg: Leg, facts: Facts) -> None:
    """Put the facts into the row; saving it is the caller's."""
    for field, value in zip(FIELDS, facts.values, strict=True):
        setattr(leg, field, value)
    leg.ranks = facts.ranks
    leg.from_state, leg.to_state = facts.from_state, facts.to_state
    leg.first_seen_at, leg.heard_at = facts.first_seen_at, facts.heard_at
    leg.ringing_at, leg.active_at, leg.ended_at = facts.ringing_at, facts.active_at, facts.ended_at
    leg.is_answered, leg.has_record = facts.is_answered, facts.has_record
    leg.is_begin_guessed = facts.is_begin_guessed


def state_of(leg: Leg) -> str:
    """The state of a stored leg as a whole."""
    return ENDED if leg.ended_at else overall(leg.from_state, leg.to_state)


def is_end_lost(ended_at: datetime | None, heard_at: datetime) -> bool:
    """Whether nobody told the end of a leg: closed hours after its last news, it is of unknown length."""
    return ended_at is not None and ended_at > heard_at


def known_until(leg: Leg) -> datetime | None:
    """The last news of a leg of which nobody told how it went on: unconfirmed, or with its end lost; else None."""
    is_doubtful = is_end_lost(leg.ended_at, leg.heard_at) if leg.ended_at else leg.is_unconfirmed
    return leg.heard_at if is_doubtful else None


def since(leg: Leg) -> datetime:
    """When the leg entered the state it is in, by our receipt clock."""
    at = {RINGING: leg.ringing_at, ACTIVE: leg.active_at, ENDED: leg.ended_at}
    return at.get(state_of(leg)) or leg.first_seen_at


def reaches_person(leg: Leg) -> bool:
    """Whether the called side is one of our people: not a stranger, a queue or a machine."""
    return leg.to_user not in ("", leg.queue) and leg.is_human is not False


def is_spoken(leg: Leg) -> bool:
    """Whether people talked on this leg: a queue's music and a voicemail have answered nobody."""
    return leg.is_answered and not leg.queue and leg.is_human is not False


def direction(leg: Leg) -> str:
    """in, out or internal, by which side is one of ours; "" where nothing tells.

    A side is ours when the provider names its user, or when the leg leads to a queue. With users on both sides and
    one end on the public network, the side that shows a phone number is the stranger (a forwarded call).
    """
    is_from_ours, is_to_ours = bool(leg.from_user), bool(leg.to_user or leg.queue)
    # A call that a phone sends on outside names its user, though the voice on the line is a stranger's.
    if is_from_ours and is_to_ours and leg.on_net is False:
        is_from_ours, is_to_ours = not leg.from_number.startswith("+"), not leg.to_number.startswith("+")
        if is_from_ours == is_to_ours:
            return "internal"
    if is_from_ours == is_to_ours:
        return "internal" if is_from_ours or leg.on_net else ""
    return "out" if is_from_ours else "in"


def _length(record: CallRecord) -> timedelta:
    """How long the call was from its start, by the record's own clock: records come shortly after the end."""
    start, end = parse_time(record.start_time, UTC), parse_time(record.end_time, UTC)
    # Clocks of networks are wrong at times: a negative or endless call would pull the start out of the day.
    is_plausible = start is not None and end is not None and timedelta() <= end - start <= LONGEST_CALL
    return end - start if is_plausible and start and end else timedelta()


def _known(state: str) -> str:
    return state if state in RANK else OTHER


def _sides(source: Endpoint, target: Endpoint) -> tuple[Value, ...]:
    return (
        *(source.id, source.user, source.domain, source.name),
        *(target.id, target.user, target.domain, target.name, target.is_human),
    )


def _ranks(values: tuple[Value, ...], source: int, target: int) -> str:
    digits = _digits(source, target)
    return "".join(["0" if value in ("", None) else digit for value, digit in zip(values, digits, strict=True)])


@cache
def _digits(source: int, target: int) -> str:
    # In the order of FIELDS: four of the call, four of the caller, five of the called side.
    return f"{max(source, target)}" * 4 + f"{source}" * 4 + f"{target}" * 5


def _greater(one: Facts, other: Facts) -> tuple[tuple[Value, ...], str]:
    """Of each value the one with the greater weight, and its rank."""
    # Nearly always: an event repeats what others said, and only the states have moved on.
    if one.values == other.values:
        return one.values, _higher(one.ranks, other.ranks)
    both = zip(one.values, one.ranks, other.values, other.ranks, strict=True)
    chosen = [
        (mine, max(my_rank, their_rank)) if mine == theirs else max((mine, my_rank), (theirs, their_rank), key=_weight)
        for mine, my_rank, theirs, their_rank in both
    ]
    return tuple(value for value, _ in chosen), "".join(rank for _, rank in chosen)


@lru_cache(1000)
def _higher(one: str, other: str) -> str:
    return "".join(map(max, one, other))  # of each rank; few of the many that could be ever occur


def _weight(stated: tuple[Value, str]) -> tuple[bool, str, str]:
    """What is said beats what is not, then what a more advanced endpoint said, then any fixed order."""
    value, rank = stated
    # The text last, which means nothing: any fixed order makes merging independent of arrival.
    return value not in ("", None), rank, str(value)


def _in_order(at: datetime | None, following: datetime | None) -> datetime | None:
    """News of a state that a later one overtook: it was entered before that, or a length of time would be negative."""
    return min(at, following) if at and following else at


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    return min(one, other) if one and other else one or other
