"""What goes out over a channel: one message to one receiver, ready to be read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Message:
    """One message to one receiver, in their language.

    `id` stays the same over all tries of a message, so that a receiver can tell a repetition. `text` is plain and
    carries no phone number unless the channel is allowed to. `url` is the page to open, absolute; `acknowledge_url`
    the page that acknowledges, "" where there is nothing to acknowledge. `data` holds JSON values for machines. What a
    channel adds to it is written in `language`, too. A mail shows `html` where there is any, with `files`: name,
    kind (a MIME type), data (base64), and cid where the HTML shows it.
    """

    id: str
    title: str
    text: str
    url: str
    acknowledge_url: str = ""
    level: str = ""
    is_resolved: bool = False
    language: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    html: str = ""
    files: Sequence[Mapping[str, str]] = ()
