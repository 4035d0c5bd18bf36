"""A made-up call floor as the documents of the feeds, for pages that are tested without a provider."""

import random
import time
from typing import Any

NAMES = [
    "Ana",
    "Ben",
    "Carla",
    "Deniz",
    "Eva",
    "Farid",
    "Gina",
    "Hugo",
    "Ines",
    "Jan",
    "Kaya",
    "Leo",
    "Mia",
    "Nils",
    "Olga",
    "Paul",
    "Quinn",
    "Rosa",
    "Sam",
    "Tara",
    "Uwe",
    "Vera",
    "Will",
    "Xenia",
]
QUEUES = ["Support", "Sales", "Billing", "Returns", "Deutsch", "Evening", "Parts", "Complaints"]
LEVELS = ["late", "normal", "watch", "normal", "normal", "normal", "normal", "normal"]
WAITING = [6, 2, 3, 0, 0, 0, 1, 0]
LONGEST = [248, 41, 112, 0, 0, 0, 12, 0]
STATES = ["talking", "idle", "ringing", "talking", "idle", "unknown", "talking", "idle"]
Docs = dict[str, Any]


def now_ms() -> int:
    return int(time.time() * 1000)


def ping() -> Docs:
    """A ping whose proof lasts half a minute, so that a test need not ping every few seconds."""
    return {"ping": now_ms(), "release": "test", "proof_age": -20_000}


def poll(read_ago_seconds: float = 1, interval_seconds: float = 5, **more: Any) -> Docs:
    read_at = now_ms() - int(read_ago_seconds * 1000)
    failing = {"failing_since": None, "failure": "", "next_try_at": None}
    return {"read_at": read_at, "tried_at": read_at, "interval_seconds": interval_seconds, **failing, **more}


def queue(index: int, **more: Any) -> Docs:
    """The figures of the queue with this index; every eighth looks the same."""
    kind = index % len(QUEUES)
    waiting, agents = WAITING[kind], [12, 9, 6, 4, 3, 5, 8, 2][kind]
    return {
        "waiting": waiting,
        "longest_wait": LONGEST[kind],
        "average_wait": LONGEST[kind] * 2 // 5 if waiting else None,
        "agents": agents,
        "available": [3, 5, 2, 4, 2, 5, 6, 1][kind],
        "unavailable": 1,
        "level": LEVELS[kind],
        "reason": "longest_wait" if LEVELS[kind] != "normal" else "",
        "since": now_ms() - 200_000 if LEVELS[kind] != "normal" else None,
        "missing_since": None,
        **more,
    }


def about(index: int) -> Docs:
    name = QUEUES[index % len(QUEUES)] + (f" {index // len(QUEUES) + 1}" if index >= len(QUEUES) else "")
    targets = {"longest_wait": [60, 120], "waiting": [None, 8], "available_below": [2, None]}
    return {"number": str(501 + index), "name": name, "order": index, "targets": targets}


def trend(index: int) -> Docs:
    dice = random.Random(index)
    level, line = float(WAITING[index % len(QUEUES)]), []
    for _ in range(60):
        level = max(0, level + dice.choice([-1, -0.5, 0, 0.5, 1]))
        line.append(round(level, 1))
    calm = LEVELS[index % len(QUEUES)] == "normal"
    late = [0 if calm or quarter < 60 else dice.choice([0, 0, 1, 1, 2]) for quarter in range(96)]
    return {"until": now_ms() // 60_000 * 60_000, "waiting": line[::-1], "late": [None] * 20 + late[20:]}


def queues(count: int, **of_poll: Any) -> Docs:
    """The feed `queues` with so many queues."""
    documents: Docs = {"poll": poll(**of_poll)}
    for index in range(count):
        number = 501 + index
        documents |= {f"queue:{number}": queue(index), f"about:{number}": about(index), f"trend:{number}": trend(index)}
    return documents


def events(state: str = "live") -> Docs:
    return {"state": state, "since": now_ms() - 660_000, "heard_at": now_ms() - 2000}


def people(count: int, state: str = "live") -> Docs:
    """The feed `people` with so many people."""
    documents: Docs = {"events": events(state)}
    for index in range(count):
        extension = str(101 + index)
        name = NAMES[index % len(NAMES)] + (f" {index // len(NAMES) + 1}" if index >= len(NAMES) else "")
        doing = STATES[(index * 5 + index // 8) % len(STATES)]
        since = now_ms() - (37 + index * 53 % 700) * 1000
        with_ = "Support" if doing == "talking" and index % 2 else ""
        documents[extension] = {
            "extension": extension,
            "name": name,
            "state": doing,
            "since": since,
            "direction": "in" if doing == "talking" else "",
            "with": with_,
            "heard": now_ms(),
            "unconfirmed": False,
        }
    return documents


def calls(count: int, state: str = "live", masked: bool = True) -> Docs:
    """The feed `calls` or `wall` with so many calls."""
    documents: Docs = {"events": events(state)}
    for index in range(count):
        outside = {
            "name": "",
            "number": f"••• ••{10 + index}" if masked else f"030 9018 {100 + index}",
            "extension": "",
        }
        inside = {
            "name": NAMES[(index * 3 + 2) % len(NAMES)],
            "number": str(101 + index),
            "extension": str(101 + index),
        }
        since = now_ms() - (7 if index == 0 else 40 + index * 47) * 1000
        is_out = index % 4 == 2
        documents[str(900 + index)] = {
            "id": 900 + index,
            "call": f"call-{index}",
            "state": "ringing" if index == 0 else "talking",
            "direction": "out" if is_out else "in",
            "from": inside if is_out else outside,
            "to": outside if is_out else inside,
            "queue": None,
            "since": since,
            "started": since - 15_000,
            "heard": now_ms(),
            "unconfirmed": False,
        }
    return documents


def today(**more: Any) -> Docs:
    at = now_ms()
    return {"at": at, "since": at - 36_000_000, "late_seconds": 1430, "ended": 148, "unanswered": 7, **more}
