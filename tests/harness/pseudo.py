"""A language that no text can hide from: every message of a catalogue stands in ⟦brackets⟧, and nothing else does."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser

from django.test import override_settings
from django.utils import translation
from django.utils.translation import trans_real

CODE = "xx"
CONTEXT = "\x04"  # between the context of a message and the message, as gettext has it
WORD = re.compile(r"[^\W\d_]{2,}")
TOLD = ("title", "aria-label", "aria-description", "placeholder", "alt", "label", "data-label")
VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
# What somebody wrote, or what no language has: names stand in bdi or dir=auto (test_name_directions.py).
OWN = frozenset({"bdi", "code", "kbd", "script", "style", "textarea"})


class Pseudo:
    """What Django asks for a text, in place of a catalogue."""

    language = CODE

    def to_language(self) -> str:
        return CODE

    def gettext(self, message: str) -> str:
        return f"⟦{message.rpartition(CONTEXT)[2]}⟧"

    def ngettext(self, one: str, many: str, number: int) -> str:
        return self.gettext(one if number == 1 else many)


@contextmanager
def speaking_pseudo() -> Iterator[None]:
    """Pages are written in the pseudo-language inside."""
    with override_settings(LANGUAGE_CODE=CODE, LANGUAGES=[(CODE, "⟦Pseudo⟧")]):
        trans_real._translations[CODE] = Pseudo()  # type: ignore[attr-defined]  # changed settings empty it
        with translation.override(CODE):
            yield


class _Reader(HTMLParser):
    """Finds words that stand in no brackets, as text or in an attribute that people see or hear."""

    def __init__(self, data: re.Pattern[str]) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[tuple[str, bool]] = []
        self._depth, self._data = 0, data
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        is_english = values.get("lang") == "en"  # the guides, which say so
        is_own = tag in OWN or values.get("dir") == "auto" or is_english or bool(self._open and self._open[-1][1])
        if tag not in VOID:
            self._open.append((tag, is_own))
        if not is_own:
            for name in TOLD:
                self._judge(values.get(name) or "", name)
        is_button = tag == "input" and values.get("type") in ("submit", "button")
        self._judge((values.get("value") or "") if is_button else "", "value")

    def handle_endtag(self, tag: str) -> None:
        while tag not in VOID and self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        is_own = bool(self._open and self._open[-1][1])
        # A message may hold elements: its brackets open in one and close in another.
        outside = []
        for piece in re.split(r"([⟦⟧])", data):
            self._depth += {"⟦": 1, "⟧": -1}.get(piece, 0)
            if self._depth == 0 and not is_own and piece not in ("⟦", "⟧"):
                outside.append(piece)
        self._words(" ".join(outside), self._open[-1][0] if self._open else "")

    def _judge(self, value: str, name: str) -> None:
        while (inner := re.sub(r"⟦[^⟦⟧]*⟧", " ", value)) != value:
            value = inner
        self._words(value, name)

    def _words(self, text: str, where: str) -> None:
        if WORD.search(self._data.sub(" ", text)):
            self.found.append(f"{where}: {' '.join(text.split())[:400]}")


def outside_gettext(html: str, data: str) -> list[str]:
    """Where a page says something that no catalogue has; `data` is what matches names, addresses and the like."""
    reader = _Reader(re.compile(data))
    reader.feed(html)
    return reader.found
