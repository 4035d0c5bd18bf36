"""An HTTP server on a free loopback port, for what goes out from here."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class Quiet(BaseHTTPRequestHandler):
    """Answers as its subclass says; its log is nobody's affair."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


class Server(ThreadingHTTPServer):
    """Says nothing of callers that hang up: some tests are about them."""

    def handle_error(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def serving(
    handler: type[BaseHTTPRequestHandler], certificate: Path | None = None, key: Path | None = None
) -> Iterator[int]:
    """Its port; it speaks TLS where it has a certificate, and its key where that is another file."""
    server = Server(("127.0.0.1", 0), handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
