"""Daphne looks at all its connections every two seconds: who has waited too long, who is due for a ping.

With a thousand browsers that is a hundred pings in one go and as many answers right behind them: ten or twenty
milliseconds in which no phone is seen to ring. Here it looks at a twentieth of them twenty times as often.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

log = logging.getLogger(__name__)
ROUND_SECONDS = 2.0  # Daphne's own
STEPS = 20


def in_steps(call_later: Callable[[float, Callable[[], None]], object]) -> Callable[[Any], None]:
    """What stands for Daphne's `Server.timeout_checker`; `call_later` is the reactor's."""

    def timeout_checker(server: Any) -> None:
        """As Daphne's own: check all that are connected now, and come back for those that are then."""
        step(server, list(server.connections), 0)

    # Not within the former: a function that names itself there stays, with all connections, until Python looks for
    # such circles.
    def step(server: Any, connected: list[Any], place: int) -> None:
        again = partial(step, server, connected, place + 1) if place + 1 < STEPS else server.timeout_checker
        call_later(ROUND_SECONDS / STEPS, again)
        for protocol in connected[place::STEPS]:
            # What is gone meanwhile is asked nothing any more.
            if protocol in server.connections:
                check(protocol)

    return timeout_checker


def check(protocol: Any) -> None:
    """Look at this one; a fault with it leaves no other without its pings."""
    try:
        protocol.check_timeouts()
    except Exception:
        log.exception("A connection could not be checked")
