"""ES modules of one page put together into one script, where files are collected: a browser takes longer with forty.

Each module becomes a function that is run once and answers what it exports, in the order in which a browser would run
them. Modules have to be written plainly: names imported from files beside them, functions, classes and constants
exported where they are declared, and no circles.
"""

import re
from collections.abc import Callable
from posixpath import dirname, join, normpath

IMPORT = re.compile(r'^import\s+(?:(\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+)?"(\.{1,2}/[^"]+)";', re.MULTILINE)
EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function\b\*?|class|const)\s+([\w$]+))", re.MULTILINE)
OTHER = re.compile(r"^\s*(?:import\b(?!\.)|export\b).*|\bimport(?:\(|\.meta).*", re.MULTILINE)
RENAMED = re.compile(r"\s+as\s+")
# Those that begin a line: within one a quoted text may look like a comment.
COMMENT = re.compile(r"^[ \t]*/\*.*?\*/", re.DOTALL | re.MULTILINE)
Read = Callable[[str], str]
SCRIPTS = "js/"
PAGES = "js/pages/"  # scripts of pages; where a page has two, each has its own copy of what both import


class CannotBundle(Exception):
    """A module is written in a way that this file does not know."""


def bundle(entry: str, read: Read) -> str:
    """The entry and all that it imports as one script; `read` gives the text of a name. Raises CannotBundle."""
    modules = in_order(entry, read)
    numbers = {name: f"m{number}" for number, name in enumerate(modules)}
    bodies = {number: _body(name, modules[name], numbers) for name, number in numbers.items()}
    return "\n".join(f"const {number} = (() => {{\n{body}\n}})();" for number, body in bodies.items())


def in_order(entry: str, read: Read) -> dict[str, str]:
    """The texts of the modules by name, without comments, each after all that it imports. Raises CannotBundle."""
    begun = set[str]()
    done: dict[str, str] = {}

    def visit(name: str) -> None:
        begun.add(name)
        text = COMMENT.sub("", read(name))
        for place in (_place(name, there) for _names, there in IMPORT.findall(text)):
            if place in begun and place not in done:
                raise CannotBundle(f"{name} imports {place}, which imports it.")
            if place not in begun:
                visit(place)
        done[name] = text

    visit(entry)
    return done


def _place(name: str, there: str) -> str:
    """The name of what this module imports from there."""
    return normpath(join(dirname(name), there))


def _body(name: str, text: str, numbers: dict[str, str]) -> str:
    """The inside of the function: imports read what other modules answered, exports are answered at its end."""

    def taken(found: re.Match[str]) -> str:
        wanted, module = found[1], numbers[_place(name, found[2])]
        if wanted is None:
            return ""
        names = wanted.split()[-1] if wanted.startswith("*") else RENAMED.sub(": ", wanted)
        return f"const {names} = {module};"

    exported = EXPORT.findall(text)
    text = EXPORT.sub("", IMPORT.sub(taken, text))
    if unknown := OTHER.search(text):
        raise CannotBundle(f"{name}: {unknown[0].strip()}")
    return f"{text}\nreturn {{ {', '.join(exported)} }};" if exported else text
