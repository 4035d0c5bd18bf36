"""What differs between two configurations, by the place in the document."""

from collections.abc import Iterator
from typing import Any

import msgspec

from wallboard.configuration.document import Configuration

KEYS = ("number", "slug", "extension", "name")  # by which an entry of a list is known again
MOST_LETTERS = 200


class Difference(msgspec.Struct, frozen=True):
    """One place where they differ: the JSON of either side, "" where there is nothing."""

    path: str
    before: str
    after: str


def differences(before: Configuration, after: Configuration) -> list[Difference]:
    """Every place, in the order of the document."""
    return list(_walk("$", msgspec.to_builtins(before), msgspec.to_builtins(after)))


def _walk(path: str, before: Any, after: Any) -> Iterator[Difference]:
    if before == after:
        return
    ours, theirs = _entries(before), _entries(after)
    if ours is None or theirs is None:
        yield Difference(path, _shown(before), _shown(after))
        return
    for name in dict.fromkeys([*ours, *theirs]):
        yield from _walk(f"{path}{name}", ours.get(name), theirs.get(name))


def _entries(value: Any) -> dict[str, Any] | None:
    """The entries of an object or of a list whose entries have names; None for all else."""
    if isinstance(value, dict):
        return {f".{name}": each for name, each in value.items()}
    if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        key = next((name for name in KEYS if all(name in each for each in value)), None)
        if key is not None and len({each[key] for each in value}) == len(value):
            return {f"[{each[key]}]": each for each in value}
    return {} if value == [] else None


def _shown(value: Any) -> str:
    text = "" if value is None else msgspec.json.encode(value).decode()
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"
