"""From the POST of a call event to the last board that shows it, while a storm lasts.

An entry of the feed `calls` shows events: a call that rings, talks, or is gone. A browser shows them once it stands at
that entry or a later one, and an event is fresh once the last browser does.
"""

import re
from time import perf_counter
from typing import Any

from bench.traffic import LIFE

NUMBER = re.compile(r"-(\d+)$")
STEPS = {"ringing": 0, "talking": 1}
GONE = 2


class Freshness:
    """`at_once` as in traffic.events: how many calls are under way."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._places: dict[str, int] = {}  # of entries, in their order
        self._shown_at: list[float] = []  # by place: when the last browser so far came there
        self._told: dict[int, int] = {}  # event -> place of the entry that was the first to show it
        self._stands: dict[int, int] = {}  # browser -> place

    def understand(self, entry_id: str, before: dict[str, Any], frame: dict[str, Any]) -> None:
        """Note what this entry is the first to show; `before` are the feed's documents without it."""
        if entry_id in self._places:
            return
        place = self._places[entry_id] = len(self._shown_at)
        self._shown_at.append(0.0)
        for document in frame.get("set", {}).values():
            if document.get("state") in STEPS:
                self._tell(document["call"], STEPS[document["state"]], place)
        for key in frame.get("del", ()):
            if key in before:
                self._tell(before[key]["call"], GONE, place)

    def _tell(self, call_id: str, step: int, place: int) -> None:
        """An event shows all that came before it of its call, too."""
        found = NUMBER.search(call_id)
        block, offset = divmod(int(found.group(1)) if found else 0, self._at_once)
        for each in range(step + 1):
            self._told.setdefault((block * len(LIFE) + each) * self._at_once + offset, place)

    def hear(self, browser: int, entry_id: str) -> None:
        """A browser stands at this entry from now on."""
        place, now = self._places[entry_id], perf_counter()
        for passed in range(self._stands.get(browser, place - 1) + 1, place + 1):
            self._shown_at[passed] = now
        self._stands[browser] = place

    def milliseconds(self, sent_at: list[float]) -> list[float]:
        """Of each event that was shown, sorted; `sent_at` by the events' numbers."""
        shown = ((self._shown_at[place], sent_at[each]) for each, place in self._told.items() if each < len(sent_at))
        return sorted((at - sent) * 1000 for at, sent in shown)
