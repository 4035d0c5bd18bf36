"""Browsers that come back all at once, as after a restart: until each of them holds its whole board, and at what cost.

Every browser has a sign-in or a TV of its own. The web process is started anew; when it answers, all of them connect in
the same moment, while call events are posted, and the time counts until the last one holds the last feed of its board
(40 queues, 300 people). In turns with it a WebSocket on the same server that looks at nothing and sends as many bytes
(bare.py): what the server itself needs to open a socket. Events are posted over connections that stand already, as a
proxy keeps them (docs/nginx.conf, Caddy), and in turns with these over such as are made meanwhile, behind all browsers.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import count, cycle
from pathlib import Path
from typing import Any

from bench import results
from bench.browsers import Readers
from bench.installation import Installation, is_up, manage, running_installation
from bench.machine import SERVER_CORE, Watch, allow_many_sockets, cpu_seconds, pinned, undisturbed
from bench.posts import Posts
from bench.results import Line
from bench.traffic import events
from tests.harness.site import bare_environment
from wallboard.demo.processes import Child, procfile, wait_until

RATE_GOAL, BACK_GOAL_SECONDS, MANY_GOAL_SECONDS, POST_P99_MS = 500.0, 4.0, 15.0, 300.0
FEEDS, PER_SECOND, GIVE_UP_SECONDS = 5, 20, 120.0
KEPT = 16  # connections that stand already, half of what docs/nginx.conf keeps
FILL = """
import json
from django.db import transaction
from tests.live.serving import signed_in
from accounts.models import Domain, Person
from wallboard.boards.models import Board
from wallboard.queues.models import Queue
from wallboard.screens import screens
domain, board = Domain.objects.get(), Board.objects.get()
Queue.objects.bulk_create([Queue(domain=domain, number=str(800 + n), name=f"Queue number {{n}}") for n in range(40)])
people = [Person(domain=domain, extension=str(2000 + n), name=f"Person number {{n}}") for n in range(300)]
Person.objects.bulk_create(people)
with transaction.atomic():
    found = [signed_in(domain, extension=f"7{{n:05}}")[1] for n in range({people})]
    found += [f"screen_live={{screens.create(board, f'TV {{n}}')[1]}}" for n in range({screens})]
