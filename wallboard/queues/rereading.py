"""Waits that were read in a wrong unit: read again where the provider's answers are kept, else taken back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, F, When

from accounts.models import Domain
from wallboard.live import feeds
from wallboard.queues import figures, past_changes
from wallboard.queues.hours import calendar
from wallboard.queues.models import PastChange, PollState, Reading, Sample
from wallboard.queues.targets import levels
from wallboard.telephony.resources import QueueStats

AT_ONCE = 200
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Held:
    """From when until when the waits were in that unit, and were read in it."""

    unit: str
    since: datetime
    until: datetime


def reread(domain: Domain, held: Sequence[Held]) -> None:
    """Take the waits of readings and samples to be in the company's unit, but for the times in which another one held.

    Before the first of those it held as well. Samples are made anew as far as answers are kept; older ones lose waits.
    """
    with transaction.atomic():
        # Neither samples of what is read now nor readings in the unit of before come in between.
        PollState.lock_all([domain.pk])
        begin = _read_again(domain, held)
        samples = Sample.objects.filter(queue__domain=domain)
        if begin is not None:
            whole = begin.replace(second=0, microsecond=0) + MINUTE
            PollState.objects.filter(domain=domain, rolled_until__gt=whole).update(rolled_until=whole)
            samples = samples.filter(minute__lt=whole)
        for place, each in enumerate(held):
            samples = samples.exclude(minute__lt=each.until, **({"minute__gte": each.since} if place else {}))
        unknown = Case(When(most_waiting=0, then=F("longest_wait_seconds")), default=None)
        samples.update(longest_wait_seconds=unknown, average_wait_seconds=None)
        past_changes.note_all(domain, PastChange.Kind.SAMPLES)


def _read_again(domain: Domain, held: Sequence[Held]) -> datetime | None:
    """Make figures of the stored answers anew, judged by the targets of now; gives when the first of them was read."""
    standards, schedule, hidden = levels.standards(domain.pk), calendar.schedule(domain), domain.hidden_waits.split()
    begin, changed = None, []
    for reading in Reading.objects.filter(domain=domain, raw__isnull=False).order_by("read_at").iterator(AT_ONCE):
        begin = begin or reading.read_at
        unit = next((each.unit for each in held if each.since <= reading.read_at < each.until), domain.wait_unit)
        answer = [QueueStats(number, *row) for number, row in (reading.raw or {}).items()]
        at = feeds.milliseconds(reading.read_at)
        reading.figures = figures.merged({}, answer, unit, standards, 0, at, schedule, hidden).reading
        changed.append(reading)
    Reading.objects.bulk_update(changed, ["figures"], AT_ONCE)
    return begin
