"""Users of other companies at the same provider: whoever has another domain than ours is a stranger to us.

Their extension may be one of ours, too, and their name would then become that of our person. The other way round an
address in our own domain is a number of ours, such as that of a queue.
"""

from typing import TypeVar

import msgspec

from wallboard.telephony import user_names
from wallboard.telephony.messages import CallEvent, CallRecord, Endpoint

M = TypeVar("M", CallEvent, CallRecord)


def seen_from(ours: str, message: M) -> M:
    """The message with users of another domain than ours as strangers, and addresses in ours as bare numbers; as it is
    where ours is not known.
    """
    ends = [_end(ours.casefold(), end) for end in (message.from_, message.to)]
    if not ours or ends == [message.from_, message.to]:
        return message
    return msgspec.structs.replace(message, from_=ends[0], to=ends[1])


def _end(ours: str, end: Endpoint) -> Endpoint:
    """A stranger has no extension here; where their number is one that only their company knows, the address tells."""
    if not end.user:
        return _with_bare_number(ours, end)
    if not end.domain or end.domain.casefold() == ours:
        return end
    # A bare 201 would look like our own extension on every card.
    number = f"{end.user}@{end.domain}" if end.id in ("", end.user) else end.id
    return msgspec.structs.replace(end, user="", id=number)


def _with_bare_number(ours: str, end: Endpoint) -> Endpoint:
    # Queues have no user: only their number tells, and it may come as a SIP address.
    named = user_names.read(end.id) if "@" in end.id else None
    return msgspec.structs.replace(end, id=named.user) if named and named.domain == ours else end
