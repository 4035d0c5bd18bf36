"""The waits that the statistics are about: of callers in a queue now, or of those who left it lately."""

from datetime import UTC

from wallboard.simulator.floor.floor import Floor

Waits = dict[str, list[float]]


def queue_waits(floor: Floor, scope: str) -> Waits:
    """By queue number, in seconds of the clients; the scope is now, period or day."""
    waits: Waits = {queue.number: [] for queue in floor.company.queues}
    if scope == "now":
        for queue in floor.company.queues:
            waits[queue.number] = [waiting.queue_call.waited(floor.now) / floor.speed for waiting in queue.waiting]
        return waits
    since = floor.now - _seconds(floor, scope) * floor.speed
    # In the order in which they left: from the first that is too old, all are.
    for call in reversed(floor.truth.left_queue):
        if call.left is None or call.left < since:
            break
        waits[call.queue].append(call.waited(floor.now) / floor.speed)
    return waits


def _seconds(floor: Floor, scope: str) -> float:
    """How far back a period or today reaches."""
    if scope == "period":
        return floor.dialect.wait_period_minutes * 60
    now = floor.clock.now().astimezone(UTC)
    return (now - now.replace(hour=0, minute=0, second=0, microsecond=0)).total_seconds()
