"""How what a call event and an opened socket cost grows with browsers, boards, queues, people and companies.

Beginning with a small installation, one of these is made larger at a time, and the others stay as they are. Each line
tells the processor time of the web process for one call event, on its way from the POST to all browsers, and for one
browser that opens its board: both change little with what else runs on the machine.

python -m bench.growth [--quick]   exit status 0; nothing here has a goal
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import perf_counter

from bench import results
from bench.browsers import Browsers
from bench.installation import Installation, manage, running_installation
from bench.machine import Watch, allow_many_sockets, cpu_seconds
from bench.posts import Posts
from bench.results import Line
from bench.traffic import events

BROWSERS, PER_SECOND, CALLS_AT_ONCE = 100, 20, 20
SIZES: dict[str, tuple[int, ...]] = {
    "browsers": (100, 400, 1600),
    "boards": (1, 10, 100),
    "queues": (10, 100, 500),
    "people": (50, 500, 2000),
    "companies": (1, 10, 100),
}
START = """
import json
from accounts.models import Domain, Person
from wallboard.boards.models import Board
from wallboard.calls.models import Subscription
from wallboard.calls.webhooks import hook_secrets
from wallboard.queues.models import Queue
domain = Domain.objects.order_by("pk").first()
def missing(rows, size):
    return range(rows.count(), size)
"""
# What makes the installation as large as `size` says, whatever there is already.
ENLARGE = {
    "browsers": "",
    "boards": """
for n in missing(Board.objects, {size}):
    Board.objects.create(domain=domain, name=f"Board {{n}}", slug=f"board-{{n}}")
""",
    "queues": """
numbers = missing(Queue.objects, {size})
Queue.objects.bulk_create([Queue(domain=domain, number=str(8000 + n), name=f"Queue {{n}}") for n in numbers])
""",
    "people": """
numbers = missing(Person.objects, {size})
Person.objects.bulk_create([Person(domain=domain, extension=str(2000 + n), name=f"Person {{n}}") for n in numbers])
""",
    "companies": """
for n in missing(Domain.objects, {size}):
    login = {{"client_id": "c", "client_secret": "s"}}
    other = Domain.objects.create(slug=f"c{{n}}", name=f"C {{n}}", base_url="http://provider.test", **login)
    secret = hook_secrets.hash_of(f"growth-{{n}}-" + "x" * 40)
    Subscription.objects.create(domain=other, kind="calls", secret_hash=secret)
""",
}
SLUGS = "\nprint('=>', json.dumps([board.slug for board in Board.objects.all()]))"


@dataclass(frozen=True)
class Cost:
    """Milliseconds of processor time of the web process, for each event and each opened socket."""

    event: float
    opening: float


def cost(site: Installation, boards: list[str], hooks: list[str], browsers: int, seconds: float, run: str) -> Cost:
    """Open so many browsers, spread over the boards, and post events for so long, spread over the companies."""
    pid = site.web.pid
    with ExitStack() as stack:
        share = max(1, browsers // len(boards))
        before = cpu_seconds(pid)
        opened = [
            stack.enter_context(closing(Browsers(share, site.socket_url(f"board={slug}"), site.cookie)))
            for slug in boards[:browsers]
        ]
        for each in opened:
            each.read_for(0.01)
        opened[0].settle()  # all hold their boards by then
        opening = (cpu_seconds(pid) - before) / (share * len(opened))
        posts = [stack.enter_context(closing(Posts(site.port, hook, opened[0]))) for hook in hooks]
        before, sent = cpu_seconds(pid), send(posts, opened, events(CALLS_AT_ONCE, 40, run), seconds)
        event = (cpu_seconds(pid) - before) / sent
    return Cost(event * 1000, opening * 1000)


def send(posts: list[Posts], opened: list[Browsers], bodies: Iterator[bytes], seconds: float) -> int:
    """Post at an even pace while everybody reads; gives how many."""
    began, most = perf_counter(), round(PER_SECOND * seconds)
    for number in range(most):
        posts[number % len(posts)].send(next(bodies))
        while (left := began + (number + 1) / PER_SECOND - perf_counter()) > 0:
            opened[number % len(opened)].read(min(left, 0.01))
            for each in opened:
                each.read(0)
    for post in posts:
        post.send_at_pace(bodies, PER_SECOND, 0)
    return most


def measured(site: Installation, options: argparse.Namespace) -> list[Line]:
    """Two lines for each dimension."""
    made, runs = [], count()
    for name, sizes in SIZES.items():
        sizes = sizes[:2] if options.quick else sizes
        watch, found = Watch(), []
        for size in sizes:
            told = manage(site.env, "shell", "-v", "0", "-c", START + ENLARGE[name].format(size=size) + SLUGS)
            boards = json.loads(told.rpartition("=>")[2]) if name == "boards" else ["main"]
            others = [f"/hooks/growth-{n}-{'x' * 40}/" for n in range(1, size)] if name == "companies" else []
            browsers = size if name == "browsers" else BROWSERS
            found.append(cost(site, boards, [site.hook, *others], browsers, options.seconds, f"g{next(runs)}"))
            print(f"  {size:,} {name}: {found[-1]}", flush=True)
        made += lines(name, sizes, found, watch.foreign())
    return made


def lines(name: str, sizes: tuple[int, ...], found: list[Cost], foreign: float) -> list[Line]:
    """What it costs at the largest beside the smallest, and all in between in words."""
    spread = f"{' / '.join(f'{size:,}' for size in sizes)} {name}"
    made = []
    for what, costs in (("call event", [each.event for each in found]), ("opened", [each.opening for each in found])):
        told = " / ".join(results.plain(each) for each in costs)
        ratio = f"{costs[-1] / costs[0]:.1f}x" if costs[0] else "-"
        made.append(Line(f"growth: CPU per {what}, {spread}", f"{told} ms", "", ratio, "", foreign, results.TOLD))
    return made


def main() -> int:
    """Measure and report; the exit status."""
    options = results.options(__doc__, seconds=(8.0, 3.0))
    allow_many_sockets()
    with tempfile.TemporaryDirectory(prefix="bench-growth-") as name, running_installation(Path(name)) as site:
        print(
            f"growth: {PER_SECOND} call events a second, {BROWSERS} browsers where nothing else is said, {site.vendor}"
        )
        return results.tell(measured(site, options))


if __name__ == "__main__":
    sys.exit(main())
