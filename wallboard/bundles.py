"""ES modules of one page put together into one script, where files are collected: browsers take longer over forty.

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
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
Read = Callable[[str], str]
SCRIPTS = "js/"
PAGES = "js/pages/"  # scripts of pages; where a page has two, each has its own copy of what both import


class CannotBundle(Exception):
    """A module is written in a way that this file does not know."""


def bundle(entry: str, read: Read) -> str:
    """The entry and all that it imports as one script; `read` gives the text of a name. Raises CannotBundle."""
    names = in_order(entry, read)
    numbers = {name: f"m{number}" for number, name in enumerate(names)}
    return "\n".join(f"const {numbers[name]} = (() => {{\n{_body(name, read, numbers)}\n}})();" for name in names)


def in_order(entry: str, read: Read) -> list[str]:
    """The modules, each after all that it imports."""
    found: dict[str, bool] = {}  # whether it is done

    def visit(name: str) -> None:
        found[name] = False
        for place in imported(name, read(name)):
            if found.get(place) is False:
                raise CannotBundle(f"{name} imports {place}, which imports it.")
            if place not in found:
                visit(place)
        found[name] = True
        done.append(name)

    done: list[str] = []
    visit(entry)
    return done


def imported(name: str, text: str) -> list[str]:
    """What a module of this name and text imports itself."""
    return [normpath(join(dirname(name), place)) for _names, place in IMPORT.findall(text)]


def _body(name: str, read: Read, numbers: dict[str, str]) -> str:
    """The inside of the function: imports read what other modules answered, exports are answered at its end."""
    text = COMMENT.sub("", read(name))

    def taken(found: re.Match[str]) -> str:
        wanted, module = found[1], numbers[normpath(join(dirname(name), found[2]))]
        if wanted is None:
            return ""
        names = wanted.split()[-1] if wanted.startswith("*") else RENAMED.sub(": ", wanted)
        return f"const {names} = {module};"

    exported = EXPORT.findall(text)
    text = EXPORT.sub("", IMPORT.sub(taken, text))
    if unknown := OTHER.search(text):
        raise CannotBundle(f"{name}: {unknown[0].strip()}")
    return f"{text}\nreturn {{ {', '.join(exported)} }};" if exported else text
