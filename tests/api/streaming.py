"""A reader of the event stream, as a program would write one."""

import json
import threading
from contextlib import suppress
from typing import Any

import requests

from tests.live.serving import Server
from wallboard.demo.processes import wait_until


class Reader:
    """Follows feeds over HTTP: what it holds, and where it stands."""

    def __init__(self, server: Server, token: str, feeds: str, last_id: str = "") -> None:
        headers = {"Authorization": f"Bearer {token}"}
        if last_id:
            headers["Last-Event-ID"] = last_id
        address = f"{server.origin}/api/v1/live?feeds={feeds}"
        self.answer = requests.get(address, headers=headers, stream=True, timeout=20)
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.documents: dict[str, dict[str, Any]] = {}
        self.last_id = last_id
        self.is_over = threading.Event()
        if self.answer.ok:
            threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        rest = b""
        with suppress(requests.RequestException, AttributeError, ValueError):
            for chunk in self.answer.iter_content(chunk_size=None):
                *events, rest = (rest + chunk).split(b"\n\n")
                for event in events:
                    pairs = (line.partition(": ") for line in event.decode().split("\n"))
                    self._take({name: value for name, _, value in pairs})
        self.is_over.set()

    def _take(self, fields: dict[str, str]) -> None:
        if "data" not in fields:
            return
        frame = json.loads(fields["data"])
        self.last_id = fields.get("id", self.last_id)
        if "snapshot" in frame:
            self.documents[frame["feed"]] = frame["snapshot"]
        elif "set" in frame:
            documents = self.documents.setdefault(frame["feed"], {})
            documents.update(frame["set"])
            for key in frame["del"]:
                documents.pop(key, None)
        self.events.append((fields["event"], frame))

    def kinds(self) -> list[str]:
        """What came beside pings."""
        return [kind for kind, _ in self.events if kind != "ping"]

    def until(self, is_so: Any, seconds: float = 10) -> None:
        """Wait for the claim; fails where it stays false."""
        assert wait_until(is_so, seconds, 0.02), self.events

    def close(self) -> None:
        """Hang up."""
        self.answer.close()
