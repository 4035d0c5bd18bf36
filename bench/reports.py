"""Reports and the call log on much data: ten million legs, and a year of 500 queues minute by minute.

Made in the database itself, added up by the worker's own function, then asked for as pages are: each figure is the
median of some requests on the clock, beside the time in which the database counts the rows of the same days. On
PostgreSQL, or with --sqlite on SQLite. `--scale` makes legs and queues fewer, `--days` the year shorter,
`--sample-days` only the minutes. It is all made anew each time; with `--keep` it stays in a folder, where `--build`
makes it in several runs and `--only` measures parts of it.

python -m bench.reports [--scale 0.01] [--days 100] [--sample-days 100] [--sqlite]
python -m bench.reports --keep FOLDER --build 600; python -m bench.reports --keep FOLDER --only pages

Exit status 1 where a goal is missed.
"""

import os
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from bench import report_requests, report_rows, results
from bench.machine import Watch, resident_bytes
from bench.rows import DAYS
from tests.harness import environment, postgres  # noqa: F401

PAGE_GOAL_MS, LOG_GOAL_MS, SQLITE_GOAL_MS = 1000, 200, 2000
SHEET_ROWS, SHEET_GOAL_MB = 100_000, 10
PARTS = ("pages", "sections", "ahead", "own", "log", "sheet", "sizes")
SHOW_FORECAST = {"pages", "sections", "ahead"}
SERVER_SETTINGS = ("max_wal_size=4GB", "shared_buffers=512MB", "synchronous_commit=off")
TABLES = (
    *("queues_sample", "calls_leg", "alerts_episode", "reports_queuehour", "reports_queueday", "reports_callday"),
    *("reports_queuecallday", "reports_queuecallsum"),
)


def pages(people: Mapping[str, Any], today: datetime, goal: float) -> Iterable[results.Line]:
    """Each report page, for those who see everything and for those who do not."""
    from wallboard.calls.models import Leg
    from wallboard.queues.models import Sample

    for days in (1, 7, 31, 92):
        address, since = report_requests.report_of(today, days), today - timedelta(days=days)
        count, _cpu = report_requests.timed(partial(_counted, {Sample: "minute", Leg: "first_seen_at"}, since), 1)
        for who, client in people.items():
            watch = Watch()
            took, cpu = report_requests.timed(partial(report_requests.asked, client, address))
            line = results.compared(f"report of {days} days{who}{cpu}; counting its rows", took, count, "ms")
            yield _within(line, took, goal, watch.foreign())
    yield from report_requests.bounded(people[""], {"report of today": "/reports/"}, goal)


def sections(client: Any, today: datetime, goal: float) -> Iterable[results.Line]:
    """What pages of reports can hold beside: two periods, a formula that is tried, some queues, a what-if, sheets.

    And alerts, of which the last pages are those of long ago.
    """
    month, most = report_requests.report_of(today, 31), report_requests.report_of(today, 92)
    day = today.date() - timedelta(days=2)
    some = "".join(f"&queue={5000 + place}" for place in range(20))
    what_if = f"&what_day={day}&what_from=9&what_until=12&what_change=2&what_queue=5003"
    looks = {
        "92 days beside those before": f"{most}&beside=before",
        "92 days by another formula": f"{most}&formula=F&within=30",
        "92 days of 20 queues": most + some,
        "31 days with a what-if": month + what_if,
        "heat map of 92 days (longest wait)": f"{most}&figure=longest",
        "the page of alerts": "/alerts/",
        "the page of alerts, the 900th": "/alerts/?page=900",
        "reports by mail": "/reports/mails/",
    }
    yield from report_requests.bounded(client, looks, goal)
    kinds = ("parts", "queues", "people", "calls", "alerts", "service")
    sheets = {f"sheet of 92 days ({of})": f"{most}&as=csv&of={of}" for of in kinds}
    sheets |= {"sheet of 92 days (parts, XLSX)": f"{most}&as=xlsx&of=parts", "sheet of alerts": "/alerts/?as=csv"}
    yield from report_requests.bounded(client, sheets, None)


def ahead(domain: Any, client: Any, goal: float) -> Iterable[results.Line]:
    """The forecast: what the worker needs for all queues, then the page and the sheet, while it is fresh."""
    from wallboard.forecast import forecasting
    from wallboard.forecast.models import NextHour

    NextHour.objects.all().delete()
    began, before = time.perf_counter(), time.process_time()
    forecasting.update(domain)
    took, cpu = time.perf_counter() - began, time.process_time() - before
    yield results.bounded(f"forecasting all queues ({cpu:.1f} s of CPU of ours)", took, "s")
    with_calls = sum(1 for row in NextHour.objects.filter(queue__domain=domain) if row.outlook.get("calls"))
    yield results.bounded("queues with a forecast", with_calls, "")
    yield from report_requests.bounded(client, {"report of today with its forecast": "/reports/"}, goal)
    yield from report_requests.bounded(client, {"sheet of the forecast": "/reports/next-hour/?as=csv"}, None)


