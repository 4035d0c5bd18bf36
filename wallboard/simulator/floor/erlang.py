"""What theory says about waiting: Erlang C (nobody abandons) and Erlang A (patience runs out at random)."""

from dataclasses import dataclass

SMALLEST_SHARE = 1e-15  # of an endless sum: what follows changes no figure any more


@dataclass(frozen=True, slots=True)
class Waiting:
    """Share of callers who wait at all, mean wait of all callers in seconds, share who abandon."""

    share_waiting: float
    mean_wait_seconds: float
    share_abandoning: float = 0.0


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
        raise ValueError("Where nobody abandons, the load must stay below the number of people.")
    blocked = erlang_b(people, load)
    share = people * blocked / (people - load * (1 - blocked))
    return Waiting(share, share * talk_seconds / (people - load))


def erlang_a(people: int, calls_per_second: float, talk_seconds: float, patience_seconds: float) -> Waiting:
    """M/M/c+M, from the balance of its birth-and-death chain; the wait is that of all callers, also of those who go."""
    weights = [1.0]
    while len(weights) <= people or weights[-1] > SMALLEST_SHARE * sum(weights):
        in_system = len(weights)
        leaving = min(in_system, people) / talk_seconds + max(in_system - people, 0) / patience_seconds
        weights.append(weights[-1] * calls_per_second / leaving)
    total = sum(weights)
    share = sum(weights[people:]) / total
    queue_length = sum(length * weight for length, weight in enumerate(weights[people:])) / total
    wait = queue_length / calls_per_second
    return Waiting(share, wait, wait / patience_seconds)
