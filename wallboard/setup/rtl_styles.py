"""The pages from right to left: what the style sheets say of left and right, turned over into one further sheet.

TVs of 2018 know no logical properties, so the sheets name sides. This reads them and writes each such rule once more
for [dir=rtl] pages, so that nobody keeps two lists.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings

SIDES = {"left": "right", "right": "left"}
SIDED = re.compile(r"^(?P<head>margin-|padding-|border-|)(?P<side>left|right)(?P<tail>-\w+)?$")
# The rule that is turned over still holds, so the side that it names gets its initial value back.
RESETS = {"margin-": "0", "padding-": "0", "border-": "0", "": "auto"}
# An arrow between two names points the way of the call, and the names change their places.
ARROWS = '[dir="rtl"] .call-arrow {\n  display: inline-block;\n  transform: scaleX(-1);\n}\n'
Declarations = list[tuple[str, str]]


@cache
def style() -> str:
    """The sheet for pages from right to left."""
    folder = Path(settings.FILES_DIR) / "static" / "css"
    paths = [*sorted(folder.glob("*.css")), *sorted((folder / "parts").glob("*.css"))]
    return "".join(turned(path.read_text()) for path in paths) + ARROWS


@cache
def digest() -> str:
    """Changes with the sheet, so that browsers may keep it for good."""
    return hashlib.sha256(style().encode()).hexdigest()[:16]


def turned(css: str) -> str:
    """The rules of a style sheet that name a side, for the other one."""
    # Braces in comments would be read as rules.
    return "".join(_rules(re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)))


def _rules(css: str) -> Iterator[str]:
    for head, body in _blocks(css):
        if head.startswith("@media"):
            inner = "".join(_rules(body))
            if inner:
                yield f"{head} {{\n{inner}}}\n"
        elif not head.startswith("@"):
            mirrored = _mirrored(_declarations(body))
            if mirrored:
                lines = "".join(f"  {name}: {value};\n" for name, value in mirrored)
                yield f"{', '.join(map(_for_rtl, head.split(',')))} {{\n{lines}}}\n"


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """(what stands before a brace, what stands between it and the one that closes it), at the outermost level."""
    start = 0
    while (opened := css.find("{", start)) != -1:
        depth, place = 1, opened + 1
        while depth and place < len(css):
            depth += {"{": 1, "}": -1}.get(css[place], 0)
            place += 1
        yield css[start:opened].strip(), css[opened + 1 : place - 1]
        start = place


def _declarations(body: str) -> Declarations:
    pairs = (each.partition(":") for each in body.split(";"))
    return [(name.strip(), value.strip()) for name, _, value in pairs if value.strip()]


def _mirrored(declared: Declarations) -> Declarations:
    found: dict[str, str] = {}
    for name, value in declared:
        sided = SIDED.match(name)
        if sided:
            other = f"{sided['head']}{SIDES[sided['side']]}{sided['tail'] or ''}"
            found[other] = value
            # Unless the rule sets both sides.
            found.setdefault(name, RESETS[sided["head"]])
        elif name == "text-align" and value in SIDES:
            found[name] = SIDES[value]
        elif name in ("margin", "padding") and len(values := _values(value)) == 4 and values[1] != values[3]:
            found[name] = " ".join((values[0], values[3], values[2], values[1]))
    return list(found.items())


def _values(text: str) -> list[str]:
    """The values of a shorthand; what stands in brackets is one of them."""
    return re.findall(r"(?:[^\s()]+(?:\((?:[^()]|\([^()]*\))*\))?)", text)


def _for_rtl(selector: str) -> str:
    selector = selector.strip()
    # The attribute stands on the root element itself.
    return f'[dir="rtl"]{selector}' if selector.startswith(":root") else f'[dir="rtl"] {selector}'
