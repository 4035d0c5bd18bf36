"""Clocks of the machines that work together, compared by that of Redis, which all of them can ask.

Figures carry the time of the machine that read them, and pages judge by the time of the one that serves them: where
those differ by seconds, ages are wrong by as much. Each machine at work records its difference; /setup/ shows those of
others.
"""

import json
import logging
import socket
import time
from dataclasses import dataclass

import redis

from wallboard.live import connections

log = logging.getLogger(__name__)
WORTH_TELLING_SECONDS = 2.0
# Five times what lies between two records of a worker: a machine that is gone is forgotten.
VALID_SECONDS = 300

# The log gets a line when that changes, not every minute.
_is_logged = False


@dataclass(frozen=True)
class ClockDifference:
    """The clock of that machine is so many seconds ahead of ours; behind where it is negative."""

    machine: str
    seconds: float


def redis_time() -> float:
    """Seconds since 1970 by Redis' clock. Raises redis.RedisError."""
    seconds, microseconds = connections.run("time", [connections.clock_key()], [])
    return float(seconds) + float(microseconds) / 1e6


def ahead_of_redis() -> float:
    """By how many seconds this machine's clock is ahead of Redis', as well as one answer tells. Raises RedisError."""
    before = time.time()
    theirs = redis_time()
    # Redis read its clock about half way between question and answer.
    return (before + time.time()) / 2 - theirs


def record(role: str) -> None:
    """Store this machine's difference where others find it, and log it when it becomes worth telling, and when not."""
    global _is_logged
    try:
        ahead = ahead_of_redis()
        # The time of the record is Redis' own, as the reader's clock may be the one that is wrong.
        entry = json.dumps({"ahead": ahead, "at": time.time() - ahead})
        connections.client().hset(_key(), f"{role} {socket.gethostname()}", entry)
    except redis.RedisError:
        return
    is_off = abs(ahead) >= WORTH_TELLING_SECONDS
    if is_off and not _is_logged:
        log.warning("This machine's clock is %+.1f s off Redis' clock; let both follow a time server (NTP).", ahead)
    elif _is_logged and not is_off:
        log.warning("This machine's clock and Redis' clock agree again.")
    _is_logged = is_off


def differences() -> list[ClockDifference]:
    """The machines at work whose clock differs from ours by seconds, the largest first. Raises redis.RedisError."""
    ours, now = ahead_of_redis(), redis_time()
    found = [ClockDifference("Redis", -ours)]
    for machine, text in connections.client().hgetall(_key()).items():
        entry = json.loads(text)
        if now - entry["at"] <= VALID_SECONDS:
            found.append(ClockDifference(str(machine), entry["ahead"] - ours))
        else:
            connections.client().hdel(_key(), machine)  # containers have a new name each time
    worth = [each for each in found if abs(each.seconds) >= WORTH_TELLING_SECONDS]
    return sorted(worth, key=lambda each: -abs(each.seconds))


def recorded_within(role: str, seconds: float, machine: str = "") -> bool:
    """Whether a machine with this role, or the one of that name, recorded its clock in the last `seconds`.

    Raises redis.RedisError.
    """
    now, rows = redis_time(), connections.client().hgetall(_key())
    wanted = [
        text
        for name, text in rows.items()
        if (str(name) == f"{role} {machine}" if machine else str(name).startswith(f"{role} "))
    ]
    ages = [now - json.loads(text)["at"] for text in wanted]
    return any(age <= seconds for age in ages)


_key = connections.clock_key
