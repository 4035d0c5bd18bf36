"""Which server this process runs in, seen from what it hands to the application."""

from wallboard.live.asgi import Send
from wallboard.live.servers import daphne, uvicorn
from wallboard.live.servers.interface import Connection, HttpTransport, Server
from wallboard.live.servers.plain import PlainConnection

SERVERS: tuple[Server, ...] = (daphne, uvicorn)


def connection_for(send: Send) -> Connection:
    """The shortest way to a browser behind an ASGI send callable; call it after the socket was accepted."""
    for server in SERVERS:
        connection = server.connection_behind(send)
        if connection is not None:
            return connection
    return PlainConnection(send)


def is_calm() -> bool:
    """Whether frames may go to each browser's `kernel_socket` right now."""
    return any(server.is_calm() for server in SERVERS)


def http_transport(send: Send) -> HttpTransport | None:
    """The connection below the `send` of an HTTP request; None for a server that is not known."""
    return next((found for server in SERVERS if (found := server.http_transport(send)) is not None), None)


def owner_of(handler: object) -> Server | None:
    """The server whose own handler of SIGTERM this is; None for any other handler."""
    return next((server for server in SERVERS if server.owns(handler)), None)
