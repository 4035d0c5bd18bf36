"""How bench.reports asks for pages, as people do who are signed in."""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from statistics import median
from typing import Any

from bench import results
from bench.machine import Watch, our_seconds

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


def report_of(today: datetime, days: int) -> str:
    """The address of the report of so many days before today."""
    last = today.date() - timedelta(days=1)
    return f"/reports/?first={last - timedelta(days=days - 1)}&last={last}"


def bounded(client: Any, looks: Mapping[str, str], goal: float | None) -> Iterable[results.Line]:
    """How long each of these addresses takes, judged by the goal where there is one."""
    for name, address in looks.items():
        watch = Watch()
        took, cpu = timed(partial(asked, client, address))
        yield results.bounded(f"{name}{cpu}", took, "ms", at_most=goal, foreign=watch.foreign())


def signed_in(domain: Any, extension: str, role: str = "supervisor", **limit: Any) -> Any:
    """A client of that person, who is made where nobody has that extension's sign-in."""
    from django.test import Client

    from accounts.models import Person, User

    user, is_new = User.objects.get_or_create(username=extension)
    if is_new:
        values = {"user": user, "role": role, **limit}
        Person.objects.update_or_create(domain=domain, extension=extension, defaults=values)
    client = Client()
    client.force_login(user)
    return client


def asked(client: Any, address: str) -> None:
    """Ask, and read the answer to its end: a sheet is made while it is read."""
    answer = client.get(address)
    for _piece in answer:
        pass
    assert answer.status_code == 200, (address, answer.status_code)
