"""The table of area codes, piece by piece: whole it takes 100 MB of every process that makes cards.

phonenumbers keeps it in modules whose codes follow each other in order, and loads all of them with the package
`geodata`. Here something else stands for that package, which loads the piece that a number needs.
"""

import re
import sys
from bisect import bisect_right
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import phonenumbers

PACKAGE = "phonenumbers.geodata"
FOLDER = Path(phonenumbers.__file__).parent / "geodata"
CODE = re.compile(r"^ '(\d+)':", re.MULTILINE)
LONGEST = re.compile(r"^GEOCODE_LONGEST_PREFIX = (\d+)", re.MULTILINE)
HEAD = 4000  # characters of a piece among which its first code stands
Names = dict[str, str]  # by language


class Pieces:
    """As much of the table as phonenumbers' geocoder asks of it."""

    def __init__(self) -> None:
        firsts = {_first_code(path): path.stem for path in FOLDER.glob("data*.py")}
        self._firsts = sorted(firsts)
        self._names = [firsts[code] for code in self._firsts]

    def __contains__(self, code: str) -> bool:
        return code in self._piece(code)

    def __getitem__(self, code: str) -> Names:
        return self._piece(code)[code]

    def _piece(self, code: str) -> dict[str, Names]:
        at = bisect_right(self._firsts, code) - 1
        return _loaded(self._names[at]) if at >= 0 else {}


@cache
def geocoder() -> ModuleType:
    """phonenumbers' geocoder over a table that is loaded piece by piece."""
    if PACKAGE not in sys.modules:
        package = ModuleType(PACKAGE)
        package.__path__ = [str(FOLDER)]
        longest = LONGEST.search((FOLDER / "__init__.py").read_text())
        table = {"GEOCODE_DATA": Pieces(), "GEOCODE_LONGEST_PREFIX": int(longest[1]) if longest else 0}
        vars(package).update(table)
        sys.modules[PACKAGE] = package
    return import_module("phonenumbers.geocoder")


def _first_code(path: Path) -> str:
    with path.open() as piece:
        found = CODE.search(piece.read(HEAD))
    return found[1] if found else ""


@cache
def _loaded(name: str) -> dict[str, Names]:
    piece: dict[str, Names] = import_module(f"{PACKAGE}.{name}").data
    return piece
