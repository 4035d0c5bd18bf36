"""The threads that send, in a worker: one for each endpoint that has something due, so that none delays another."""

import logging
import threading

from django.db import connection

from wallboard.outgoing.sending import deliveries

log = logging.getLogger(__name__)
MOST_THREADS = 40
MOST_IN_A_ROW = 50  # then others get their turn


class Pool:
    """Sends what is due, in threads of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy: set[int] = set()

    def wake(self) -> int:
        """Begin with as many endpoints as there is room for; gives how many that are."""
        with self._lock:
            room = MOST_THREADS - len(self._busy)
            found = deliveries.due_endpoints(self._busy, room) if room > 0 else []
            for each in found:
                self._busy.add(each)
                threading.Thread(target=self._run, args=(each,), name="outgoing", daemon=True).start()
            return len(found)

    def _run(self, endpoint_id: int) -> None:
        try:
            send_all(endpoint_id)
        except Exception:
            # The lease ends by itself, and it is tried again.
            log.exception("A delivery to an endpoint could not be stored")
        finally:
            with self._lock:
                self._busy.discard(endpoint_id)
            connection.close()


def send_all(endpoint_id: int) -> int:
    """Send what is due to one endpoint, as long as it takes it; gives how many were tried."""
    for count in range(MOST_IN_A_ROW):
        delivery = deliveries.take(endpoint_id)
        if delivery is None:
            return count
        if not deliveries.deliver(delivery):
            return count + 1
    return MOST_IN_A_ROW


pool = Pool()
