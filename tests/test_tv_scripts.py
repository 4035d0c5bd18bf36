"""Smart TVs of 2020 run Chromium 68: what the board page loads is ES2017 and CSS of that time, nothing newer.

What is written is judged here, each line of it; tests/screens/test_old_tv_browser.py runs it in a real Chromium 68.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import esprima
import pytest
from django.conf import settings

STATIC = Path(settings.BASE_DIR) / "static"
TEMPLATES = Path(settings.BASE_DIR) / "templates"
ENTRIES = (
    "js/pages/tv.js",
    "js/pages/tv-worker.js",
    "js/pages/pair.js",
)
PAGES = ("base.html", "boards/board.html", "boards/_card_styles.html", "screens/pair.html")
SHEETS = ["css/tv.css", "css/dark.css", "css/contrast.css", "css/contrast-dark.css"]

NEWER_SCRIPT = {
    "optional chaining": r"\?\.(?!\d)",
    "nullish coalescing": r"\?\?",
    "object spread": r"[{,]\s*\.\.\.\w+[^)\]]*}",
    "Array.flat and friends": r"(?<!clients)\.(flat|flatMap|at|replaceAll|matchAll|trimStart|trimEnd|finally)\(",
    "newer globals": r"\b(globalThis|queueMicrotask|structuredClone|Object\.fromEntries|Promise\.(allSettled|any))\b",
    "newer DOM": r"\.(replaceChildren|toggleAttribute)\(",
    "dynamic import": r"\bimport\(",
    "HTML from text": r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b",
}
NEWER_STYLE = {
    "gap (grid-gap is older)": r"(?<![\w-])(gap|row-gap|column-gap)\s*:",
    "inset": r"(?<![\w-])inset(-[a-z]+)*\s*:",
    "math functions": r"(?<![\w-])(clamp|min|max|round)\(",
    "newer selectors": r":(is|where|has)\(",
    "container queries": r"@container|container-type",
    "layers": r"@layer",
    "newer colours": r"\b(color-mix|oklch|oklab|lab|lch)\(",
    "newer units": r"\d(dvh|svh|lvh|dvw|cqw|cqh|cqi)\b",
    "aspect-ratio": r"(?<![\w-])aspect-ratio\s*:",
    "nesting": r"&\s*[.:#\[]",
    "subgrid": r"\bsubgrid\b",
}
IMPORT = re.compile(r"""^\s*import\s[^;]*?["'](?P<from>\.[^"']+)["'];""", re.MULTILINE)
EXPORT_FROM = re.compile(r"""^\s*export\s[^;]*?\sfrom\s+["'](?P<from>\.[^"']+)["'];""", re.MULTILINE)


def reachable() -> list[Path]:
    """Every module that the TV's pages load, however deep."""
    found: dict[Path, None] = {}
    waiting = [STATIC / entry for entry in ENTRIES]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = None
        text = path.read_text()
        matches = [*IMPORT.finditer(text), *EXPORT_FROM.finditer(text)]
        waiting += [(path.parent / match["from"]).resolve() for match in matches]
    return sorted(found)


def styles() -> Iterator[Path]:
    """Every style sheet that the TV's pages link, or that is in one of these."""
    for page in PAGES:
        text = (TEMPLATES / page).read_text()
        yield from (STATIC / name for name in re.findall(r"""{% static ["'](css/[^"']+)["'] %}""", text))
    for sheet in ("css/tv.css", "css/base.css"):
        imported = re.findall(r'@import "([^"]+)";', (STATIC / sheet).read_text())
        yield from (STATIC / "css" / name for name in imported)


def plain(text: str) -> str:
    """The text without comments and without what stands in quotes."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"(?m)(?<![:\w])//.*$", "", text)
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)


def test_the_pages_reach_the_live_scripts() -> None:
    names = {path.name for path in reachable()}

    assert {"board.js", "socket.js", "store.js", "queue-card.js", "pair.js"} <= names


@pytest.mark.parametrize("path", reachable(), ids=lambda path: str(path.relative_to(STATIC)))
def test_a_script_is_es2017(path: Path) -> None:
    esprima.parseModule(path.read_text())

    newer = [name for name, pattern in NEWER_SCRIPT.items() if re.search(pattern, plain(path.read_text()))]
    assert newer == []


@pytest.mark.parametrize("path", sorted(set(styles())), ids=lambda path: str(path.relative_to(STATIC)))
def test_a_style_sheet_is_of_2018(path: Path) -> None:
    newer = [name for name, pattern in NEWER_STYLE.items() if re.search(pattern, plain(path.read_text()))]

    assert newer == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a?.b", "optional chaining"),
        ("a ?? b", "nullish coalescing"),
        ("x = { ...a }", "object spread"),
        ("x = {\n  b,\n  ...a,\n}", "object spread"),
        ("[[1]].flat()", "Array.flat and friends"),
    ],
)
def test_the_check_finds_newer_scripts(text: str, name: str) -> None:
    assert re.search(NEWER_SCRIPT[name], plain(text))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (".a { gap: 4px; }", "gap (grid-gap is older)"),
        (".a { inset: 0; }", "inset"),
        (".a { width: min(1px, 2px); }", "math functions"),
    ],
)
def test_the_check_finds_newer_styles(text: str, name: str) -> None:
    assert re.search(NEWER_STYLE[name], plain(text))


def test_no_page_has_inline_scripts_or_styles() -> None:
    for path in TEMPLATES.rglob("*.html"):
        if path.parent.name == "mail":
            continue  # programs for mail know no other styles
        text = path.read_text()

        assert not re.search(r"<style|\sstyle=|\son[a-z]+=", text), path
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), path
