"""Daphne ends an answer so many seconds after its request; here only one that has been silent for so long.

A sheet that is made while its reader sees how far it is, and a stream of events, may take as long as they go on.
"""

import time
from typing import Any


def flowing(request_class: Any) -> Any:
    """Daphne's request, whose time begins anew with each piece of its answer."""

    class FlowingRequest(request_class):  # type: ignore[misc]
        def handle_reply(self, message: Any) -> None:
            self.request_start = time.time()  # by which Daphne ends what takes too long
            super().handle_reply(message)

    return FlowingRequest
