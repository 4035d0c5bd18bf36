"""How long the webhook takes to answer while what is past its time is deleted, beside just before.

One web process with PostgreSQL and Redis on one core, as everywhere here. Old legs, deliveries and samples are made in
the database, then events are posted at a steady pace: some seconds with nothing else going on, then while another
process runs the functions that the worker runs every hour, again and again.

python -m bench.pruning [--old 300000] [--seconds 20]; exit status 1 where the goal is missed.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

import requests

from bench import results
from bench.installation import Installation, manage, running_installation
from bench.machine import SERVER_CORE, Watch, pinned
from bench.traffic import events
from wallboard.demo.processes import BASE_DIR

PER_SECOND, GOAL = 20, 1.5
PRUNE = """
from wallboard.calls import sweeping
from wallboard.queues import retention
sweeping.delete_expired()
retention.forget_old()
"""
MAKE = """
from django.db import connection
from accounts.models import Domain
from wallboard.queues.models import Queue
domain = Domain.objects.get()
queue = Queue.objects.create(domain=domain, number="990099").pk
with connection.cursor() as cursor:
    cursor.execute('''INSERT INTO queues_sample (queue_id, minute, readings, waiting, most_waiting, watch_seconds,
        late_seconds, nobody_seconds)
        SELECT %s, now() - interval '800 days' + n * interval '1 minute', 12, 0, 0, 0, 0, 0
        FROM generate_series(1, %s) n''', [queue, min({old}, 500000)])
    cursor.execute('''INSERT INTO calls_leg (domain_id, from_call_id, to_call_id, by_call_id, from_state,
        from_number, from_user, from_domain, from_name, to_state, to_number, to_user, to_domain, to_name, started_text,
        answered_text, ranks, queue, caller_e164, first_seen_at, ended_at, heard_at, is_answered,
        has_record, is_unconfirmed, version)
        SELECT %s, 'old-' || n, 'leg-' || n, '', 'ended', '', '', '', '', 'ended', '', '101', '', '', '', '', '1', '',
        '', now() - interval '500 days' + n * interval '1 second',
        now() - interval '499 days' + n * interval '1 second', now(), false, false, false, 1
        FROM generate_series(1, %s) n''', [domain.pk, {old}])
    cursor.execute("ANALYZE")
"""


def p99_ms(site: Installation, seconds: float, run: str) -> tuple[float, float]:
    """The 99th percentile of the answers while events come at the pace, and the foreign load meanwhile."""
    bodies, took = events(10, 50, run), []
    watch, began = Watch(), time.perf_counter()
    with requests.Session() as session:
        for number in range(round(PER_SECOND * seconds)):
            time.sleep(max(0.0, began + number / PER_SECOND - time.perf_counter()))
            asked = time.perf_counter()
            answer = session.post(f"http://127.0.0.1:{site.port}{site.hook}", next(bodies), timeout=20)
            assert answer.status_code == 204, answer.text
            took.append(1000 * (time.perf_counter() - asked))
    return quantiles(took, n=100)[98], watch.foreign()


def main() -> int:
    """Make, measure, tell."""
    options = results.options(__doc__, old=(300_000, 20_000), seconds=(20.0, 5.0))
    with tempfile.TemporaryDirectory(prefix="bench-pruning-") as folder, running_installation(Path(folder)) as site:
        manage(site.env, "shell", "-v", "0", "-c", MAKE.format(old=options.old))
        p99_ms(site, 3, "warm")
        before, _foreign = p99_ms(site, options.seconds, "before")
        with pinned(SERVER_CORE):
            command = [sys.executable, str(BASE_DIR / "manage.py"), "shell", "-v", "0", "-c", PRUNE]
            pruning = subprocess.Popen(command, env=site.env, cwd=BASE_DIR)
        during, foreign = p99_ms(site, options.seconds, "during")
        is_over = pruning.poll() is not None
        began = time.perf_counter()
        pruning.wait(600)
        rest = time.perf_counter() - began
    what = f"webhook's 99th percentile while {options.old:,} legs and samples go; before"
    line = results.compared(what, during, before, "ms", at_most=GOAL, foreign=foreign)
    ended = "within that time" if is_over else f"{rest:.0f} s after it"
    return results.tell([line, results.Line("  pruning ended", ended, "", "", "", None, results.TOLD)])


if __name__ == "__main__":
    sys.exit(main())
