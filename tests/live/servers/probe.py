"""A little ASGI application that looks at its own server from inside, and says over its socket what it found."""

import asyncio
import gc
import json
import signal
import socket
import struct
import sys
import time
from typing import Any

from wallboard.live.asgi import Message
from wallboard.live.frames import Frame
from wallboard.live.servers import daphne, daphne_closing, uvicorn
from wallboard.live.servers.detection import connection_for, owner_of
from wallboard.live.servers.interface import Connection, moved

CHUNK = "x" * 60_000
MAX_BACKLOG_AT = 28  # tcpi_sacked of linux/tcp.h, which means just that of a socket that listens
daphne.settle_in()
gc.disable()  # what is let go is gone without it, or is seen to stay


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Accept, say what was found, send a long frame the short way; then obey a word. A request is answered shortly."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        note_calm("answer")
        return
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": json.dumps(found(send))})
    connection = connection_for(send)
    if objects := daphne.objects_behind(send):
        pinged_ago.append(time.time() - objects["protocol"].last_ping)
    for text in (type(connection).__name__, "ä" * 100, "x" * 70_000):
        connection.write(Frame(text))
    while (message := await receive())["type"] == "websocket.receive":
        await asyncio.create_task(WORDS[message["text"]](connection, send))
        if message["text"] == "tell":
            return


def found(send: Any) -> dict[str, Any]:
    """What of the server is not where the adapters expect it, and whose handler of SIGTERM is installed."""
    owner = owner_of(signal.getsignal(signal.SIGTERM))
    told = {"owner": owner and getattr(owner, "__name__", "").rpartition(".")[2], "moved": None}
    if objects := daphne.objects_behind(send):
        told["moved"] = moved(daphne.INTERNALS, objects)
        told["backlogs"] = [backlog(port.socket) for port in daphne._listening()]
        told["logs"] = [getattr(port.factory, "_logFile", None) for port in daphne._listening()]
        told["http"] = type(sys.modules["daphne.http_protocol"].http).__name__
        told["checks"] = type(objects["protocol"].server).timeout_checker.__module__
        told["accepts"] = [port.doRead.func.__name__ for port in daphne._listening()]
    if objects := uvicorn.objects_behind(send):
        told["moved"] = moved((*uvicorn.INTERNALS, *uvicorn.OF_PLAIN_TCP), objects)
    return told


def note_calm(what: str) -> None:
    """Note how many connections have bytes that wait, such as this one's, and whether the server is calm."""
    if "daphne" in sys.modules:
        from twisted.internet import reactor

        running: Any = reactor
        calm_while[what] = (len(running._writers), daphne.is_calm())


def backlog(listening: socket.socket) -> int:
    """How many connections may wait to be accepted."""
    info = listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 64)
    return int(struct.unpack_from("I", info, MAX_BACKLOG_AT)[0])


async def fill(connection: Connection, _: Any) -> None:
    """Write until no more is taken, wait until nearly all is gone, and say how that went."""
    began, written = time.monotonic(), 0
    for _ in range(3):  # what the kernel and the client's own buffer hold is not seen from here
        while connection.write(Frame(CHUNK)) and written < 2000:
            written += 1
        note_calm("frame")
        await asyncio.sleep(0.2)
    was_full = not connection.is_drained()
    while not connection.is_drained() and time.monotonic() - began < 10:
        await asyncio.sleep(0.01)
    drained_after = time.monotonic() - began
    connection.write(Frame(json.dumps({"written": written, "was_full": was_full, "drained_after": drained_after})))


async def close(connection: Connection, send: Any) -> None:
    """Write once more after the close: nobody takes it, and nothing fails."""
    await send({"type": "websocket.close", "code": 1000})
    assert connection.write(Frame("late"))
    closing.append(len(daphne_closing.closing))


async def abort(connection: Connection, _: Any) -> None:
    """Drop the connection."""
    connection.abort()


KEPT = ("HTTPChannel", "WebSocketProtocol")  # what goes as soon as nobody needs it
heard: list[str] = []
closing: list[int] = []  # how many were, with each that was closed
calm_while: dict[str, tuple[int, bool]] = {}  # what waits, as note_calm() found it
pinged_ago: list[float] = []  # of each socket when it had opened, as Daphne has it


async def tell(connection: Connection, _: Any) -> None:
    """Say again what comes from now on, while the application returns."""

    def hear(message: Message) -> None:
        heard.append(message["type"])
        connection.write(Frame(str(message.get("text"))))

    connection.write(Frame(str(connection.tell(hear))))


async def held(connection: Connection, send: Any) -> None:
    """Say what the server holds: for this socket, and how many; and what was heard of others that returned."""
    objects = daphne.objects_behind(send) or {}
    protocol, transport = objects["protocol"], objects["connection"]
    told = {
        "names": sorted(vars(protocol)),
        "options": list(protocol.CONFIG_ATTRS),
        "pinged_ago": pinged_ago,
        "producer": transport.producer is not None,
        **{kind: sum(type(each).__name__ == kind for each in gc.get_objects()) for kind in KEPT},
        "sockets": len(protocol.server.connections),
        "heard": heard,
        "kernel_socket": connection.kernel_socket is transport.socket,
        "calm": daphne.is_calm(),
        "calm_while": calm_while,
        "closing": closing,
    }
    connection.write(Frame(json.dumps(told)))


WORDS = {"fill": fill, "close": close, "abort": abort, "tell": tell, "held": held}
