"""One card of a grid board as checked values."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Levels:
    """From where on a card's own figure is watch and late: at or above, or with `below` when it falls under them."""

    watch: float | None = None
    late: float | None = None
    below: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"watch": self.watch, "late": self.late, "below": self.below}


@dataclass(frozen=True)
class Card:
    """One card: where it stands in cells, what it covers (None: everything), and the options of its kind."""

    id: str
    kind: str
    x: int
    y: int
    w: int
    h: int
    title: str = ""
    size: str = "normal"
    queues: tuple[str, ...] | None = None
    people: tuple[str, ...] | None = None
    levels: Levels | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The form that `parse_card` takes."""
        place = {"id": self.id, "kind": self.kind, "x": self.x, "y": self.y, "w": self.w, "h": self.h}
        covered = {
            "queues": None if self.queues is None else list(self.queues),
            "people": None if self.people is None else list(self.people),
            "levels": None if self.levels is None else self.levels.as_json(),
        }
        return {**place, "title": self.title, "size": self.size, **covered, **self.options}

    def touches(self, other: "Card") -> bool:
        """Whether the two lie on each other."""
        is_beside = self.x + self.w <= other.x or other.x + other.w <= self.x
        is_above = self.y + self.h <= other.y or other.y + other.h <= self.y
        return not is_beside and not is_above
