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
COMMA = re.compile(r",(?![^(]*\))")  # between selectors, not within :is()
TURNED = "turned"
Declarations = list[tuple[str, str]]
Known = dict[str, dict[str, str]]  # by selector


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
    # Braces in comments would be read as rules, and an import as the head of the rule after it.
    return "".join(_rules(re.sub(r"/\*.*?\*/|@import [^;]*;", "", css, flags=re.DOTALL), {}))


def _rules(css: str, known: Known) -> Iterator[str]:
    for head, body in _blocks(css):
        if head.startswith(("@media", "@container")):
            inner = "".join(_rules(body, known))
            if inner:
                yield f"{head} {{\n{inner}}}\n"
        elif not head.startswith("@"):
            alike: dict[str, list[str]] = {}
            for selector in COMMA.split(head):
                mirrored = _mirrored(_declarations(body), known.setdefault(selector.strip(), {}))
                lines = "".join(f"  {name}: {value};\n" for name, value in mirrored)
                alike.setdefault(lines, []).append(_for_rtl(selector))
            for lines, selectors in alike.items():
                if lines:
                    yield f"{', '.join(selectors)} {{\n{lines}}}\n"


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


def _mirrored(declared: Declarations, known: dict[str, str]) -> Declarations:
    """What is said of sides, turned over. `known` is what the same selector has said of its sides before."""
    found: dict[str, str] = {}
    was_turned = bool(known.get(TURNED))
    for name, value in declared:
        sided = SIDED.match(name)
        if sided:
            other = f"{sided['head']}{SIDES[sided['side']]}{sided['tail'] or ''}"
            found[other] = known[name] = value
            # Unless the rule sets both sides.
            found.setdefault(name, known.get(other, RESETS[sided["head"]]))
            known[TURNED] = "yes"
        elif name == "text-align" and value in SIDES:
            found[name] = SIDES[value]
        elif name in ("margin", "padding"):
            right, left = _sides(_values(value))
            known |= {f"{name}-left": left, f"{name}-right": right}
            # Equal sides take back what was turned over before: that weighs more than this rule.
            if right != left or was_turned:
                found |= {f"{name}-left": right, f"{name}-right": left}
                known[TURNED] = "yes"
    return list(found.items())


def _sides(values: list[str]) -> tuple[str, str]:
    """What a shorthand says of the right and of the left."""
    right = values[1] if len(values) > 1 else values[0]
    return right, values[3] if len(values) == 4 else right


def _values(text: str) -> list[str]:
    """The values of a shorthand; what stands in brackets is one of them."""
    return re.findall(r"(?:[^\s()]+(?:\((?:[^()]|\([^()]*\))*\))?)", text)


def _for_rtl(selector: str) -> str:
    selector = selector.strip()
    # The attribute stands on the root element itself.
    return f'[dir="rtl"]{selector}' if selector.startswith(":root") else f'[dir="rtl"] {selector}'
