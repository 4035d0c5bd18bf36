"""What a cell of a sheet may be beside a number and a text, and how it is written where there are only texts."""

from dataclasses import dataclass
from datetime import datetime, time
from zoneinfo import ZoneInfo

SECOND, MINUTE, TIME = "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%H:%M"


@dataclass(frozen=True, slots=True)
class Stamp:
    """A moment by a clock on the wall: a date with a time, or a time of day. As text it is written as in CSV."""

    at: datetime | time
    pattern: str

    def __str__(self) -> str:
        return f"{self.at:{self.pattern}}"


class Lasting(str):
    """The head of a column of seconds. Where cells are lengths of time by themselves it is called `name`."""

    name: str

    def __new__(cls, text: str, name: str) -> "Lasting":
        made = super().__new__(cls, text)
        made.name = name
        return made


def stamp(moment: datetime | None, zone: ZoneInfo, pattern: str = SECOND) -> Stamp | str:
    """The moment by the clocks of that zone; an empty cell where there is none."""
    if moment is None:
        return ""
    local = moment.astimezone(zone).replace(tzinfo=None)
    return Stamp(local.time() if pattern == TIME else local, pattern)
