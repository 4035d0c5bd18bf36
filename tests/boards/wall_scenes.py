"""The states that a wall can be in, as scenes: how many queues, how they stand, how long names and figures are."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from playwright.sync_api import Page

from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage

SIZES = {"1080p": (1920, 1080), "4k": (3840, 2160), "portrait": (1080, 1920), "720p": (1280, 720), "phone": (390, 844)}
QUEUES = (1, 2, 3, 6, 12, 24, 40)
STATES = ("mixed", "normal", "watch", "late", "closed", "stale", "offline", "missing", "alerts")
PEOPLE = {0: 0, 1: 4, 2: 6, 3: 12, 6: 24, 12: 100, 24: 150, 40: 300}
NAMES = {
    "short": ["IT", "HR", "Ops", "Sales", "Help", "Desk"],
    "usual": fake_feeds.QUEUES,
    "German": ["Kundendienst Haushaltsgeräte", "Ersatzteile und Reklamationen", "Rechnungswesen", "Außendienst Nord"],
    "Arabic": ["خدمة العملاء", "المبيعات", "الدعم الفني", "الفواتير والحسابات"],
}
FIGURES = {1: 7, 2: 38, 3: 412, 4: 1234}
FONTS = ("own", "DejaVu Sans", "Arial metrics")
THEMES = ("dark", "light")
HOURS_MS = 50_000_000

# Sets the font that the page falls back to, as a TV without ours would have it.
SET_FONT = """async (name) => {
  if (name === "Arial metrics" && !window.arial) {
    window.arial = new FontFace(name, "local('DejaVu Sans')", { sizeAdjust: "88%" });
    document.fonts.add(window.arial);
    await window.arial.load();
  }
  const family = name === "own" ? "" : '"' + name + '", sans-serif';
  if (document.documentElement.style.getPropertyValue("--font") === family) return;
  document.documentElement.style.setProperty("--font", family);
  document.fonts.dispatchEvent(new Event("loadingdone"));
}"""


@dataclass(frozen=True)
class Scene:
    """One state of a wall, on one screen."""

    queues: int
    state: str = "mixed"
    digits: int = 1
    names: str = "usual"
    size: str = "1080p"
    theme: str = "dark"
    font: str = "own"
    crowds: ClassVar[WeakKeyDictionary[Page, Any]] = WeakKeyDictionary()  # whom each page shows

    def __str__(self) -> str:
        parts = (self.queues, self.state, self.digits, self.names, self.size, self.theme, self.font)
        return "-".join(str(part) for part in parts).replace(" ", "-")

    @property
    def may_shorten(self) -> bool:
        """Whether names may end in "…": forty of thirty letters have no room at a size that can be read."""
        return self.queues == 40 and self.names == "German"

    def play(self, wall: BoardPage) -> None:
        """Send the page everything that it shows in this scene, and wait until it has drawn it."""
        width, height = SIZES[self.size]
        if wall.page.viewport_size != {"width": width, "height": height}:
            wall.page.set_viewport_size({"width": width, "height": height})
        wall.page.evaluate(SET_FONT, self.font)
        crowd = (wall.socket, self.queues, self.is_stale)
        is_same = self.crowds.get(wall.page) == crowd  # the same people as in the scene before, mostly
        if not is_same:
            self.crowds[wall.page] = crowd
            self._send_crowd(wall)
        wall.snapshot("queues", self._queues())
        raised = 3 if self.state == "alerts" else 0
        wall.snapshot("alerts", {str(index): alert(501 + index) for index in range(min(raised, self.queues))})
        wall.snapshot(f"board:{wall.board.pk}", {"today": fake_feeds.today()})
        wall.say({**fake_feeds.ping(), **({"proof_age": 60_000} if self.state == "offline" else {})})
        if not is_same:  # the scripts of its cards may still be on their way
            wall.page.locator(".queue-card" if self.queues else ".queues-empty").last.wait_for(state="attached")
            wall.settle()
        wall.drawn()

    @property
    def is_stale(self) -> bool:
        return self.state == "stale"

    def _send_crowd(self, wall: BoardPage) -> None:
        events = "down" if self.is_stale else "live"
        is_masked = wall.calls_feed == "wall"
        wall.snapshot("people", fake_feeds.people(PEOPLE[self.queues], events))
        wall.snapshot(wall.calls_feed, fake_feeds.calls(5 if self.queues else 0, events, masked=is_masked))

    def _queues(self) -> dict[str, Any]:
        if not self.is_stale:
            documents = fake_feeds.queues(self.queues)
        else:
            documents = fake_feeds.queues(self.queues, read_ago_seconds=660, failure="unreachable")
        return documents | {key: value for index in range(self.queues) for key, value in self._queue(index)}

    def _queue(self, index: int) -> Iterator[tuple[str, Any]]:
        names = NAMES[self.names]
        name = names[index % len(names)] + (f" {index // len(names) + 1}" if index >= len(names) else "")
        yield f"about:{501 + index}", {**fake_feeds.about(index), "name": name}
        yield f"queue:{501 + index}", fake_feeds.queue(index, **self._figures(index))

    def _figures(self, index: int) -> dict[str, Any]:
        since = fake_feeds.now_ms() - 59 * 60_000
        large: dict[str, Any] = {} if self.digits == 1 else {"waiting": FIGURES[self.digits], "longest_wait": 754}
        if self.digits == 4:
            large |= {"longest_wait": 4000, "average_wait": 3800, "agents": 30, "available": 28}
        if self.state in ("normal", "watch", "late"):
            reason = "" if self.state == "normal" else "longest_wait"
            return large | {"level": self.state, "reason": reason, "since": since}
        if self.state == "closed":
            return large | {"level": "normal", "reason": "closed", "opens_at": fake_feeds.now_ms() + HOURS_MS}
        if self.state == "missing" and index % 3 == 0:
            return large | {"missing_since": since}
        return large


def alert(number: int) -> dict[str, Any]:
    """An open alert of the queue with this number."""
    since = fake_feeds.now_ms() - 200_000
    told = {"id": number, "queue": str(number), "name": "", "level": "late", "reason": "longest_wait"}
    return {**told, "since": since, "raised_at": since, "acknowledged_by": "", "acknowledged_at": None}


def all_scenes() -> Iterator[Scene]:
    """Every combination but those of themes with fonts: a theme changes no width. A new company has no names."""
    for font, size in itertools.product(FONTS, SIZES):
        yield from (Scene(0, "empty", 1, "usual", size, theme, font) for theme in THEMES)
        for queues, names, digits, state in itertools.product(QUEUES, NAMES, FIGURES, STATES):
            yield Scene(queues, state, digits, names, size, THEMES[(queues + digits) % 2], font)


def chosen(how_many: str) -> list[Scene]:
    """All scenes, so many of them, or the few ("") that are hard on a wall."""
    if how_many in ("", "0"):
        return few_scenes()
    scenes = list(all_scenes())
    return scenes if how_many == "all" else random.Random(12).sample(scenes, int(how_many))


def grouped(scenes: list[Scene]) -> dict[str, list[Scene]]:
    """Scenes that one page shows one after the other, by a name: what takes a page long to change comes last."""
    many = len(scenes) > 50
    groups: dict[str, list[Scene]] = {}
    for scene in sorted(scenes, key=lambda scene: (scene.queues, scene.font, scene.names, scene.is_stale)):
        kind = "phone" if scene.size == "phone" else "tv"
        name = f"{scene.theme}-{scene.size}-{scene.queues}" if many else f"{scene.theme}-{kind}"
        groups.setdefault(name, []).append(scene)
    return groups


def few_scenes() -> list[Scene]:
    """Each number of queues in states, names and fonts that are hard on it."""
    return [
        Scene(1, "late", 4, "German"),
        Scene(2, "watch", 2, "Arabic", "portrait", "light"),
        Scene(3, "alerts", 3, "usual", "1080p", "light"),
        Scene(3, "closed", 1, "German", "720p"),
        Scene(3, "alerts", 1, "German", "720p", "light", "DejaVu Sans"),
        Scene(6, "late", 2, "German", "1080p", "dark"),
        Scene(6, "closed", 1, "usual", "portrait"),
        Scene(6, "mixed", 4, "usual", "1080p", "light", "DejaVu Sans"),
        Scene(6, "missing", 1, "German", "4k"),
        Scene(12, "stale", 2, "usual"),
        Scene(12, "late", 4, "German", "1080p", "light", "Arial metrics"),
        Scene(12, "closed", 1, "Arabic", "720p", "dark", "DejaVu Sans"),
        Scene(24, "watch", 3, "usual", "1080p"),
        Scene(24, "mixed", 2, "German", "portrait", "light"),
        Scene(40, "alerts", 4, "usual", "1080p"),
        Scene(40, "late", 2, "German", "4k", "light"),
        Scene(40, "late", 4, "Arabic", "portrait", "dark", "DejaVu Sans"),
        Scene(40, "mixed", 1, "short", "720p", "dark", "DejaVu Sans"),
    ]
