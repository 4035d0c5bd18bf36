"""Reports and the call log on much data: ten million legs, and a year of 500 queues minute by minute.

Made in the database itself, added up by the worker's own function, then asked for as pages are: each figure is the
median of some requests, beside the time in which the database counts the rows of the same days. On PostgreSQL, or with
--sqlite on SQLite. `--scale` makes legs and queues fewer, `--days` the year shorter, `--sample-days` only the minutes.

python -m bench.reports [--scale 0.01] [--days 100] [--sample-days 100] [--sqlite]

Exit status 1 where a goal is missed.
"""

import os
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from bench import results
from bench.machine import Watch, our_seconds, resident_bytes
from bench.rows import DAYS, PEOPLE, make
from tests.harness import environment, postgres  # noqa: F401

TEAMS = 12
PAGE_GOAL_MS, LOG_GOAL_MS, SQLITE_GOAL_MS = 1000, 200, 2000
SHEET_ROWS, SHEET_GOAL_MB = 100_000, 10
TIMES = 3


def timed(ask: Callable[[], Any], times: int = TIMES) -> tuple[float, str]:
    """The median of how many milliseconds it took, after one time that counts nothing; and in words how much CPU of
    ours and of the database that were, which tells something on a busy machine, too.
    """
    ask()
    took, before = [], our_seconds([os.getpid()])
    for _ in range(times):
        began = time.perf_counter()
        ask()
        took.append(1000 * (time.perf_counter() - began))
    cpu = 1000 * (our_seconds([os.getpid()]) - before) / times
    return median(took), f" ({cpu:.0f} ms of CPU)"


def pages(domain: Any, today: datetime, goal: float) -> Iterable[results.Line]:
    """Each report page, for those who see everything and for those who do not."""
    from accounts.models import Person
    from wallboard.calls.models import Leg
    from wallboard.queues.models import Sample

    people = viewers(domain)
    assert Person.objects.filter(domain=domain).count() > PEOPLE
    for days in (1, 7, 31, 92):
        last = today.date() - timedelta(days=1)
        address = f"/reports/?first={last - timedelta(days=days - 1)}&last={last}"
        since = today - timedelta(days=days)
        count, _cpu = timed(partial(_counted, {Sample: "minute", Leg: "first_seen_at"}, since), 1)
        for who, client in people.items():
            watch = Watch()
            took, cpu = timed(partial(_asked, client, address))
            line = results.compared(f"report of {days} days{who}{cpu}; counting its rows", took, count, "ms")
            yield _within(line, took, goal, watch.foreign())
    watch = Watch()
    took, cpu = timed(lambda: _asked(people[""], "/reports/"))
    yield results.bounded(f"report of today{cpu}", took, "ms", at_most=goal, foreign=watch.foreign())


def viewers(domain: Any) -> dict[str, Any]:
    """Who asks: somebody who sees everything, somebody who sees two queues, and somebody who sees a team.

    Made before days are added up, as sums are kept for the limits that there are.
    """
    from accounts.models import Team

    return {
        "": _supervisor(domain, "901", {}),
        " with a limit": _supervisor(domain, "902", {"only_queues": ["5001", "5002"]}),
        " of a team": _supervisor(domain, "904", {"only_team": Team.objects.filter(domain=domain).first()}),
    }


def teams(domain: Any) -> None:
    """Everybody is in one of some teams."""
    from accounts.models import Person, Team

    people = list(Person.objects.filter(domain=domain).order_by("extension"))
    for place in range(TEAMS):
        Team.objects.create(domain=domain, name=f"Team {place}").people.set(people[place::TEAMS])


def _counted(tables: dict[Any, str], since: datetime) -> int:
    return sum(table.objects.filter(**{f"{column}__gte": since}).count() for table, column in tables.items())


def _within(line: results.Line, took: float, goal: float, foreign: float) -> results.Line:
    verdict, bound = results.judged(took, None, goal)
    return results.Line(line.what, line.measured, line.baseline, line.ratio, f"{bound} ms", foreign, verdict)


def log(domain: Any, today: datetime, goal: float) -> Iterable[results.Line]:
    """The call log by what people look for."""
    client = _supervisor(domain, "903", {})
    day = today.date() - timedelta(days=40)
    looks = {
        "newest": "",
        "number": "q=%2B49301007919",
        "part of a number": "q=100791",
        "person": "q=151",
        "queue": "q=5003",
        "day": f"first={day}&last={day}",
        "person on a day": f"q=151&first={day}&last={day}",
        "unanswered": "outcome=unanswered",
    }
    for name, query in looks.items():
        watch = Watch()
        took, cpu = timed(partial(_asked, client, f"/calls/?{query}"))
        yield results.bounded(f"call log by {name}{cpu}", took, "ms", at_most=goal, foreign=watch.foreign())


