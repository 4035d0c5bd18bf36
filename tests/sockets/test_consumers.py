"""What becomes of a browser's consumer when the browser goes; what it does before is tried with real servers."""

import gc
import weakref
from types import SimpleNamespace
from typing import Any, cast

from wallboard.live.sockets import Socket
from wallboard.sockets.consumers import LiveConsumer


def test_a_browser_that_has_left_is_not_held_by_its_own_consumer() -> None:
    left, consumer = list[Socket](), LiveConsumer()
    forget = SimpleNamespace(leave=left.append, forget=lambda socket: None)
    consumer.runtime = cast(Any, SimpleNamespace(hub=forget, reauthorization=forget))
    consumer.socket = Socket(cast(Any, lambda message: None), consumer._end)
    gone = weakref.ref(consumer)
    gc.disable()
    try:
        consumer._leave()
        consumer._leave()
        assert len(left) == 1
        left.clear()
        del consumer

        assert gone() is None
    finally:
        gc.enable()
