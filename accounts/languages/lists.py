"""Names in one line, with the comma of the reader's language."""

from collections.abc import Iterable

from django.utils.translation import get_language

COMMAS = {"ar": "، "}


def comma() -> str:
    """What stands between two names."""
    return COMMAS.get((get_language() or "").partition("-")[0], ", ")


def listed(names: Iterable[object]) -> str:
    """All of them in one line; what is empty is left out."""
    return comma().join(text for text in map(str, names) if text)
