"""Messages that no ordinary call leads to: very many records, broken names, very long ids, unknown states."""

from collections.abc import Callable
from datetime import timedelta

from wallboard.simulator.floor.calls import Call, Leg
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.floor.names import Customer
from wallboard.simulator.messages.call_messages import call_message
from wallboard.simulator.messages.detail_records import detail_record
from wallboard.simulator.messages.publisher import Message
from wallboard.simulator.types import JSON

CALLER = Customer("+442079460099", "Odd Caller")
# UTF-16 knows this half of a character, UTF-8 does not.
LONE_SURROGATE = "\ud83d"
UNKNOWN_STATE = "parked"


def records(floor: Floor, size: int) -> Message:
    """One message with so many records."""
    legs = [_ended_leg(floor) for _ in range(size)]
    return Message("cdrs", [(leg.users, detail_record(leg, floor.dialect)) for leg in legs])


def lone_surrogate(floor: Floor, size: int) -> Message:
    """A call whose name is so many halves of a character."""
    return _call(floor, lambda call: call["from"].update(name=LONE_SURROGATE * size))


def long_call_ids(floor: Floor, size: int) -> Message:
    """A call whose ids have so many characters."""
    return _call(floor, lambda call: [call[side].update(call_id=_long(call[side], size)) for side in ("from", "to")])


def unknown_states(floor: Floor, size: int) -> Message:
    """A call in states that the document does not know; `size` says how long their names are at least."""
    return _call(
        floor, lambda call: [call[side].update(state=UNKNOWN_STATE.ljust(size, "_")) for side in ("from", "to")]
    )


ODD_MESSAGES: dict[str, Callable[[Floor, int], Message]] = {
    "records": records,
    "lone_surrogate": lone_surrogate,
    "long_call_ids": long_call_ids,
    "unknown_states": unknown_states,
}


def _long(endpoint: JSON, size: int) -> str:
    return str(endpoint["call_id"]).ljust(size, "0")[:size]


def _leg(floor: Floor) -> Leg:
    """An inbound leg of the first person that the floor knows nothing of."""
    caller = floor.endpoints.external(CALLER)
    call = Call(caller, floor.clock.now(), floor.clock.now, lambda leg: None, floor.dialect)
    return call.add_leg(floor.endpoints.person(floor.company.people[0]), "ringing")


def _ended_leg(floor: Floor) -> Leg:
    leg = _leg(floor)
    leg.time_end, leg.time_start = leg.time_start, leg.time_start - timedelta(seconds=30)
    return leg


def _call(floor: Floor, change: Callable[[JSON], object]) -> Message:
    leg = _leg(floor)
    payload = call_message(leg, floor.dialect)
    change(payload["calls"])
    return Message("calls", [(leg.users, payload)], leg.source.call_id)
