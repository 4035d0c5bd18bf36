"""XML that a stranger sent: read without document types and entities, and only up to a depth and a size.

Straight from expat: a document type is refused before anything in it is looked at, so there is no entity that could
grow or lead elsewhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

MOST_ELEMENTS = 600_000
DEEPEST = 40


class BadMarkup(Exception):
    """This is no XML, or none that is read here."""


@dataclass(slots=True)
class Element:
    """A tag as `{namespace}name`, the text directly in it, and what lies in it."""

    tag: str
    pieces: list[str] = field(default_factory=list)
    children: list["Element"] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def all(self, tag: str) -> Iterator["Element"]:
        """The children of that name."""
        return (each for each in self.children if each.tag == tag)

    def first(self, *path: str) -> "Element | None":
        """What lies at the end of a path of names; None where it ends before."""
        found: Element | None = self
        for tag in path:
            found = next(found.all(tag), None) if found is not None else None
        return found

    def text_at(self, *path: str) -> str:
        """The text at the end of a path, without space around it."""
        found = self.first(*path)
        return found.text.strip() if found is not None else ""

    def has(self, tag: str) -> bool:
        """Whether such an element lies anywhere in it."""
        return any(each.tag == tag or each.has(tag) for each in self.children)


class _Builder:
    """Builds the tree from what expat finds."""

    def __init__(self) -> None:
        self.root = Element("")
        self.open = [self.root]
        self.count = 0

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MOST_ELEMENTS or len(self.open) > DEEPEST:
            raise BadMarkup("too many elements")
        namespace, _, local = name.rpartition("}")
        made = Element(f"{{{namespace}}}{local}")
        self.open[-1].children.append(made)
        self.open.append(made)

    def end(self, _name: str) -> None:
        self.open.pop()

    def text(self, piece: str) -> None:
        self.open[-1].pieces.append(piece)

    def refuse(self, *_about: object) -> NoReturn:
        raise BadMarkup("a document type")


def parsed(body: bytes) -> Element:
    """The outermost element. Raises BadMarkup."""
    builder, parser = _Builder(), expat.ParserCreate(namespace_separator="}")
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler = builder.text
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = builder.refuse
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, ValueError, LookupError) as error:  # the others: an encoding that nobody knows
        raise BadMarkup(str(error)) from None
    return builder.root.children[0]
