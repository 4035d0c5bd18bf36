"""What a company's own program answers about a caller: checked, bounded, and text and https links only."""

from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from django.utils.translation import gettext as _

from wallboard.contacts.safe_text import one_line

MOST_BYTES = 16_384
Label = Annotated[str, msgspec.Meta(max_length=60)]


class Line(msgspec.Struct, frozen=True):
    """One fact about the caller."""

    label: Label
    text: Annotated[str, msgspec.Meta(max_length=500)]


class RecordLink(msgspec.Struct, frozen=True):
    """Where more about the caller stands."""

    label: Label
    url: Annotated[str, msgspec.Meta(max_length=1000)]


class Record(msgspec.Struct, frozen=True):
    """What is shown of a caller."""

    title: Annotated[str, msgspec.Meta(max_length=120)] = ""
    lines: Annotated[list[Line], msgspec.Meta(max_length=12)] = []
    links: Annotated[list[RecordLink], msgspec.Meta(max_length=6)] = []

    @property
    def is_empty(self) -> bool:
        return not (self.title or self.lines or self.links)


class BadAnswer(ValueError):
    """The answer cannot be shown; the text says what is wrong with it."""


def parsed(body: bytes) -> Record:
    """The answer as it may be shown. Raises BadAnswer."""
    if len(body) > MOST_BYTES:
        raise BadAnswer(_("The answer is longer than %(most)d bytes.") % {"most": MOST_BYTES})
    try:
        record = msgspec.json.decode(body, type=Record)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadAnswer(_("The answer is not as described: %(what)s") % {"what": str(error)[:160]}) from error
    if not all(is_safe(link.url) for link in record.links):
        raise BadAnswer(_("A link of the answer does not lead to an https address."))
    lines = [Line(one_line(line.label), one_line(line.text)) for line in record.lines]
    links = [RecordLink(one_line(link.label), link.url) for link in record.links]
    return Record(one_line(record.title), [line for line in lines if line.text], [link for link in links if link.label])


def is_safe(url: str) -> bool:
    """Whether a browser that opens this goes to an https address, and to the host that stands in it."""
    # Browsers drop white space and read a backslash as a slash, and so lead elsewhere than urlsplit says.
    if not url.startswith("https://") or not url.isascii() or not url.isprintable() or set(url) & set(" \\"):
        return False
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False
