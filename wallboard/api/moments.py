"""Times of documents, which are milliseconds, as the API writes them."""

from datetime import UTC, datetime
from typing import overload


@overload
def moment(milliseconds: int) -> datetime: ...
@overload
def moment(milliseconds: None) -> None: ...
def moment(milliseconds: int | None) -> datetime | None:
    """The moment; none as none."""
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)


def age_seconds(at: datetime | None, now: datetime) -> int | None:
    """How long ago that was, in whole seconds; never less than 0, as clocks differ."""
    return None if at is None else max(0, round((now - at).total_seconds()))
