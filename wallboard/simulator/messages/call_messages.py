"""The call message: a leg as a subscriber sees it."""

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.floor.calls import Leg
from wallboard.simulator.messages.endpoint_fields import called_fields, endpoint_fields, human_field, name_field
from wallboard.simulator.messages.times import call_time
from wallboard.simulator.types import JSON


def call_message(leg: Leg, dialect: Dialect) -> JSON:
    """The call message of the document, for the leg as it is now."""
    source, target = leg.source, leg.target
    from_fields = endpoint_fields(source, leg.from_call_id, dialect) | {"state": source.state}
    to_fields = called_fields(leg, dialect) | {"state": target.state}
    on_net = {"on_net": leg.on_net} if _shows_on_net(leg, dialect) else {}
    return {
        "calls": {
            **on_net,
            "from": from_fields | name_field(source, "from", dialect),
            "to": to_fields | name_field(target, "to", dialect) | human_field(target, dialect),
            "time_start": call_time(leg.time_start, dialect),
            "time_answer": call_time(leg.time_answer, dialect) if leg.time_answer else None,
            "by_call_id": leg.by_call_id,
        }
    }


def _shows_on_net(leg: Leg, dialect: Dialect) -> bool:
    is_forwarded = leg.source.device == "forwarded"
    return dialect.on_net == "sent" or (dialect.on_net == "missing_if_forwarded" and not is_forwarded)
