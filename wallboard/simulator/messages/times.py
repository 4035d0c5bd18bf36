"""How times are written in messages, as the dialect has it."""

from datetime import UTC, datetime
from email.utils import format_datetime
from zoneinfo import ZoneInfo

from wallboard.simulator.dialect.switches import Dialect


def call_time(moment: datetime, dialect: Dialect) -> str:
    """YYYY-MM-DD HH:MM:SS: the document shows the form and no zone."""
    local = moment.astimezone(ZoneInfo(dialect.call_time_zone))
    return local.replace(tzinfo=None).isoformat(" ", "seconds")


def record_time(moment: datetime, dialect: Dialect) -> str:
    """As in an HTTP date, with an offset that may be wrong."""
    whole = moment.astimezone(UTC).replace(microsecond=0)
    if dialect.record_times == "utc":
        return format_datetime(whole)
    local = whole.astimezone(ZoneInfo(dialect.call_time_zone))
    return format_datetime(local if dialect.record_times == "local" else local.replace(tzinfo=UTC))


def expires_text(moment: datetime, dialect: Dialect) -> str:
    """ISO-8601, as token answers and subscriptions carry it."""
    local = moment.astimezone(ZoneInfo(dialect.expires_zone))
    text = local.replace(tzinfo=None).isoformat(timespec="microseconds" if dialect.expires_fraction else "seconds")
    suffixes = {"none": "", "z": "Z", "offset": local.strftime("%z")[:3] + ":" + local.strftime("%z")[3:]}
    return text + suffixes[dialect.expires_suffix]
