"""vCards of versions 2.1, 3.0 and 4.0 (RFC 2426, 6350): who it is, and every number.

Read line by line and forgiving: what a line of a card holds that is not understood loses only that line.
"""

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

MOST_LINES = 5_000
LONGEST_LINE = 20_000  # longer ones are pictures and keys
MOST_PIECES_OF_HEAD = 5
HEAD = re.compile(
    r"(?:[A-Za-z0-9-]+\.)?(?P<name>[A-Za-z0-9-]+)"
    r'(?P<parameters>(?:;[A-Za-z0-9-]+(?:=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)?)*)'
    r":"
)
PARAMETER = re.compile(r';(?P<name>[A-Za-z0-9-]+)(?:=(?P<value>(?:"[^"]*"|[^";])*))?')
ENCODED_HEAD = re.compile(r"[^:]*ENCODING=\"?QUOTED-PRINTABLE", re.IGNORECASE)
ESCAPED = {"n": "\n", "N": "\n"}  # all else stands for itself
NUMBERED = ("tel", "impp", "x-sip")


@dataclass(frozen=True)
class Card:
    """Who it is; numbers as they are written there, the preferred ones first."""

    name: str = ""
    company: str = ""
    emails: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Line:
    name: str
    value: str
    parameters: dict[str, str]

    @property
    def rank(self) -> int:
        """How much it is preferred: 1 to 100 as in version 4.0, the old TYPE=pref as the first."""
        asked = self.parameters.get("pref", "")
        if asked.isdecimal() and len(asked) < 4:
            return int(asked)
        return 1 if "pref" in self.parameters.get("type", "").split(",") else 101


@dataclass
class _Found:
    lines: dict[str, list[_Line]] = field(default_factory=dict)

    def of(self, *names: str) -> list[_Line]:
        return sorted((line for name in names for line in self.lines.get(name, ())), key=lambda line: line.rank)

    def text(self, name: str) -> str:
        return next((unescaped(line.value).strip() for line in self.of(name) if line.value.strip()), "")

    def parts(self, name: str) -> list[str]:
        return next((structured(line.value) for line in self.of(name) if line.value.strip(" ;")), [])


def read(text: str) -> Card | None:
    """The first card of a text; None where there is none."""
    found = _Found()
    is_inside = False
    for line in lines(text):
        if line.name == "begin":
            is_inside = line.value.strip().lower() == "vcard" or is_inside
        elif line.name == "end" and is_inside and line.value.strip().lower() == "vcard":
            return _card(found)
        elif is_inside:
            found.lines.setdefault(line.name, []).append(line)
    return None


def _card(found: _Found) -> Card | None:
    if found.text("kind").lower() == "group" or found.text("x-addressbookserver-kind").lower() == "group":
        return None  # a list of others
    company = found.parts("org")
    emails = tuple(text for line in found.of("email") if (text := unescaped(line.value).strip()))
    numbers = tuple(text for line in found.of(*NUMBERED) if (text := _number(line)))
    return Card(found.text("fn") or _name(found), company[0] if company else "", emails, numbers)


def _name(found: _Found) -> str:
    """The name from its parts, as it is said: prefix, given, additional, family, suffix."""
    parts = [*found.parts("n"), "", "", "", "", ""][:5]
    family, given, additional, prefix, suffix = parts
    return " ".join(part for part in (prefix, given, additional, family, suffix) if part) or found.text("nickname")


def _number(line: _Line) -> str:
    """A number as people write it; a `tel:` or `sip:` address without what does not belong to it."""
    text = unescaped(line.value).strip()
    scheme = text.split(":", 1)[0].lower()
    if scheme in ("tel", "sip", "sips"):
        return unquote(text)
    return text if line.name == "tel" or ("@" in text and ":" not in text) else ""


def lines(text: str) -> Iterator[_Line]:
    """The lines of a card as they are meant: unfolded, decoded, with their parameters in small letters."""
    for count, raw in enumerate(unfolded(text)):
        if count >= MOST_LINES:
            return
        head = HEAD.match(raw) if len(raw) <= LONGEST_LINE else None
        if head is None:
            continue
        parameters = _parameters(head["parameters"])
        yield _Line(head["name"].lower(), _decoded(raw[head.end() :], parameters), parameters)


def _parameters(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in PARAMETER.finditer(text):
        name, value = each["name"].lower(), (each["value"] or "").replace('"', "").lower()
        # Version 2.1 has bare words, such as TEL;WORK;PREF.
        name, value = ("type", name) if each["value"] is None else (name, value)
        found[name] = f"{found[name]},{value}" if name in found else value
    if "quoted-printable" in found.get("type", ""):
        found["encoding"] = "quoted-printable"
    return found


def _decoded(value: str, parameters: dict[str, str]) -> str:
    if parameters.get("encoding") != "quoted-printable":
        return value
    octets = quopri.decodestring(value.encode("utf-8", "surrogateescape"))
    try:
        return octets.decode(parameters.get("charset") or "utf-8")
    except (LookupError, UnicodeError):  # not only UnicodeDecodeError: there are charsets that raise the other
        return octets.decode("cp1252", "replace")


def unfolded(text: str) -> Iterator[str]:
    """Whole lines: one that begins with space goes on the line before (also where its sender cut a character), and of
    version 2.1 one after a soft line break."""
    pieces: list[str] = []
    is_encoded = False
    for line in re.split(r"\r\n|\n|\r", text.lstrip("\ufeff")):
        if is_encoded and pieces[-1].endswith("="):
            pieces[-1:] = [pieces[-1][:-1], line]
        elif pieces and line[:1] in (" ", "\t"):
            pieces.append(line[1:])
        else:
            if any(pieces):
                yield "".join(pieces)
            pieces = [line]
        # Heads are short: a line of a million pieces is not looked through again with each of them.
        if len(pieces) <= MOST_PIECES_OF_HEAD:
            is_encoded = ENCODED_HEAD.match("".join(pieces)) is not None
    if any(pieces):
        yield "".join(pieces)


def unescaped(text: str) -> str:
    """A value without its backslashes."""
    return re.sub(r"\\(.)", lambda found: ESCAPED.get(found[1], found[1]), text, flags=re.DOTALL)


def structured(text: str) -> list[str]:
    """The parts of a value that has parts; several of one kind as words beside each other."""
    parts = re.findall(r"((?:\\.|[^\\;])*)(?:;|$)", text, re.DOTALL)
    return [" ".join(unescaped(each).strip() for each in re.split(r"(?<!\\),", part) if each.strip()) for part in parts]
