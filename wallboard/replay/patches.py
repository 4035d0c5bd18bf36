"""Documents as differences to the ones before them, so small that a day of them can be kept.

A patch is JSON: null where the document is gone, `[document]` for a whole one, a text for a document whose bytes
cannot be made again from what it means (the text is it), and an object for one of which some fields changed. There a
field has a number (what is added to it), `[value]` (what replaces it), `[from, length, tail]` (that part of the list
there was, and what follows it) or an object again.
"""

from typing import Any

import msgspec

from wallboard.live.feeds import encoded

Patch = None | str | list[Any] | dict[str, Any]
FURTHEST_SHIFT = 3  # how many values a list moves on by at most: trends do so by one


class Verbatim(str):
    """A document that is kept as the very text it came as."""

    __slots__ = ()


def parsed(text: str) -> Any:
    """The document of a JSON text; Verbatim where writing it again would give another text."""
    try:
        document = msgspec.json.decode(text)
        return document if encoded(document) == text else Verbatim(text)
    except ValueError:  # msgspec's errors and those about NaN are such
        return Verbatim(text)


def meaning(document: Any) -> Any:
    """What a document says, also where it is kept as a text; that text where it cannot be read."""
    if not isinstance(document, Verbatim):
        return document
    try:
        return msgspec.json.decode(str(document))
    except ValueError:
        return document


def text_of(document: Any) -> str:
    """The JSON text of a document, byte for byte as it came."""
    return str(document) if isinstance(document, Verbatim) else encoded(document)


def patch(old: Any, new: Any) -> Patch:
    """What makes `new` of `old`; None for either is no document."""
    if new is None:
        return None
    if isinstance(new, Verbatim):
        return str(new)
    if isinstance(old, dict) and isinstance(new, dict) and list(old) == list(new):
        changes = _changes(old, new)
        # By their texts: 1, 1.0 and true are equal in Python.
        if encoded(_patched(old, changes)) == encoded(new):
            return changes
    return [new]


def applied(old: Any, change: Patch) -> Any:
    """The document that a patch makes of the one before; `old` itself stays as it is."""
    if change is None:
        return None
    if isinstance(change, str):
        return Verbatim(change)
    if isinstance(change, list):
        is_text = isinstance(change[0], str) and change[0].startswith("{")  # as an earlier release wrote after erasing
        return Verbatim(change[0]) if is_text else change[0]
    return _patched(old, change)


def _changes(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    return {name: _change(old[name], value) for name, value in new.items() if old[name] != value}


def _change(old: Any, new: Any) -> Any:
    if type(old) is int and type(new) is int:
        return new - old
    if isinstance(old, dict) and isinstance(new, dict) and list(old) == list(new):
        return _changes(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _shift(old, new) or [new]
    return [new]


def _shift(old: list[Any], new: list[Any]) -> list[Any] | None:
    """The longest part of the old list that the new one begins with, where that is most of it."""
    kept, start = max((_common(old, begin, new), -begin) for begin in range(FURTHEST_SHIFT + 1))
    return [-start, kept, new[kept:]] if kept > len(new) // 2 else None


def _common(old: list[Any], begin: int, new: list[Any]) -> int:
    if old[begin : begin + len(new)] == new[: len(old) - begin]:
        return min(len(old) - begin, len(new))
    pairs = enumerate(zip(old[begin:], new, strict=False))
    return next((place for place, (one, other) in pairs if one != other), 0)


def change_in_place(document: dict[str, Any], changes: dict[str, Any]) -> None:
    """Change a document that nobody else holds; what is in it is replaced, never changed."""
    for name, change in changes.items():
        if isinstance(change, dict):
            document[name] = _patched(document[name], change)
        elif not isinstance(change, list):
            document[name] += change
        elif len(change) == 1:
            document[name] = change[0]
        else:
            begin, length, tail = change
            document[name] = document[name][begin : begin + length] + tail


def _patched(old: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    new = dict(old)
    change_in_place(new, changes)
    return new
