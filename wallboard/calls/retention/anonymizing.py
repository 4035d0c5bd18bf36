"""Taking the stranger out of a leg: what stood for them goes, and what the figures are made of stays.

A number becomes a mark without any digit, the same for all calls that are treated together, so that callers can still
be told apart and counted; nobody can work it back. Of a SIP address and a display name nothing stays.
"""

import secrets
import string
from datetime import datetime

from wallboard.calls import legs, numbers
from wallboard.calls.models import Leg, Record
from wallboard.calls.retention.traces import Trace

COLUMNS = ("from_number", "from_name", "from_domain", "to_number", "to_name", "to_domain", "caller_e164")
OF_RECORD = ("from_number", "from_name", "to_number")
# 26^12: two callers never share a mark by chance.
LENGTH = 12


def new_mark() -> str:
    """A mark that stands for one stranger from now on."""
    # Random, not a hash of the number: hashes of all numbers there are can be computed.
    return numbers.REMOVED + "".join(secrets.choice(string.ascii_lowercase) for _ in range(LENGTH))


def ends_of(leg: Leg) -> tuple[str, ...]:
    """Which ends of the leg are strangers: "from", "to" or both. An end with a user, or a queue, is ours."""
    direction = legs.direction(leg)
    if direction == "in":
        return ("from",)
    if direction == "out":
        return ("to",)
    return tuple(end for end, is_ours in (("from", leg.from_user), ("to", leg.to_user or leg.queue)) if not is_ours)


def forget(leg: Leg, mark: str, now: datetime, trace: Trace | None = None) -> None:
    """Put the mark in the place of the strangers on this leg, and of this number if it stands on our own side."""
    theirs = ends_of(leg)
    for end in ("from", "to"):
        number, name = getattr(leg, f"{end}_number"), getattr(leg, f"{end}_name")
        if end in theirs or (trace and trace.is_in(number)):
            # “Anonymous” tells nothing, and that callers withheld their number stays countable.
            if number and not numbers.is_withheld(number):
                setattr(leg, f"{end}_number", marked(number, mark))
            setattr(leg, f"{end}_domain", "")
            name = ""
        setattr(leg, f"{end}_name", trace.masked(name) if trace else name)
    if leg.caller_e164:
        leg.caller_e164 = mark
    leg.forgotten_at = leg.forgotten_at or now


def marked(number: str, mark: str) -> str:
    """What stands for a number; the plus that tells a forwarded call from an internal one stays."""
    return f"+{mark}" if number.startswith("+") else mark


def anonymized_columns(leg: Leg) -> dict[str, object]:
    """What a forgotten leg keeps whatever is still delivered about it."""
    return {name: getattr(leg, name) for name in COLUMNS} if leg.forgotten_at else {}


def forget_record(record: Record, leg: Leg) -> None:
    """The record of a forgotten leg says no more than the leg does."""
    for name in OF_RECORD:
        setattr(record, name, getattr(leg, name))
