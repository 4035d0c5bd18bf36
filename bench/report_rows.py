"""The company of bench.reports: made once in the database that is there, and added up, in one run or in several."""

import time
from argparse import Namespace
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from bench import results
from bench.rows import PEOPLE, make

TEAMS = 12
FIRM = {"queue_legs": "user", "caller_ids": "shared", "queue_leg_answered": "answered", "missing_events": "few"}
LOOKS_AHEAD = 20  # runs of the forecast, each of which counts four days of the past
LONG = 3600.0


def company(options: Namespace, vendor: str) -> Any:
    """The company with everything that was measured and told of it; as it is where it was made before."""
    from django.core.management import call_command
    from django.utils import timezone

    from accounts import company_day
    from accounts.models import Domain, Person
    from wallboard.calibration import findings

    call_command("migrate", verbosity=0)
    # Its name is the sign that nothing lacks: a run that was cut short begins again.
    if found := Domain.objects.filter(slug="bench", name="bench").first():
        return found
    _empty()
    domain = Domain.objects.create(
        slug="bench", name="half made", base_url="http://p.test", client_id="c", client_secret="s", country="DE"
    )
    Person.objects.bulk_create(Person(domain=domain, extension=str(101 + n)) for n in range(PEOPLE))
    for question, answer in FIRM.items():
        findings.overrule(domain, question, answer, None)
    _teams(domain)
    today = company_day.start(domain, timezone.now())
    began = time.perf_counter()
    samples, legs = make(options, vendor, domain.pk, today - timedelta(days=options.days - 0.4))
    alerts = _alerts(domain, today, min(options.sample_days, options.days))
    took = time.perf_counter() - began
    print(f"{samples:,} samples, {legs:,} legs and {alerts:,} alerts made in {took:.0f} s", flush=True)
    domain.name = "bench"
    domain.save()
    return domain


def add_up(domain: Any, options: Namespace) -> Iterable[results.Line]:
    """Days added up, as the worker does it."""
    from django.utils import timezone

    from wallboard.reports.rollups import rolling

    began = time.perf_counter()
    seconds = LONG if options.build is None else options.build
    rolled = rolling.roll(domain, timezone.now(), seconds=seconds)
    if rolled:
        took = time.perf_counter() - began
        yield results.bounded(f"adding up {rolled} parts of days, each", 1000 * took / rolled, "ms")


def look_ahead(domain: Any) -> None:
    """Past days counted for the forecast, and the next hour forecast, so that pages show it."""
    from wallboard.forecast import forecasting

    for _ in range(LOOKS_AHEAD):
        forecasting.update(domain)


def _empty() -> None:
    """Nothing of a run that was cut short, whose tables may lack keys and indexes."""
    from django.core.management import call_command
    from django.db import connection

    from accounts.models import Domain

    if Domain.objects.exists() and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA public CASCADE")
            cursor.execute("CREATE SCHEMA public")
        call_command("migrate", verbosity=0)


def _teams(domain: Any) -> None:
    """Everybody is in one of some teams."""
    from accounts.models import Person, Team

    people = list(Person.objects.filter(domain=domain).order_by("extension"))
    for place in range(TEAMS):
        Team.objects.create(domain=domain, name=f"Team {place}").people.set(people[place::TEAMS])


def _alerts(domain: Any, today: datetime, days: int) -> int:
    """An alert a day of each queue; most are acknowledged, and all are over."""
    from wallboard.alerts.models import Alert
    from wallboard.queues.models import Queue

    queues, count = list(Queue.objects.filter(domain=domain)), 0
    for back in range(days):
        made = []
        for place, queue in enumerate(queues):
            raised = today - timedelta(days=back, seconds=(place * 7919 + back * 611953) % 86400)
            taken = raised + timedelta(seconds=(place * 104729 + back) % 400) if (place + back) % 5 else None
            over = raised + timedelta(seconds=400 + (place * 611953 + back) % 3000)
            made.append(
                Alert(
                    domain=domain,
                    subject=queue.number,
                    queue=queue,
                    level="late",
                    worst="late",
                    began_at=raised,
                    raised_at=raised,
                    acknowledged_at=taken,
                    ended_at=over,
                    ended_why="normal",
                )
            )
        count += len(Alert.objects.bulk_create(made))
    return count
