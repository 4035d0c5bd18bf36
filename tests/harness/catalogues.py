"""Catalogues without gettext's tools: read as people edit them (.po), and compiled as Django reads them (.mo)."""

import ast
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

CONTEXT, FORMS = "\x04", "\0"
KEYWORD = re.compile(r"(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d+)\])? (\".*\")$")
NPLURALS = re.compile(r"nplurals\s*=\s*(\d+)")


@dataclass
class Entry:
    """One message: `texts` has one form, or as many as the language counts with."""

    flags: set[str] = field(default_factory=set)
    context: str | None = None
    message: str = ""
    plural: str | None = None
    texts: dict[int, str] = field(default_factory=dict)
    is_obsolete: bool = False

    @property
    def key(self) -> str:
        """As the compiled catalogue finds it."""
        message = self.message if self.plural is None else f"{self.message}{FORMS}{self.plural}"
        return message if self.context is None else f"{self.context}{CONTEXT}{message}"

    @property
    def is_translated(self) -> bool:
        """Whether every form that is there says something."""
        return bool(self.texts) and all(self.texts.values())


def read(path: Path) -> list[Entry]:
    """The entries of a .po file, the one of its header first."""
    blocks = re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))
    return [entry for block in blocks if (entry := _entry(block.splitlines())) is not None]


def _entry(lines: list[str]) -> Entry | None:
    entry, name, form = Entry(), "", 0
    for line in lines:
        if line.startswith("#,"):
            entry.flags |= {each.strip() for each in line[2:].split(",")}
        entry.is_obsolete = entry.is_obsolete or line.startswith("#~")
        if line.startswith("#"):
            continue
        if found := KEYWORD.match(line):
            name, form = found[1], int(found[2] or 0)
            _add(entry, name, form, ast.literal_eval(found[3]))
        elif line.startswith('"'):
            _add(entry, name, form, ast.literal_eval(line))
    return entry if name else None


def _add(entry: Entry, name: str, form: int, text: str) -> None:
    if name == "msgctxt":
        entry.context = (entry.context or "") + text
    elif name == "msgid":
        entry.message += text
    elif name == "msgid_plural":
        entry.plural = (entry.plural or "") + text
    else:
        entry.texts[form] = entry.texts.get(form, "") + text


def plural_count(entries: list[Entry]) -> int:
    """How many forms the language counts with, as the header says."""
    found = NPLURALS.search(entries[0].texts.get(0, ""))
    return int(found[1]) if found else 0


def compiled(entries: list[Entry]) -> bytes:
    """The .mo file: whatever is translated and not fuzzy, in the order in which it is looked up."""
    usable = [each for each in entries if each.is_translated and "fuzzy" not in each.flags]
    pairs = sorted(
        (each.key.encode(), FORMS.join(text for _, text in sorted(each.texts.items())).encode()) for each in usable
    )
    header = 7 * 4
    places, begin = [], header + 16 * len(pairs)
    blob = b""
    for column in (0, 1):
        for pair in pairs:
            places.append((len(pair[column]), begin + len(blob)))
            blob += pair[column] + b"\0"
    tables = b"".join(struct.pack("<II", *place) for place in places)
    count = len(pairs)
    return struct.pack("<7I", 0x950412DE, 0, count, header, header + 8 * count, 0, 0) + tables + blob


def languages(folder: Path) -> Iterator[tuple[str, Path]]:
    """Every language with a catalogue to edit, and where that is."""
    for path in sorted(folder.glob("*/LC_MESSAGES/django.po")):
        yield path.parents[1].name, path
