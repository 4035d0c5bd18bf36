"""CPU of each periodic task by itself, in one thread: what docs/scale.md counts with.

Run by `bench.companies`, inside the installation that it prepared, before beat and workers are there.
"""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from accounts.spreading import companies
from wallboard.alerts import lifecycle
from wallboard.calls.subscriptions import rounds
from wallboard.celery import app
from wallboard.queues import polling
from wallboard.queues.models import PollState
from wallboard.queues.rounds import polls

ASIDE = ("poll_queues",)  # in its parts below


def main() -> None:
    """Print {what: [seconds between two of it, CPU milliseconds of one]}; polls and evaluations are of one company."""
    app.loader.import_default_modules()
    ids = companies.active()
    companies.SHARE = len(ids)  # all in this thread, none sent to a worker
    for _ in range(2):  # tokens, queues and connections are made at the first poll
        poll = each(ids, polling.poll_by_id)
        PollState.objects.update(tried_at=None)
    each(ids, polling.poll_by_id)
    found = {"a poll": [5.0, poll], "a poll, of many at once": [5.0, at_once(ids)]}
    found["alerts after a poll"] = [5.0, each(ids, lifecycle.apply_newest)]
    found["finding who is due"] = [settings.POLL_SECONDS, cpu_ms(lambda: polls.due(timezone.now()))]
    rounds.check_all()  # makes the subscriptions
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        task, seconds = entry["task"], entry["schedule"]
        if not task.endswith(ASIDE):
            run = app.tasks[task]
            for _ in range(3):  # the last one counts: a feed is built first, then marked
                PollState.objects.update(
                    read_at=timezone.now()
                )  # nobody polls meanwhile, and old figures are looked at
                found[task.removeprefix("wallboard.")] = [seconds, cpu_ms(run)]
    print("=>", json.dumps(found))


def at_once(ids: list[int]) -> float:
    """CPU milliseconds of a poll where a crowd is read in as many threads as there are places, its alerts included."""
    crowd, polls.CROWD = polls.CROWD, -1

    def poll(domain_id: int) -> None:
        polling.poll_by_id(domain_id)
        lifecycle.apply_newest(domain_id)
        close_old_connections()

    with ThreadPoolExecutor(polls.TOGETHER) as threads:
        for _ in range(2):  # the last one counts: each connection plans its statements first
            PollState.objects.update(tried_at=None)
            found = cpu_ms(lambda: list(threads.map(poll, ids))) / len(ids)
    polls.CROWD = crowd
    return found


def each(ids: list[int], work: Callable[[int], object]) -> float:
    """CPU milliseconds for one of them."""
    return cpu_ms(lambda: [work(each) for each in ids]) / len(ids)


def cpu_ms(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)