def sheet() -> Iterable[results.Line]:
    """A sheet of many rows, as it is streamed: how long, and by how much the process grows."""
    from accounts.sheets import answers

    for kind in ("csv", "xlsx"):
        before, began = resident_bytes(os.getpid()), time.perf_counter()
        grown = 0
        answer = answers.download(kind, ((n, f"name {n}", n / 7) for n in range(SHEET_ROWS)), "bench", "24")
        for _piece in answer:
            grown = max(grown, resident_bytes(os.getpid()) - before)
        took = time.perf_counter() - began
        yield results.bounded(f"{kind} of {SHEET_ROWS:,} rows", took, "s")
        yield results.bounded(f"  memory while it is made ({kind})", grown / 1e6, "MB", at_most=SHEET_GOAL_MB)


def _supervisor(domain: Any, extension: str, limit: dict[str, Any]) -> Any:
    from django.test import Client

    from accounts.models import Person, User

    user, is_new = User.objects.get_or_create(username=extension)
    if is_new:
        Person.objects.create(domain=domain, extension=extension, user=user, role="supervisor", **limit)
    client = Client()
    client.force_login(user)
    return client


def _asked(client: Any, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)


def sizes(vendor: str, tables: dict[str, int]) -> Iterable[results.Line]:
    """What each table takes on disk, with its indexes, for a million rows of what it is made of."""
    from django.db import connection

    if vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for table, rows in tables.items():
            cursor.execute("SELECT pg_total_relation_size(%s)", [table])
            size = cursor.fetchone()[0]
            yield results.bounded(f"{table}, {rows:,} rows", size / 1e6, "MB")


def measure(options: Namespace, vendor: str) -> list[results.Line]:
    """All figures, in the database that the environment names."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections
    from django.utils import timezone

    from accounts import company_day
    from accounts.models import Domain, Person
    from wallboard.calibration import findings
    from wallboard.reports.rollups import rolling

    settings.ALLOWED_HOSTS = ["*"]
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    call_command("migrate", verbosity=0)
    domain = Domain.objects.create(
        slug="bench", name="bench", base_url="http://p.test", client_id="c", client_secret="s", country="DE"
    )
    Person.objects.bulk_create(Person(domain=domain, extension=str(101 + n)) for n in range(PEOPLE))
    firm = {"queue_legs": "user", "caller_ids": "shared", "queue_leg_answered": "answered", "missing_events": "few"}
    for question, answer in firm.items():
        findings.overrule(domain, question, answer, None)
    teams(domain)
    viewers(domain)
    today = company_day.start(domain, timezone.now())
    began = time.perf_counter()
    samples, legs = make(options, vendor, domain.pk, today - timedelta(days=options.days - 0.4))
    print(f"{samples:,} samples and {legs:,} legs made in {time.perf_counter() - began:.0f} s", flush=True)
    began = time.perf_counter()
    rolled = rolling.roll(domain, timezone.now(), seconds=3600)
    took = (time.perf_counter() - began) / options.days
    goal = PAGE_GOAL_MS if vendor == "postgresql" else SQLITE_GOAL_MS
    lines = [results.bounded(f"adding up a day ({rolled} parts in all)", took, "s")]
    tables = {"queues_sample": samples, "calls_leg": legs}
    tables |= dict.fromkeys(("reports_queuehour", "reports_queueday", "reports_callday", "reports_queuecallday"), 0)
    tables |= {"reports_queuecallsum": 0}
    log_goal = LOG_GOAL_MS if vendor == "postgresql" else SQLITE_GOAL_MS
    lines += [*pages(domain, today, goal), *log(domain, today, log_goal), *sheet(), *sizes(vendor, tables)]
    connections.close_all()
    return lines


def main() -> int:
    """Make, measure, tell."""
    parser = results.parser(__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="of ten million legs and 500 queues")
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument(
        "--sample-days", type=int, default=DAYS, help="of the days that also have samples, for less disk"
    )
    parser.add_argument("--sqlite", action="store_true")
    options = parser.parse_args()
    if options.quick:
        options.scale, options.days = 0.002, 95
    programs = postgres.programs()
    if options.sqlite or programs is None:
        with tempfile.TemporaryDirectory(prefix="bench-reports-") as folder:
            os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'bench.sqlite3'}"
            return results.tell(measure(options, "sqlite"))
    with postgres.running_postgres(
        programs, "max_wal_size=4GB", "shared_buffers=512MB", "synchronous_commit=off"
    ) as url:
        os.environ["DATABASE_URL"] = url
        return results.tell(measure(options, "postgresql"))


if __name__ == "__main__":
    sys.exit(main())
