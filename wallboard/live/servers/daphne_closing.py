"""Which of Daphne's WebSockets are about to end: after a close frame no data may follow (RFC 6455, section 5.5.1).

They are few, and mostly none. So who has something for a thousand browsers looks here once, not at each of them.
"""

from typing import Any

CLOSED = 0  # autobahn.websocket.protocol.WebSocketProtocol.STATE_CLOSED

OF_END = (
    "is_open",
    "is_closed",
    "application_queue",
)  # whom they tell of a socket holds it, most of them as their answer

closing: dict[Any, None] = {}  # from the close frame, or the decision to drop, until the connection is lost


def watch(protocol: Any) -> None:
    """Have all sockets of this class listed in `closing` while they are about to end."""
    if is_watched(protocol):
        return
    send_close_frame, drop, lose = protocol.sendCloseFrame, protocol.dropConnection, protocol.connectionLost

    def send_close_frame_watched(self: Any, *args: Any, **options: Any) -> None:
        note(self)
        send_close_frame(self, *args, **options)

    def drop_watched(self: Any, *args: Any, **options: Any) -> None:
        note(self)
        drop(self, *args, **options)

    def lose_watched(self: Any, *args: Any, **options: Any) -> None:
        closing.pop(self, None)
        lose(self, *args, **options)
        forget_end(self)

    protocol.sendCloseFrame, protocol.dropConnection = send_close_frame_watched, drop_watched
    protocol.connectionLost = lose_watched
    protocol.is_watched = True


def forget_end(socket: Any) -> None:
    """Let go what an ended socket holds and is held by: else it stays until Python looks for such circles."""
    for name in OF_END:
        vars(socket).pop(name, None)


def note(socket: Any) -> None:
    """This one is about to end, unless it has already."""
    if socket.state != CLOSED:
        closing[socket] = None


def is_watched(protocol: Any) -> bool:
    """Whether sockets of this class are listed."""
    return getattr(protocol, "is_watched", False)
