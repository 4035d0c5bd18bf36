"""The web process of a release that is none: answers its version, drains and finishes as the real one when it ends.

One whose version begins with "broken" is never healthy.
"""

import os
import select
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

version = Path("VERSION").read_text().strip()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        files = Path("staticfiles") / self.path.rpartition("/")[2]
        is_there = not self.path.startswith("/static/") or files.is_file()
        is_healthy = not version.startswith("broken") and not (is_ending.is_set() and self.path == "/healthz")
        self.send_response(503 if not is_healthy else 200 if is_there else 404)
        self.end_headers()
        self.wfile.write(version.encode())

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """Nothing."""


class Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 128


def end() -> None:
    """Go on for a moment in which /healthz says that this process ends, then take nothing new."""
    is_ending.set()
    time.sleep(float(os.environ["STUB_DRAIN_SECONDS"]))
    server.shutdown()


is_ending = threading.Event()
server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=end).start())
server.serve_forever(poll_interval=0.02)
server.timeout = 0
while select.select([server], [], [], 0)[0]:
    server.handle_request()
server.server_close()
