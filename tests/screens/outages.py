"""A reverse proxy as TVs stand behind: it answers 502 while the server is away, for all pages or for some."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import requests

HOP_BY_HOP = {"connection", "transfer-encoding", "content-length", "content-encoding", "keep-alive", "server", "date"}
# A browser that keeps a file would not see an edit of it.
LASTING = {"etag", "last-modified", "if-none-match", "if-modified-since"}
DROPPED = HOP_BY_HOP | LASTING


@dataclass
class Proxy:
    """Paths that match `refused` get a 502; `edits` are (path, old, new), replaced in what the server answers."""

    upstream: str
    server: ThreadingHTTPServer
    refused: str = ""
    edits: list[tuple[str, bytes, bytes]] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.server.server_port}"


@contextmanager
def proxied(upstream: str) -> Iterator[Proxy]:
    """A proxy before this origin."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

        def _answer(self, body: bytes | None) -> None:
            if proxy.refused and re.search(proxy.refused, self.path):
                self._send(502, {"Content-Type": "text/html"}, b"<h1>502 Bad Gateway</h1>")
                return
            headers = {name: value for name, value in self.headers.items() if name.lower() not in DROPPED}
            headers["Host"] = upstream.partition("//")[2]
            answer = requests.request(
                self.command, upstream + self.path, headers=headers, data=body, allow_redirects=False, timeout=10
            )
            content = answer.content
            for path, old, new in proxy.edits:
                content = content.replace(old, new) if self.path == path else content
            kept = [(name, value) for name, value in answer.raw.headers.items() if name.lower() not in DROPPED]
            self._send(answer.status_code, kept, content)

        def _send(self, status: int, headers: Any, content: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items() if isinstance(headers, dict) else headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Says nothing."""

    proxy = Proxy(upstream, ThreadingHTTPServer(("127.0.0.1", 0), Handler))
    proxy.server.daemon_threads = True
    threading.Thread(target=proxy.server.serve_forever, daemon=True).start()
    try:
        yield proxy
    finally:
        proxy.server.shutdown()
        proxy.server.server_close()
