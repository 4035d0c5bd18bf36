"""A small real server that misbehaves on demand: one handler per connection, in threads."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Handler = Callable[[socket.socket, bytes], None]


class Server:
    """Listens on loopback; hands each request's head to `handler`, and keeps the heads for the test to look at."""

    def __init__(self, handler: Handler, tls: ssl.SSLContext | None = None) -> None:
        self.handler = handler
        self.tls = tls
        self.requests: list[bytes] = []
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            self.open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self.tls is not None:
                connection = self.tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
            while head := _head(connection):
                self.requests.append(head)
                self.handler(connection, head)
        except OSError:
            return
        finally:
            connection.close()

    def close(self) -> None:
        for each in (self.listener, *self.open):
            each.close()


def _head(connection: socket.socket) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head:
        part = connection.recv(65536)
        if not part:
            return b""
        head += part
    return head


@contextmanager
def serving(handler: Handler, tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    server = Server(handler, tls)
    try:
        yield server
    finally:
        server.close()


def answering(body: bytes, *headers: str, status: str = "200 OK") -> Handler:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    whole = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
    return lambda connection, _: connection.sendall(whole)
