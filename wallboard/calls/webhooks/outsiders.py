"""Users of other companies at the same provider: whoever has another domain than ours is a stranger to us.

Their extension may be one of ours, too, and their name would then become that of our person.
"""

from typing import TypeVar

import msgspec

from wallboard.telephony.messages import CallEvent, CallRecord, Endpoint

M = TypeVar("M", CallEvent, CallRecord)


def seen_from(ours: str, message: M) -> M:
    """The message with users of another domain than ours as strangers; as it is where ours is not known."""
    ends = [_end(ours.casefold(), end) for end in (message.from_, message.to)]
    if not ours or ends == [message.from_, message.to]:
        return message
    return msgspec.structs.replace(message, from_=ends[0], to=ends[1])


def _end(ours: str, end: Endpoint) -> Endpoint:
    """A stranger has no extension here; where their number is one that only their company knows, the address tells."""
    if not end.user or not end.domain or end.domain.casefold() == ours:
        return end
    # A bare 201 would look like our own extension on every card.
    number = f"{end.user}@{end.domain}" if end.id in ("", end.user) else end.id
    return msgspec.structs.replace(end, user="", id=number)
