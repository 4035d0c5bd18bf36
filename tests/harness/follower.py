"""A browser's side of the live socket: follows feeds, keeps their documents, and reports a gap."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import requests
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.harness.site import Site


class Follower:
    """What a page would hold: `documents[feed][key]`, brought up to date by `until`."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.documents: dict[str, dict[str, Any]] = {}
        self.held: dict[str, str] = {}

    def until(self, is_so: Callable[[dict[str, dict[str, Any]]], object], seconds: float = 20) -> None:
        """Take frames until the claim about the documents is true; fails when it stays false."""
        end = time.monotonic() + seconds
        while not is_so(self.documents):
            left = end - time.monotonic()
            assert left > 0, f"not so within {seconds} s: {self.documents}"
            try:
                self._take(json.loads(self._socket.recv(timeout=left)))
            except TimeoutError:
                continue

    def _take(self, frame: dict[str, Any]) -> None:
        if "snapshot" in frame:
            self.documents[frame["feed"]] = frame["snapshot"]
        elif "set" in frame or "del" in frame:
            assert frame["prev"] == self.held[frame["feed"]], "there is a gap"
            documents = self.documents[frame["feed"]]
            documents.update(frame.get("set", {}))
            for key in frame.get("del", []):
                documents.pop(key, None)
        if "id" in frame:
            self.held[frame["feed"]] = frame["id"]


@contextmanager
def following_as_tv(site: Site, board: str = "main") -> Iterator[Follower]:
    """Follow the board as a TV does: with the cookie that the printed address gives."""
    address = site.manage("screen", board).strip()
    with requests.Session() as session:
        session.get(address, timeout=10).raise_for_status()
        cookie = "; ".join(f"{name}={value}" for name, value in session.cookies.items())
    url = f"{site.url.replace('http', 'ws', 1)}/live/?board={board}"
    with connect(url, origin=Origin(site.url), additional_headers={"Cookie": cookie}) as socket:
        yield Follower(socket)
