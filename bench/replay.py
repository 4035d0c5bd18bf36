"""What a recorded day takes on disk, and how long the state of a moment in it takes to be told.

python -m bench.replay [--minutes 60] [--queues 500] [--people 300]

So many minutes of the busy time of day and as many of the quiet time are played, by the second, through the recorder
into SQLite; a day is ten busy hours and fourteen quiet ones. Exit status 1 where a goal is missed.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import tests.harness.environment  # noqa: E402, F401  (keys and secrets of a test run)

GOAL_BYTES, GOAL_MS = 20_000_000, 300.0
POLL_SECONDS, BUSY_HOURS, QUIET_HOURS = 5, 10, 14
BEGIN = 1_795_000_000
STATES = 40


class Floor:
    """A company as its feeds tell of it: calls arrive, wait, ring and are talked."""

    def __init__(self, queues: int, people: int) -> None:
        self.chance = random.Random(7)
        self.queues = [str(5000 + number) for number in range(queues)]
        self.people = [str(100 + number) for number in range(people)]
        self.members = {each: self.chance.sample(self.people, 6) for each in self.queues}
        self.calls: dict[int, dict[str, Any]] = {}
        self.busy: dict[str, int] = {}
        self.next_id = 1
        self.trends = {each: [0] * 60 for each in self.queues}
        self.late = {each: [0] * 96 for each in self.queues}
        self.has_begun = False

    def step(self, second: int, calls_an_hour: float) -> dict[str, dict[str, Any]]:
        """One second; gives the documents that changed, by feed."""
        feeds = ("queues", "people", "calls", "wall", "alerts", "board:1")
        news: dict[str, dict[str, Any]] = {feed: {} for feed in feeds}
        if not self.has_begun:
            self.begin(second, news)
        if self.chance.random() < calls_an_hour / 3600:
            self.arrive(second, news)
        for key, call in list(self.calls.items()):
            if call["until"] <= second:
                self.go_on(key, call, second, news)
        if second % POLL_SECONDS == 0:
            news["queues"] |= {f"queue:{each}": self.figures(each, second) for each in self.queues}
            news["queues"]["poll"] = self.poll(second)
        if second % 60 == 0:
            news["queues"] |= {f"trend:{each}": self.trend(each, second) for each in self.queues}
            news["board:1"]["today"] = {"at": 1000 * second, "late_seconds": second % 977, "ended": self.next_id}
        return news

    def begin(self, second: int, news: dict[str, dict[str, Any]]) -> None:
        """What stands in the feeds all day: names and targets; and everybody is there, and idle."""
        self.has_begun = True
        targets = {"longest_wait": [30, 60], "waiting": [None, 8], "available_below": [1, None]}
        for order, each in enumerate(self.queues):
            about = {"number": each, "name": f"Queue {each}", "order": order, "targets": targets}
            news["queues"] |= {f"about:{each}": about, f"trend:{each}": self.trend(each, second)}
        for who in self.people:
            self.tell_person(who, "idle", second, news)
        for feed in ("people", "calls", "wall"):
            news[feed]["events"] = {"state": "live", "since": 1000 * second, "heard_at": 1000 * second}

    def arrive(self, second: int, news: dict[str, dict[str, Any]]) -> None:
        number, self.next_id = f"030 {self.chance.randrange(10**6, 10**7)}", self.next_id + 1
        queue = self.chance.choice(self.queues)
        call = {"queue": queue, "number": number, "state": "waiting", "started": second, "since": second, "who": ""}
        self.calls[self.next_id] = call | {"until": second + 1 + int(self.chance.expovariate(1 / 25))}
        self.tell(self.next_id, second, news)

    def go_on(self, key: int, call: dict[str, Any], second: int, news: dict[str, dict[str, Any]]) -> None:
        free = [who for who in self.members[call["queue"]] if who not in self.busy]
        if call["state"] == "waiting" and free:
            who = self.chance.choice(free)
            self.busy[who] = key
            call |= {"state": "ringing", "who": who, "until": second + self.chance.randrange(2, 12)}
        elif call["state"] == "waiting":
            call["until"] = second + 3
            return
        elif call["state"] == "ringing":
            call |= {"state": "talking", "until": second + 5 + int(self.chance.expovariate(1 / 230))}
        else:
            del self.calls[key], self.busy[call["who"]]
            news["calls"][str(key)] = news["wall"][str(key)] = None
            self.tell_person(call["who"], "idle", second, news)
            return
        call["since"] = second
        self.tell(key, second, news)
        self.tell_person(call["who"], call["state"], second, news)

    def tell(self, key: int, second: int, news: dict[str, dict[str, Any]]) -> None:
        call = self.calls[key]
        target = {"name": f"Queue {call['queue']}", "number": "", "extension": call["who"] or call["queue"]}
        for feed, number in (("calls", call["number"]), ("wall", f"••• ••{call['number'][-2:]}")):
            news[feed][str(key)] = {
                "id": key, "call": f"{key * 7919:x}-{call['started']}", "state": call["state"], "direction": "in",
                "from": {"name": "", "number": number, "extension": ""}, "to": target,
                "queue": call["queue"] if call["state"] == "waiting" else None, "via": [call["queue"]],
                "since": 1000 * call["since"] + key % 1000, "started": 1000 * call["started"] + key % 1000,
                "heard": 1000 * second + key % 1000, "unconfirmed": False,
            }  # fmt: skip

    def tell_person(self, who: str, state: str, second: int, news: dict[str, dict[str, Any]]) -> None:
        news["people"][who] = {
            "extension": who, "name": f"Person {who}", "state": state, "since": 1000 * second + int(who) % 1000,
            "direction": "in", "with": "", "heard": second // 60 * 60_000, "unconfirmed": False, "status": None,
        }  # fmt: skip

    def poll(self, second: int) -> dict[str, Any]:
        read_at = 1000 * second + self.chance.randrange(900)
        failing = {"failing_since": None, "failure": "", "next_try_at": None}
        return {"read_at": read_at, "tried_at": 1000 * second, "interval_seconds": POLL_SECONDS, **failing}

    def figures(self, queue: str, second: int) -> dict[str, Any]:
        waits = [second - call["started"] for call in self.waiting(queue)]
        available = sum(who not in self.busy for who in self.members[queue])
        level = "late" if max(waits, default=0) > 60 else "watch" if waits else "normal"
        return {
            "waiting": len(waits), "longest_wait": max(waits, default=0) or None,
            "average_wait": statistics.fmean(waits) if waits else None, "agents": 6, "available": available,
            "unavailable": 6 - available, "level": level, "reason": "", "since": None, "missing_since": None,
            "opens_at": None,
        }  # fmt: skip

    def waiting(self, queue: str) -> list[dict[str, Any]]:
        return [call for call in self.calls.values() if call["state"] == "waiting" and call["queue"] == queue]

    def trend(self, queue: str, second: int) -> dict[str, Any]:
        self.trends[queue] = [*self.trends[queue][1:], len(self.waiting(queue))]
        if second % 900 == 0:
            self.late[queue] = [*self.late[queue][1:], 0]
        return {"until": 1000 * second, "waiting": self.trends[queue], "late": self.late[queue]}


def play(
    recorder: Any, floor: Floor, begin: int, minutes: int, calls_an_hour: float
) -> tuple[Counter[str], list[float]]:
    """Record so many minutes; gives the sizes of the baselines, and the seconds of CPU of each look."""
    from wallboard.live.feeds import encoded
    from wallboard.live.since import News

    sizes: Counter[str] = Counter()
    held: dict[str, dict[str, str]] = {}
    packer, costs = zlib.compressobj(), []
    for second in range(begin, begin + 60 * minutes):
        news = {}
        for feed, documents in floor.step(second, calls_an_hour).items():
            before = held.setdefault(feed, {})
            texts = {key: "" if each is None else encoded(each) for key, each in documents.items()}
            changed = {key: text for key, text in texts.items() if before.get(key) != text}
            before |= changed
            news[feed] = News(is_whole=second == begin, position=str(second), documents=changed)
            line = json.dumps([second, feed, changed]).encode() if changed else b""
            sizes["changes"] += len(line)
            sizes["zlib"] += len(packer.compress(line))
        sizes["snapshots"] += sum(len(key) + len(text) + 4 for texts in held.values() for key, text in texts.items())
        began = time.process_time()
        recorder.take(second, news)
        if recorder.unwritten_seconds >= 10:
            recorder.flush()
        costs.append(time.process_time() - began)
    sizes["zlib"] += len(packer.flush())
    return sizes, costs


def record(
    domain_id: int, floor: Floor, begin: int, minutes: int, calls_an_hour: float
) -> tuple[Counter[str], list[float]]:
    """As play(), for a company, from the first second to the last."""
    from accounts import leases
    from wallboard.replay.recorder import Recorder

    lease = leases.acquire(f"record:{domain_id}", 40)
    assert lease is not None
    recorder = Recorder(domain_id, lease)
    found = play(recorder, floor, begin, minutes, calls_an_hour)
    recorder.flush()
    lease.release()
    return found


def times(domain_id: int, begin: int, end: int) -> tuple[list[float], list[float]]:
    """Milliseconds in which the state of random moments was told, and those of CPU in them."""
    from wallboard.live.feeds import Feed
    from wallboard.replay import answers
    from wallboard.replay.reading import Passage

    feeds = [Feed(domain_id, name) for name in ("queues", "people", "calls", "alerts", "board:1")]
    found, used = [], []
    for _ in range(STATES):
        second = random.randrange(begin, end)
        began, began_cpu = time.perf_counter(), time.process_time()
        answers.stretch(feeds, Passage(domain_id, [feed.name for feed in feeds], second, second + 1))
        found.append(1000 * (time.perf_counter() - began))
        used.append(1000 * (time.process_time() - began_cpu))
    return sorted(found), sorted(used)


def measured(options: argparse.Namespace) -> int:
    """All figures, printed; the exit status."""
    from django.db import connection
    from django.db.models import Sum
    from django.db.models.functions import Length

    from accounts.models import Domain, Lease
    from wallboard.replay.models import Run, Span

    with connection.schema_editor() as editor:
        for model in (Domain, Lease, Run, Span):
            editor.create_model(model)
    domain = Domain.objects.create(slug="bench", name="Bench", base_url="http://127.0.0.1:1", client_id="x")
    day: Counter[str] = Counter()
    played = ("busy", BUSY_HOURS, 8 * options.people, BEGIN), ("quiet", QUIET_HOURS, options.people / 4, BEGIN + 10**6)
    for name, hours, calls, begin in played:
        floor = Floor(options.queues, options.people)
        sizes, costs = record(domain.pk, floor, begin, options.minutes, calls)
        spans = Span.objects.filter(begins__range=(begin, begin + 10**5))
        kept = spans.aggregate(size=Sum(Length("data")))["size"]
        took, used = times(domain.pk, begin, begin + 60 * options.minutes)
        print(f"{name}: {kept:,} bytes kept of {options.minutes} min; changes as JSON {sizes['changes']:,}, by zlib"
              f" {sizes['zlib']:,}; one snapshot a second {sizes['snapshots']:,}")  # fmt: skip
        print(f"  CPU of the recorder {100 * sum(costs) / len(costs):.1f} % of a core; state of a moment"
              f" {statistics.median(took):.0f} ms, worst {took[-1]:.0f} ms; of CPU {statistics.median(used):.0f}"
              f" and {used[-1]:.0f} ms")  # fmt: skip
        for what, size in {"kept": kept, **sizes}.items():
            day[what] += int(size * 60 * hours / options.minutes)
        day["worst"] = max(day["worst"], int(took[-1]))
    print(f"A day: {day['kept'] / 1e6:.1f} MB (goal {GOAL_BYTES / 1e6:.0f}); as JSON {day['changes'] / 1e6:.0f} MB,")
    print(f"  packed by zlib {day['zlib'] / 1e6:.1f} MB; a snapshot a second {day['snapshots'] / 1e9:.1f} GB")
    return int(day["kept"] > GOAL_BYTES or day["worst"] > GOAL_MS)


def main() -> int:
    """Measure in a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--queues", type=int, default=500)
    parser.add_argument("--people", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-replay-") as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/bench.sqlite3"
        import django

        django.setup()
        return measured(options)


if __name__ == "__main__":
    sys.exit(main())
