"""Where in a document a setter is, so that what is wrong can be found, and entries that differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from django.utils.translation import gettext as _


class Named(Protocol):
    """An entry with a name."""

    @property
    def name(self) -> str: ...


T = TypeVar("T")
N = TypeVar("N", bound=Named)


class Wrong(Exception):
    """A value that cannot be set; the text says why."""


@dataclass
class Place:
    """The path to what is being set."""

    path: str
    left_out: list[str] = field(default_factory=list)  # paths of what cannot come from a document

    def at(self, part: str) -> None:
        """Go to a part of the section: `[0].hours`."""
        self.path = "$." + self.path.removeprefix("$.").split("[")[0].split(".")[0] + part

    def leave_out(self) -> None:
        """What stands here cannot be made from a document, and is not there to be set."""
        self.left_out.append(self.path)

    def changed(self, wanted: Sequence[T], present: Sequence[Any]) -> Iterator[T]:
        """The entries that are not there in the same way, with the place at each."""
        for index, each in enumerate(wanted):
            self.at(f"[{index}]")
            if each not in present:
                yield each

    def changed_by_name(self, wanted: Sequence[N], present: Sequence[N]) -> Iterator[N]:
        """The same of entries that are known by their name. Raises Wrong where nobody knows which one is meant."""
        for each in self.changed(wanted, present):
            only_one(each.name, wanted, present)
            yield each


def only_one(name: str, *entries: Sequence[Named]) -> None:
    """Raises Wrong where any of these have two with that name."""
    if any([each.name for each in some].count(name) > 1 for some in entries):
        raise Wrong(_("Two entries are called “%(name)s”. Rename one of them first.") % {"name": name})
