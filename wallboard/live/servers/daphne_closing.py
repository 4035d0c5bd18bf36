"""Which of Daphne's WebSockets are about to end: after a close frame no data may follow (RFC 6455, section 5.5.1).

They are few, and mostly none. So who has something for a thousand browsers looks here once, not at each of them.
"""

from typing import Any

CLOSED = 0  # autobahn.websocket.protocol.WebSocketProtocol.STATE_CLOSED

# Whom they tell that it has ended holds it, the first as its answer.
OF_END = ("is_closed", "application_queue")

closing: dict[Any, None] = {}  # from the close frame, or the decision to drop, until the connection is lost


def watch(protocol: Any) -> None:
    """Have all sockets of this class listed in `closing` while they are about to end."""
    if is_watched(protocol):
        return
    send_close_frame, drop, lose = protocol.sendCloseFrame, protocol.dropConnection, protocol.connectionLost

    def send_close_frame_watched(self: Any, *args: Any, **options: Any) -> None:
        # A browser that left while it was let in is opened all the same: there is nobody to tell then.
        if not self.is_lost:
            note(self)
            send_close_frame(self, *args, **options)

    def drop_watched(self: Any, *args: Any, **options: Any) -> None:
        if not self.is_lost:
            note(self)
            drop(self, *args, **options)

    def lose_watched(self: Any, *args: Any, **options: Any) -> None:
        self.is_lost = True
        closing.pop(self, None)
        lose(self, *args, **options)
        forget_end(self)

    protocol.sendCloseFrame, protocol.dropConnection = send_close_frame_watched, drop_watched
    protocol.connectionLost = lose_watched
    protocol.is_watched, protocol.is_lost = True, False


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
