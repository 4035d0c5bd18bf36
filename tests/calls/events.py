"""The provider's messages, as it words them."""

import json
from typing import Any


def event(
    state: str | tuple[str, str] = "ringing",
    *,
    call: str = "c1",
    leg: str = "l1",
    caller: str | None = "+15552345678",
    caller_user: str | None = None,
    user: str | None = "101",
    domain: str = "example.org",
    **more: Any,
) -> bytes:
    """A call message: `call` and `leg` are the two call ids, `user` is who is called, at `domain`."""
    from_state, to_state = (state, state) if isinstance(state, str) else state
    source = {
        "id": caller,
        "call_id": call,
        "user": caller_user,
        "domain": None,
        "state": from_state,
        "name": more.pop("caller_name", "Ana Lima"),
    }
    target = {"id": more.pop("number", user), "call_id": leg, "user": user, "domain": domain, "state": to_state}
    target["is_human"] = more.pop("is_human", True)
    answered = "2026-11-20 10:00:05" if to_state == "active" else None
    body = {"on_net": False, "time_start": "2026-11-20 10:00:00", "time_answer": answered, "by_call_id": None} | more
    return json.dumps({"calls": {"from": source, "to": target} | body}).encode()


def record(
    *, call: str = "c1", leg: str = "l1", answered: bool = True, user: str = "101", domain: str = "example.org"
) -> bytes:
    """An array with one call detail record."""
    day = "Fri, 20 Nov 2026"
    ends = {
        "from": {"call_id": call, "domain": None, "id": "+15552345678", "user": None, "name": "Ana Lima"},
        "to": {"call_id": leg, "domain": domain, "id": user, "user": user},
    }
    times = {
        "start_time": f"{day} 10:00:00 +0000",
        "answer_time": f"{day} 10:00:05 +0000" if answered else None,
        "end_time": f"{day} 10:01:00 +0000",
        "duration": 55,
    }
    return json.dumps([ends | times]).encode()


def set_up(state: str) -> bytes:
    """An initialization message."""
    return json.dumps({"msg": "Subscription", "state": state}).encode()
