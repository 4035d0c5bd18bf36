"""What goes over the socket, built once however many browsers get it: JSON text and the WebSocket frame around it."""

import json
from collections.abc import Iterable, Mapping, Sequence

TEXT_MESSAGE = 0x81  # RFC 6455, section 5.2: the final (and only) fragment of a text message


class Frame:
    """One message or several: `wire` is ready for a transport, `texts` for a server that frames messages itself."""

    __slots__ = ("payloads", "wire")

    def __init__(self, *texts: str) -> None:
        self.payloads = tuple(text.encode() for text in texts)
        self.wire = b"".join(header(len(payload)) + payload for payload in self.payloads)

    @property
    def texts(self) -> list[str]:
        return [payload.decode() for payload in self.payloads]


def joined_frames(frames: Sequence[Frame]) -> Frame:
    """All these messages in one piece, in this order."""
    if len(frames) == 1:
        return frames[0]
    whole = Frame()
    whole.payloads = tuple(payload for frame in frames for payload in frame.payloads)
    whole.wire = b"".join(frame.wire for frame in frames)
    return whole


def rest_of(frame: Frame, sent: int) -> Frame:
    """What is left of a piece of which so many bytes are on their way."""
    rest = Frame()
    rest.wire = frame.wire[sent:]
    return rest


def header(length: int) -> bytes:
    """The frame header of an unmasked, uncompressed text message of so many bytes (RFC 6455, section 5.2)."""
    if length < 126:
        return bytes((TEXT_MESSAGE, length))
    if length < 65_536:
        return bytes((TEXT_MESSAGE, 126)) + length.to_bytes(2, "big")
    return bytes((TEXT_MESSAGE, 127)) + length.to_bytes(8, "big")


def snapshot(feed: str, entry_id: str, documents: Mapping[str, str]) -> Frame:
    """The whole feed; documents are JSON texts already."""
    return Frame(f'{{"feed":{json.dumps(feed)},"id":"{entry_id}","snapshot":{{{joined(documents)}}}}}')


def change(feed: str, previous: str, entry_id: str, keys: Iterable[str], documents: Mapping[str, str]) -> Frame:
    """What became of these keys between two entries: set where there is a document, deleted where there is none."""
    keys = list(keys)
    held = {key: documents[key] for key in keys if key in documents}
    gone = json.dumps([key for key in keys if key not in documents], separators=(",", ":"))
    # `previous` may be what a browser sent, hence its quotes; ids of our own need none.
    start = f'{{"feed":{json.dumps(feed)},"id":"{entry_id}","prev":{json.dumps(previous)}'
    return Frame(f'{start},"set":{{{joined(held)}}},"del":{gone}}}')


def ping(
    now_ms: int, release: str, proof_age_ms: int, deaf_since_ms: int | None, doubts: Mapping[str, int] | None = None
) -> Frame:
    """The server's time and release, and how old the proof is that all it sends is true, for single feeds in `doubts`.

    Where it hears no news itself, also since when.
    """
    content: dict[str, object] = {"ping": now_ms, "release": release, "proof_age": proof_age_ms}
    if deaf_since_ms is not None:
        content["deaf_since"] = deaf_since_ms
    if doubts:
        content["doubts"] = dict(doubts)
    return Frame(json.dumps(content, separators=(",", ":")))


def bye(seconds: int) -> Frame:
    """The server goes away; come back after about so many seconds."""
    return Frame(json.dumps({"bye": seconds}, separators=(",", ":")))


def order(content: Mapping[str, object]) -> Frame:
    """What the page on a TV should do now."""
    return Frame(json.dumps(content, separators=(",", ":")))


def joined(documents: Mapping[str, str]) -> str:
    return ",".join(f"{json.dumps(key)}:{text}" for key, text in documents.items())
