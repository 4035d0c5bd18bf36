"""What theory says about waiting: Erlang C (nobody gives up) and Erlang A (patience runs out at random)."""

from dataclasses import dataclass

SMALLEST_SHARE = 1e-15


@dataclass(frozen=True, slots=True)
class Waiting:
    """Share of callers who wait at all, mean wait of all callers in seconds, share who give up."""

    share_waiting: float
    mean_wait_seconds: float
    share_giving_up: float = 0.0


def erlang_b(people: int, load: float) -> float:
    """Share of callers who find everybody busy where nobody may wait; load in erlangs. The usual recursion."""
    blocked = 1.0
    for count in range(1, people + 1):
        blocked = load * blocked / (count + load * blocked)
    return blocked


def erlang_c(people: int, calls_per_second: float, talk_seconds: float) -> Waiting:
    """M/M/c: ValueError where the load is too much for so few people, because the queue then grows for ever."""
    load = calls_per_second * talk_seconds
    if load >= people:
        raise ValueError("Without giving up, the load must stay below the number of people.")
    blocked = erlang_b(people, load)
    share = people * blocked / (people - load * (1 - blocked))
    return Waiting(share, share * talk_seconds / (people - load))


def erlang_a(people: int, calls_per_second: float, talk_seconds: float, patience_seconds: float) -> Waiting:
    """M/M/c+M, from the balance of its birth-and-death chain; the wait is that of all callers, also those who go."""
    weights = [1.0]
    while len(weights) <= people or weights[-1] > SMALLEST_SHARE * sum(weights):
        inside = len(weights)
        leaving = min(inside, people) / talk_seconds + max(inside - people, 0) / patience_seconds
        weights.append(weights[-1] * calls_per_second / leaving)
    total = sum(weights)
    share = sum(weights[people:]) / total
    queue_length = sum((inside - people) * weight for inside, weight in enumerate(weights) if inside > people) / total
    wait = queue_length / calls_per_second
    return Waiting(share, wait, wait / patience_seconds)
