"""Daphne reads two headers as ASCII, and answers 500 with a traceback in its log to other bytes; here it is a 400.

Anybody can send them, as often as they like: each such request would write thirty lines into the log.
"""

from typing import Any

READ_AS_ASCII = (b"Sec-WebSocket-Protocol", b"Daphne-Root-Path")


def readable(request_class: Any) -> Any:
    """Daphne's request, refused where it could not be read."""

    class ReadableRequest(request_class):  # type: ignore[misc]
        def process(self) -> Any:
            for name in READ_AS_ASCII:
                if not b"".join(self.requestHeaders.getRawHeaders(name) or ()).isascii():
                    self.basic_error(400, b"Bad Request", "Invalid header value")
                    return None
            return super().process()

    return ReadableRequest
