"""What calibration looks at: polls of the queues, call events and detail records, each with its time of receipt."""

import msgspec

from wallboard.telephony.messages import CallEvent, CallRecord
from wallboard.telephony.resources import QueueStats


class Poll(msgspec.Struct, frozen=True):
    """One answer of the provider, waits in its own unit. Times are seconds since 1970 by our clock."""

    at: float
    queues: dict[str, QueueStats]


class Heard(msgspec.Struct, frozen=True):
    """One call event."""

    at: float
    event: CallEvent


class Recorded(msgspec.Struct, frozen=True):
    """One call detail record."""

    at: float
    record: CallRecord


Observation = Poll | Heard | Recorded
