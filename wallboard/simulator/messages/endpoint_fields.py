"""What messages and records say of one side of a call, as the dialect has it."""

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.floor.calls import Endpoint, Leg
from wallboard.simulator.floor.company import DOMAIN, MAIN_NUMBER
from wallboard.simulator.types import JSON

CARRIER_DOMAIN = "carrier.example"
# Devices for which is_human is false.
MACHINES: dict[str, tuple[str, ...]] = {
    "false_for_machines": ("queue", "menu", "voicemail"),
    "false_for_voicemail": ("voicemail",),
    "false_for_queues": ("queue", "menu"),
    "always_true": (),
}


def endpoint_fields(endpoint: Endpoint, call_id: str, dialect: Dialect) -> JSON:
    """The fields that call messages and records have in common."""
    endpoint_id, user = _id(endpoint, dialect), endpoint.user
    if endpoint.device == "queue":
        endpoint_id, user = _queue(endpoint, dialect)
    if user is not None and dialect.user_form == "address":
        user = f"{user}@{endpoint.domain or DOMAIN}"
    return {"id": endpoint_id, "call_id": call_id, "user": user, "domain": endpoint.domain}


def called_fields(leg: Leg, dialect: Dialect) -> JSON:
    """The same of the side that is called; a phone may have a user only once it has handled the call."""
    target = leg.target
    fields = endpoint_fields(target, target.call_id, dialect)
    is_handled = target.device != "phone" or leg.time_answer is not None or dialect.called_user == "at_once"
    return fields if is_handled else fields | {"user": None}


def name_field(endpoint: Endpoint, side: str, dialect: Dialect) -> JSON:
    """The display name, where the dialect has it."""
    sides = {"from": ("from",), "both": ("from", "to"), "missing": ()}[dialect.names]
    return {"name": endpoint.name} if side in sides else {}


def human_field(endpoint: Endpoint, dialect: Dialect) -> JSON:
    """Whether a person answers there, as far as the dialect knows."""
    if dialect.is_human == "missing":
        return {}
    return {"is_human": endpoint.device not in MACHINES[dialect.is_human]}


def _id(endpoint: Endpoint, dialect: Dialect) -> str | None:
    number = endpoint.id
    if endpoint.device not in ("external", "forwarded") or not number or not number.startswith("+"):
        return number
    forms = {"e164": number, "sip": f"sip:{number}@{CARRIER_DOMAIN}", "without_plus": number[1:]}
    return forms[dialect.caller_id_form]


def _queue(endpoint: Endpoint, dialect: Dialect) -> tuple[str | None, str | None]:
    """Where the number of a queue stands: id and user."""
    return {
        "user": (endpoint.id, endpoint.user),
        "user_only": (MAIN_NUMBER, endpoint.user),
        "id": (endpoint.user, None),
        "address": (endpoint.id, None),
        "hidden": (None, None),
    }[dialect.queue_legs]
