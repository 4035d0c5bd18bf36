"""The kinds of values that a switch can have, read from a command line or from JSON."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from zoneinfo import ZoneInfo

MOST_TEXT = 64


class Values(Protocol):
    """What a switch accepts, in words, and how it is read; ValueError for anything else."""

    @property
    def description(self) -> str: ...

    def parse(self, raw: object) -> object: ...


@dataclass(frozen=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def description(self) -> str:
        return " · ".join(self.words)

    def parse(self, raw: object) -> str:
        word = str(raw)
        if word not in self.words:
            raise ValueError(f"one of {', '.join(self.words)}")
        return word


@dataclass(frozen=True)
class OnOff:
    """A yes or no, as a word or as JSON has it."""

    description: str = "on · off"

    def parse(self, raw: object) -> bool:
        word = str(raw).lower()
        if word not in ("on", "off", "true", "false"):
            raise ValueError("on or off")
        return word in ("on", "true")


@dataclass(frozen=True)
class Number:
    """A number between two bounds, whole where it counts things."""

    least: float
    most: float
    is_whole: bool = False

    @property
    def description(self) -> str:
        return f"{self.least:,.0f} to {self.most:,.0f}"

    def parse(self, raw: object) -> float:
        try:
            number = float(str(raw))
        except ValueError:
            number = float("nan")  # which no bounds hold
        if not self.least <= number <= self.most or (self.is_whole and number != int(number)):
            raise ValueError(f"a {'whole ' if self.is_whole else ''}number from {self.description}")
        return int(number) if self.is_whole else number


@dataclass(frozen=True)
class Text:
    """A short text that passes a check."""

    description: str
    is_good: Callable[[str], bool]

    def parse(self, raw: object) -> str:
        if not isinstance(raw, str) or len(raw) > MOST_TEXT or not self.is_good(raw):
            raise ValueError(self.description)
        return raw


def is_zone(name: str) -> bool:
    """Whether this is a time zone of the IANA database."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True


def is_name(text: str) -> bool:
    """Letters, digits and underscores."""
    return text.isascii() and text.replace("_", "").isalnum()


ON_OFF = OnOff()
SHARE = Number(0, 1)
ZONE = Text("an IANA zone", is_zone)
NAME = Text("a word", is_name)
NAME_OR_NOTHING = Text("a word or nothing", lambda text: text == "" or is_name(text))
