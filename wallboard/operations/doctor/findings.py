"""What an examination finds: one line that is good, wants watching, or is trouble, and what to do about it."""

from dataclasses import dataclass
from enum import StrEnum

from django.utils.formats import number_format


class State(StrEnum):
    GOOD = "good"
    WATCH = "watch"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: how it stands, in words, and what to do where it does not stand well."""

    title: str
    state: State
    text: str
    advice: str = ""


def good(title: str, text: str) -> Finding:
    return Finding(title, State.GOOD, text)


def watch(title: str, text: str, advice: str) -> Finding:
    return Finding(title, State.WATCH, text, advice)


def trouble(title: str, text: str, advice: str) -> Finding:
    return Finding(title, State.TROUBLE, text, advice)


def amount(size: float) -> str:
    """Bytes in words: 1.5 GB."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{number_format(round(size, 1), 1)} {unit}"
        size /= 1000
    return f"{number_format(round(size, 1), 1)} TB"
