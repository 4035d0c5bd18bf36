"""The least that can fan out in Python: as send_loop.c, with one call of Python's own `socket.send` for each browser.

`python -m bench.send_loop PORT BYTES` accepts WebSockets, and for each byte on its standard input sends all of them the
same ready frame.
"""

import os
import selectors
import socket
import sys
from contextlib import suppress

# The answer to the key that bench/browsers.py sends (RFC 6455, section 1.3).
ANSWER = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
)


def main(port: int, length: int) -> None:
    """Until the standard input ends."""
    listening = socket.create_server(("127.0.0.1", port), backlog=1024)
    # A text message of that many bytes, with what the browsers count in it.
    frame = b"\x81\x7e" + length.to_bytes(2, "big") + b'{"prev"'.ljust(length - 1, b"x") + b"}"
    opened: list[socket.socket] = []
    with selectors.DefaultSelector() as waiting:
        waiting.register(listening, selectors.EVENT_READ)
        waiting.register(0, selectors.EVENT_READ)
        while True:
            for key, _events in waiting.select():
                if key.fd:
                    opened += _accepted(listening)
                elif events := os.read(0, 64):
                    for _each in events:
                        _send(opened, frame)
                else:
                    return


def _accepted(listening: socket.socket) -> list[socket.socket]:
    """The next browser; nobody where it was only looked whether we are there."""
    one, _address = listening.accept()
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not one.recv(4096):
        return []
    one.send(ANSWER)
    one.setblocking(False)
    return [one]


def _send(opened: list[socket.socket], frame: bytes) -> None:
    for one in opened:
        one.send(frame)


if __name__ == "__main__":
    # The browsers go before the last byte was read.
    with suppress(ConnectionError):
        main(int(sys.argv[1]), int(sys.argv[2]))