# They look, and are not looked at: the board is one of 300 people however many browsers come.
Person.objects.filter(extension__startswith="7").update(is_hidden=True)
print("=>", json.dumps(found))
"""


class AllAtOnce(Readers[str]):
    """Browsers of which none waits for another; they are open once each has read its feeds."""

    refused = 0

    def _open_all(self, url: str) -> None:
        self._url = url

    def come(self) -> None:
        """Connect, all of them."""
        for _ in range(self.count):
            self._begin(self._url)

    def _go_on_opening(self, number: int, event: int) -> None:
        try:
            super()._go_on_opening(number, event)
        except (RuntimeError, ConnectionError):
            self.refused += 1
            self._poll.unregister(number)


@dataclass(frozen=True)
class Return:
    """How all browsers came back: seconds until the last was whole, CPU for each, POSTs meanwhile (over connections
    that stood already, and over new ones).
    """

    seconds: float
    cpu_ms: float
    post_p99_ms: float
    new_p99_ms: float
    refused: int
    missing: int
    size: int


@dataclass
class Boards:
    """Which feeds each browser holds, and when it held all of them."""

    held: dict[int, set[str]]
    whole_at: list[float]
    sizes: dict[str, int]

    def understand(self, text: bytes) -> str | None:
        """The feed of which this is the whole."""
        if b'"snapshot"' not in text:
            return None
        feed = str(json.loads(text)["feed"])
        self.sizes[feed] = len(text)
        return feed

    def hear(self, browser: int, feed: str) -> None:
        """A browser got it."""
        feeds = self.held.setdefault(browser, set())
        feeds.add(feed)
        if len(feeds) == FEEDS:
            self.whole_at.append(time.perf_counter())


def taken(site: Installation, url: str, cookies: list[str], browsers: int, run: str) -> Return:
    """Let them all come; posts go on for as long as that takes."""
    boards = Boards({}, [], {})
    with closing(AllAtOnce(browsers, url, cookies, boards.understand, boards.hear)) as readers:
        with (
            closing(Posts(site.port, site.hook, readers)) as kept,
            closing(Posts(site.port, site.hook, readers)) as new,
        ):
            kept.connect(KEPT)
            used, began = cpu_seconds(site.web.pid), time.perf_counter()
            readers.come()
            bodies, turns = events(20, 200, run), cycle((kept, new))
            while len(boards.whole_at) + readers.refused < browsers and time.perf_counter() - began < GIVE_UP_SECONDS:
                next(turns).send(next(bodies))
                readers.read_for(1 / PER_SECOND)
            for posts in (kept, new):
                posts.await_answers()
        cpu = cpu_seconds(site.web.pid) - used
    statuses = Counter({status: len(took) for posts in (kept, new) for status, took in posts.took.items()})
    whole = boards.whole_at or [began + GIVE_UP_SECONDS]
    return Return(
        whole[-1] - began,
        cpu / browsers * 1000,
        p99_ms(kept),
        p99_ms(new),
        sum(count_ for status, count_ in statuses.items() if status not in (200, 204)),
        browsers - len(boards.whole_at),
        sum(boards.sizes.values()),
    )


def p99_ms(posts: Posts) -> float:
    """The 99th percentile of all answers, in milliseconds."""
    answers = sorted(each for took in posts.took.values() for each in took)
    return answers[int(len(answers) * 0.99)] * 1000 if answers else float("inf")


@contextmanager
def started(site: Installation, folder: Path, application: str = "", **more: str) -> Iterator[Installation]:
    """The installation with a web process that has just come up: ours, or one with another application."""
    command = procfile(site.port)["web"]
    env = bare_environment(**more) if application else site.env
    with pinned(SERVER_CORE):
        web = Child("web", [*command[:-1], application or command[-1]], folder / "again.log", env)
        web.start()
    try:
        if not wait_until(lambda: is_up(site.port), 60, 0.02):
            raise RuntimeError(web.tail())
        yield replace(site, web=web)
    finally:
        web.stop()


def one(site: Installation, folder: Path, cookies: list[str], browsers: int, name: str) -> Return:
    """One return, to ours or to the bare server; `name` makes its calls others than before."""
    is_bare = name.startswith("bare")
    more = {"application": "bench.bare:application", "BARE_BYTES": name.partition(" ")[2]} if is_bare else {}
    with started(site, folder, **more) as again:
        url = f"ws://127.0.0.1:{site.port}/" if is_bare else site.socket_url("board=main")
        found = taken(again, url, cookies, browsers, name.replace(" ", ""))
    print(f"  {name:12} {browsers:,} browsers: {browsers / found.seconds:.0f}/s, {found}", flush=True)
    return found


def lines(
    ours: Return, bare: Return, browsers: int, goal_seconds: float, least_ms: float, foreign: float
) -> list[Line]:
    """The figures of a return beside the bare server's, whose process needed `least_ms` for a socket at best."""
    what, rates = f"{browsers:,} browsers", (browsers / ours.seconds, browsers / bare.seconds)
    back: dict[str, Any] = {"at_most": goal_seconds, "floor": browsers * least_ms / 1000, "foreign": foreign}
    rate: dict[str, Any] = {"at_least": RATE_GOAL, "floor": 1000 / least_ms, "foreign": foreign}
    post: dict[str, Any] = {"at_most": POST_P99_MS, "floor": bare.post_p99_ms, "foreign": foreign}
    return [
        results.bounded(f"opening: {what} are back after", ours.seconds, "s", **back),
        results.bounded("  sockets opened a second", rates[0], "/s", **rate),
        results.compared("  beside the bare server", *rates, "/s", foreign=foreign),
        results.compared("  CPU of the web process for each", ours.cpu_ms, bare.cpu_ms, "ms", foreign=foreign),
        results.bounded("  POST p99 meanwhile", ours.post_p99_ms, "ms", **post),
        results.compared("  beside the bare server", ours.post_p99_ms, bare.post_p99_ms, "ms", foreign=foreign),
        results.compared("  the same, new connections", ours.new_p99_ms, bare.new_p99_ms, "ms", foreign=foreign),
        results.bounded("  without a whole board, or refused", ours.missing + ours.refused, "", at_most=0),
    ]


def measured(site: Installation, folder: Path, options: argparse.Namespace) -> list[Line]:
    """All rounds of both sizes."""
    half, made = max(options.browsers, options.many) // 2, []
    told = manage(site.env, "shell", "-v", "0", "-c", FILL.format(people=half, screens=half))
    everyone, runs = json.loads(told.rpartition("=>")[2]), count()
    site.web.stop()
    for browsers, goal in ((options.browsers, BACK_GOAL_SECONDS), (options.many, MANY_GOAL_SECONDS)):
        share = browsers // 2
        cookies = everyone[:share] + everyone[half : half + share]
        rounds = options.rounds if browsers == options.browsers else 1

        def once(cookies: list[str] = cookies, browsers: int = browsers) -> tuple[tuple[Return, Return], float]:
            watch = Watch()
            ours = one(site, folder, cookies, browsers, f"ours{next(runs)}")
            bare = one(site, folder, cookies, browsers, f"bare {ours.size}")
            return (ours, bare), watch.foreign()

        found = [undisturbed("opening", once, anyway=options.anyway) for _ in range(rounds)]
        good = sorted(((each, foreign) for each, foreign in found if each), key=lambda each: each[0][0].seconds)
        if not good:
            made.append(results.disturbed(f"opening: {browsers:,} browsers", min(foreign for _, foreign in found)))
            continue
        (ours, bare), foreign = good[len(good) // 2]
        made += lines(ours, bare, browsers, goal, min(each.cpu_ms for (_, each), _ in good), foreign)
    return made


def main() -> int:
    """Measure and report; the exit status."""
    options = results.options(__doc__, browsers=(1000, 100), many=(5000, 300), rounds=(3, 1))
    allow_many_sockets()
    with tempfile.TemporaryDirectory(prefix="bench-opening-") as name, running_installation(Path(name)) as site:
        print(f"opening: each browser with a sign-in or TV of its own, {site.vendor}")
        return results.tell(measured(site, Path(name), options))


if __name__ == "__main__":
    sys.exit(main())
