"""Where in a document a setter is, so that what is wrong can be found, and entries that differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")


class Wrong(Exception):
    """A value that cannot be set; the text says why."""


@dataclass
class Place:
    """The path to what is being set."""

    path: str

    def at(self, part: str) -> None:
        """Go to a part of the section: `[0].hours`."""
        self.path = "$." + self.path.removeprefix("$.").split("[")[0].split(".")[0] + part

    def changed(self, wanted: Sequence[T], present: Sequence[Any]) -> Iterator[T]:
        """The entries that are not there in the same way, with the place at each."""
        for index, each in enumerate(wanted):
            self.at(f"[{index}]")
            if each not in present:
                yield each
