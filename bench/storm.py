"""A storm of call events on many open boards: is every browser right soon after, was anything lost, was anybody slow?

By default 200 call events a second for 60 s on 1,000 supervisors' boards: each browser must equal the database within
2 s of the last answer, no delivery may be lost, no browser gets more than ten frames a second of a feed, 99 of 100
POSTs are answered within 150 ms, and 99 of 100 events stand on the last board within 500 ms of their POST. Web,
PostgreSQL and Redis share one core; the load generator has the other.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import results
from bench.browsers import Readers
from bench.freshness import Freshness
from bench.installation import Installation, running_installation
from bench.machine import Watch, allow_many_sockets, undisturbed
from bench.posts import Posts
from bench.results import Line
from bench.traffic import events
from tests.faults.oracle import Oracle

FEEDS = ("calls", "people")
CALLS_AT_ONCE, EXTENSIONS = 150, 200
EQUAL_WITHIN_SECONDS, FRAMES_PER_SECOND, POST_P99_MS, FRESH_P99_MS = 2.0, 10.0, 150.0, 500.0
GIVE_UP_SECONDS = 30.0
Documents = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """What a frame does to one feed: from the id before ("" for a snapshot) to its own."""

    feed: str
    before: str
    after: str


@dataclass
class Boards:
    """What all browsers hold, as the id each stands at: what stands at an id is worked out once, not per browser."""

    contents: dict[tuple[str, str], Documents] = field(default_factory=dict)
    held: dict[tuple[int, str], str] = field(default_factory=dict)
    frames: dict[tuple[int, str], int] = field(default_factory=lambda: defaultdict(int))
    fresh: Freshness = field(default_factory=lambda: Freshness(CALLS_AT_ONCE))
    gaps: int = 0
    contradictions: int = 0

    def understand(self, text: bytes) -> Step | None:
        """Work out the contents after this frame; two frames that end at one id must end in the same."""
        frame = json.loads(text)
        if frame.get("feed") not in FEEDS:
            return None
        feed, after, before = frame["feed"], frame["id"], frame.get("prev", "")
        if "snapshot" in frame:
            contents = frame["snapshot"]
        else:
            if feed == "calls":
                self.fresh.understand(after, self.contents[feed, before], frame)
            contents = {**self.contents[feed, before], **frame["set"]}
            for key in frame["del"]:
                contents.pop(key, None)
        known = self.contents.setdefault((feed, after), contents)
        self.contradictions += known != contents
        return Step(feed, before, after)

    def hear(self, browser: int, step: Step) -> None:
        """A browser got this frame; one that does not follow what it held is a gap."""
        place = (browser, step.feed)
        if step.before:
            self.gaps += self.held.get(place) != step.before
            self.frames[place] += 1
            if step.feed == "calls":
                self.fresh.hear(browser, step.after)
        self.held[place] = step.after

    def differing(self, browsers: list[int], truth: dict[str, Documents]) -> int:
        """How many browsers do not hold what the database says."""
        right = {key for key, contents in self.contents.items() if compared(contents) == compared(truth[key[0]])}
        return sum(any((feed, self.held.get((number, feed))) not in right for feed in FEEDS) for number in browsers)


def compared(documents: Documents) -> Documents:
    """A feed's contents but for the word about the events' health, which only tells when it was last looked at."""
    return {key: value for key, value in documents.items() if key != "events"}


@dataclass(frozen=True)
class Outcome:
    """What one storm did."""

    posts: int
    refused: int
    lost: int
    equal_after_seconds: float
    wrong: int
    gaps: int
    most_frames_per_second: float
    post_p99_ms: float
    fresh_p50_ms: float
    fresh_p99_ms: float
    not_shown: int
    behind_seconds: float
    dropped: int


def storm(site: Installation, options: argparse.Namespace, run: str) -> tuple[Outcome, float]:
    """Let one pass, and look at everything afterwards; also the foreign load during it."""
    boards, oracle = Boards(), Oracle(site.env)
    url = site.socket_url("board=main")
    with closing(Readers(options.browsers, url, site.cookie, boards.understand, boards.hear)) as readers:
        readers.settle()
        boards.frames.clear()
        with closing(Posts(site.port, site.hook, readers)) as posts:
            watch, began = Watch(), time.perf_counter()
            bodies = events(CALLS_AT_ONCE, EXTENSIONS, run)
            posts.send_at_pace(bodies, options.per_second, options.seconds)
            ended = time.perf_counter()
            foreign = watch.foreign()
        wrong, equal_after = settled(boards, readers, oracle)
        most = max(boards.frames.values(), default=0) / (time.perf_counter() - began)
    took = sorted(took for status, each in posts.took.items() for took in each if status == 204)
    kept = oracle.value(f"Delivery.objects.filter(body__contains='\"{run}-').count()")
    oracle.stop()
    fresh = boards.fresh.milliseconds(posts.sent_at)
    outcome = Outcome(
        posts=len(posts.sent_at),
        refused=len(posts.sent_at) - len(took),
        lost=len(took) - kept,
        equal_after_seconds=equal_after,
        wrong=wrong,
        gaps=boards.gaps + boards.contradictions,
        most_frames_per_second=most,
        post_p99_ms=took[int(len(took) * 0.99)] * 1000 if took else float("inf"),
        fresh_p50_ms=fresh[len(fresh) // 2] if fresh else float("inf"),
        fresh_p99_ms=fresh[int(len(fresh) * 0.99)] if fresh else float("inf"),
        not_shown=len(took) - len(fresh),
        behind_seconds=max(0.0, ended - began - options.seconds),
        dropped=readers.dropped,
    )
    print(f"  {outcome}; others {foreign:.0%}", flush=True)
    return outcome, foreign


def settled(boards: Boards, readers: Readers[Step], oracle: Oracle) -> tuple[int, float]:
    """(browsers that never became equal to the database, seconds until all were), from the last answer on."""
    ended = time.perf_counter()
    asked = (
        "answer = {name: {key: value for key, (_, value) in snapshots.documents(Domain.objects.get().pk, name).items()"
    )
    truth: dict[str, Documents] = oracle.ask(f"{asked} if value is not None}} for name in {FEEDS!r}}}")
    if not compared(truth["calls"]):
        raise RuntimeError("no call is left, so that equality would prove nothing; choose other seconds")
    while True:
        readers.read_for(0.02)
        wrong = boards.differing(readers.numbers, truth)
        passed = time.perf_counter() - ended
        if not wrong or passed > GIVE_UP_SECONDS:
            return wrong, passed


def lines(found: Outcome, foreign: float) -> list[Line]:
    """The figures of a storm."""

    def line(what: str, value: float, unit: str, most: float) -> Line:
        return results.bounded(f"storm: {what}", value, unit, at_most=most, foreign=foreign)

    return [
        line("all equal after", found.equal_after_seconds, "s", EQUAL_WITHIN_SECONDS),
        line("browsers that stay wrong", found.wrong, "", 0),
        line("acknowledged and lost", found.lost, "", 0),
        line("refused or unanswered", found.refused, "", 0),
        line("gaps seen by browsers", found.gaps, "", 0),
        line("sockets that the server closed", found.dropped, "", 0),
        line("frames/s of a feed", found.most_frames_per_second, "", FRAMES_PER_SECOND),
        line("POST p99", found.post_p99_ms, "ms", POST_P99_MS),
        line("from POST to the last board, p99", found.fresh_p99_ms, "ms", FRESH_P99_MS),
        line("events that no board showed", found.not_shown, "", 0),
        line("last POST behind time", found.behind_seconds, "s", 1.0),
    ]


def main() -> int:
    """Measure and report; the exit status."""
    options = results.options(__doc__, browsers=(1000, 100), per_second=(200.0, 200.0), seconds=(60.0, 5.0))
    allow_many_sockets()
    runs = iter(range(100))
    with tempfile.TemporaryDirectory(prefix="bench-storm-") as folder, running_installation(Path(folder)) as site:
        size = f"{options.per_second:g} events a second for {options.seconds:g} s, {options.browsers:,} browsers"
        print(f"storm: {size}, durable in {site.vendor}")
        outcome, foreign = undisturbed(
            "storm", lambda: storm(site, options, f"storm{next(runs)}"), anyway=options.anyway
        )
    if outcome is None:
        return results.tell([results.disturbed("storm", foreign)])
    return results.tell(lines(outcome, foreign))


if __name__ == "__main__":
    sys.exit(main())
