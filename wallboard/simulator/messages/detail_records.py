"""The call detail record of an ended leg."""

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.floor.calls import Leg
from wallboard.simulator.messages.endpoint_fields import called_fields, endpoint_fields, name_field
from wallboard.simulator.messages.times import record_time
from wallboard.simulator.types import JSON


def detail_record(leg: Leg, dialect: Dialect) -> JSON:
    """The record of the document; a leg that nobody answered has no answer_time."""
    if leg.time_end is None:
        raise ValueError("A leg that has not ended has no record.")
    source, target = leg.source, leg.target
    # By whole seconds as the record shows them, so that it does not contradict itself.
    seconds = (leg.time_end.replace(microsecond=0) - leg.time_start.replace(microsecond=0)).total_seconds()
    return {
        "start_time": record_time(leg.time_start, dialect),
        "answer_time": record_time(leg.time_answer, dialect) if leg.time_answer else None,
        "end_time": record_time(leg.time_end, dialect),
        "duration": int(seconds),
        "from": endpoint_fields(source, leg.from_call_id, dialect) | name_field(source, "from", dialect),
        "to": called_fields(leg, dialect) | name_field(target, "to", dialect),
    }
