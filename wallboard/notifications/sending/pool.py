"""The threads that send, in a worker: bounded, so that a channel that hangs takes neither the others nor the judging.

Tasks never wait for a channel: they wake the pool and are done. A thread that is done looks for more by itself.
"""

import logging
import threading
from collections import Counter

from django.db import connection

from wallboard.notifications.models import Delivery
from wallboard.notifications.sending import deliveries
from wallboard.notifications.sending.deliveries import Busy, Pair

log = logging.getLogger(__name__)
MOST_THREADS = 40


class Pool:
    """Sends what is due, in threads of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sending: dict[int, Delivery] = {}

    def wake(self) -> int:
        """Begin as much as there is room for; gives how many deliveries that are."""
        with self._lock:
            begun = 0
            while taken := self._take():
                begun += len(taken)
            return begun

    def _take(self) -> list[Delivery]:
        room = MOST_THREADS - len(self._sending)
        if room <= 0:
            return []
        claimed = deliveries.claim(room, self._busy())
        for each in claimed:
            self._sending[each.pk] = each
            threading.Thread(target=self._run, args=(each,), name=f"send-{each.channel}", daemon=True).start()
        return claimed

    def _busy(self) -> Busy:
        counts: Counter[Pair] = Counter((each.domain_id, each.channel) for each in self._sending.values())
        return Busy([each.destination_id for each in self._sending.values() if each.destination_id], counts)

    def _run(self, delivery: Delivery) -> None:
        try:
            deliveries.deliver(delivery)
        except Exception:
            # Its lease ends by itself, and it is tried again.
            log.exception("A delivery could not be stored")
        finally:
            with self._lock:
                self._sending.pop(delivery.pk, None)
            try:
                self.wake()
            except Exception:
                log.exception("The pool could not look for more")
            connection.close()


pool = Pool()