def own(domain: Any, goal: float) -> Iterable[results.Line]:
    """What an agent sees of their own days, and what an administrator sees who sets the service level."""
    agent = report_requests.signed_in(domain, "151", "agent")
    looks = {f"own days ({name})": f"/reports/mine/?days={name}" for name in ("today", "yesterday", "7", "30")}
    yield from report_requests.bounded(agent, looks, goal)
    administrator = report_requests.signed_in(domain, "906", "administrator")
    yield from report_requests.bounded(administrator, {"service level": "/setup/service-level/"}, goal)


def viewers(domain: Any) -> dict[str, Any]:
    """Who asks: somebody who sees everything, some who see two queues or half of them, somebody who sees a team.

    Made before days are added up, as sums are kept for the limits that there are.
    """
    from accounts.models import Team
    from wallboard.queues.models import Queue

    half = [str(number) for number in Queue.objects.filter(domain=domain).values_list("number", flat=True)][::2]
    return {
        "": report_requests.signed_in(domain, "901"),
        " with a limit": report_requests.signed_in(domain, "902", only_queues=["5001", "5002"]),
        " with a limit to half of the queues": report_requests.signed_in(domain, "905", only_queues=half),
        " of a team": report_requests.signed_in(domain, "904", only_team=Team.objects.filter(domain=domain).first()),
    }


def _counted(tables: dict[Any, str], since: datetime) -> int:
    return sum(table.objects.filter(**{f"{column}__gte": since}).count() for table, column in tables.items())


def _within(line: results.Line, took: float, goal: float, foreign: float) -> results.Line:
    verdict, bound = results.judged(took, None, goal)
    return results.Line(line.what, line.measured, line.baseline, line.ratio, f"{bound} ms", foreign, verdict)


def log(domain: Any, today: datetime, goal: float) -> Iterable[results.Line]:
    """The call log by what people look for."""
    client = report_requests.signed_in(domain, "903")
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
    addresses = {f"call log by {name}": f"/calls/?{query}" for name, query in looks.items()}
    yield from report_requests.bounded(client, addresses, goal)


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


def sizes(vendor: str) -> Iterable[results.Line]:
    """What each table takes on disk, with its indexes."""
    from django.db import connection

    if vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute("SELECT pg_total_relation_size(%s), reltuples FROM pg_class WHERE relname = %s", [table] * 2)
            size, rows = cursor.fetchone()
            yield results.bounded(f"{table}, {rows:,.0f} rows", size / 1e6, "MB")


def measure(options: Namespace, vendor: str) -> list[results.Line]:
    """All figures, in the database that the environment names."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
    django.setup()
    from django.conf import settings
    from django.db import connections
    from django.utils import timezone

    from accounts import company_day

    settings.ALLOWED_HOSTS = ["*"]
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    lines: list[results.Line] = []
    domain = report_rows.company(options, vendor)
    today = company_day.start(domain, timezone.now())
    people = viewers(domain)
    if not options.only:
        lines += report_rows.add_up(domain, options)
    if options.build is None:
        if not options.only or SHOW_FORECAST & set(options.only):
            report_rows.look_ahead(domain)
        goal = PAGE_GOAL_MS if vendor == "postgresql" else SQLITE_GOAL_MS
        log_goal = LOG_GOAL_MS if vendor == "postgresql" else SQLITE_GOAL_MS
        parts: dict[str, Callable[[], Iterable[results.Line]]] = {
            "pages": lambda: pages(people, today, goal),
            "sections": lambda: sections(people[""], today, goal),
            "ahead": lambda: ahead(domain, people[""], goal),
            "own": lambda: own(domain, goal),
            "log": lambda: log(domain, today, log_goal),
            "sheet": sheet,
            "sizes": lambda: sizes(vendor),
        }
        for name, part in parts.items():
            if not options.only or name in options.only:
                lines += part()
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
    parser.add_argument("--keep", type=Path, help="a folder in which the database stays, to be measured again")
    parser.add_argument("--build", type=float, help="only make it and add up for so many seconds; again to go on")
    parser.add_argument("--only", nargs="*", choices=PARTS, help="measure only these parts, of what is added up")
    options = parser.parse_args()
    if options.quick:
        options.scale, options.days = 0.002, 95
    programs = postgres.programs()
    with ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-reports-")))
        folder.mkdir(exist_ok=True)
        if options.sqlite or programs is None:
            vendor, url = "sqlite", f"sqlite:///{folder / 'bench.sqlite3'}"
        else:
            folder.chmod(0o711)  # the server runs as another user
            server = postgres.postgres_in(folder / "server", programs, *SERVER_SETTINGS)
            vendor, url = "postgresql", stack.enter_context(server)
        os.environ["DATABASE_URL"] = url
        return results.tell(measure(options, vendor))


if __name__ == "__main__":
    sys.exit(main())
