"""Sums of the calls of a day by queue and team: made where the calls are kept, and read for any days and queues.

A page over many days reads few rows and adds. Days without sums that hold are read call by call, and come to the same.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db import transaction
from django.db.models import QuerySet, Sum

from accounts.models import Domain
from wallboard.reports.models import QueueCallDay, QueueCallSum
from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.rollups import call_sums, shown
from wallboard.reports.rollups.call_sums import CallSums
from wallboard.reports.rollups.packed import unpack
from wallboard.reports.rollups.shown import Members

EVERYBODY, ALL = "", ""  # of the columns team and number
AT_ONCE = 1000


@dataclass(frozen=True)
class OfQueues:
    """Calls of queues over some time: of whole days as sums (`days` are their keys), and the rest call by call.

    `all_shown` are the queues that the sums of all of them are of.
    """

    days: Sequence[int] = ()
    calls: Sequence[QueueCall] = ()
    all_shown: frozenset[str] = field(default_factory=frozenset)

    def offered(self, numbers: Collection[str]) -> dict[str, int]:
        """How many calls came to each of these queues; only those with any."""
        found: dict[str, int] = defaultdict(int)
        rows = QueueCallSum.objects.filter(of_day__in=self.days, team=EVERYBODY).exclude(number=ALL)
        for number, count in rows.values_list("number").annotate(Sum("offered")).order_by():
            found[number] += count
        for call in self.calls:
            found[call.queue] += 1
        return {number: count for number, count in found.items() if number in numbers}

    def of(self, numbers: Collection[str], members: Members | None = None) -> dict[str, list[CallSums]]:
        """The sums of each of these queues with calls; of a team only of calls that rang at a phone of its people."""
        found: dict[str, list[CallSums]] = defaultdict(list)
        if numbers:
            rows = self._rows(members).exclude(number=ALL)
            if len(numbers) < len(self.all_shown):
                rows = rows.filter(number__in=numbers)
            for number, stored in rows.values_list("number", "sums").iterator(AT_ONCE):
                if number in numbers:
                    found[number].append(call_sums.unpack(stored))
        for number, sums in call_sums.by_queue(self._of_team(members, numbers)).items():
            found[number].append(sums)
        return dict(found)

    def together(self, members: Members | None = None) -> list[CallSums]:
        """The sums of all shown queues together."""
        rows = self._rows(members).filter(number=ALL).values_list("sums", flat=True)
        found = [call_sums.unpack(stored) for stored in rows.iterator(AT_ONCE)]
        return [*found, call_sums.of(self._of_team(members, self.all_shown))]

    def _rows(self, members: Members | None) -> QuerySet[QueueCallSum]:
        team = EVERYBODY if members is None else shown.team_key(members)
        return QueueCallSum.objects.filter(of_day__in=self.days, team=team)

    def _of_team(self, members: Members | None, numbers: Collection[str]) -> list[QueueCall]:
        of_queues = [call for call in self.calls if call.queue in numbers]
        return [call for call in of_queues if members is None or not members.isdisjoint(call.people)]


def keep(domain: Domain, row: QueueCallDay, calls: Sequence[QueueCall]) -> None:
    """Make the sums of that day anew, inside a transaction."""
    numbers, teams = shown.queues(domain), shown.teams(domain)
    made = [QueueCallSum(of_day=row, team=EVERYBODY, **each) for each in _sums(calls, numbers)]
    for members in teams:
        rung = [call for call in calls if not members.isdisjoint(call.people)]
        made += [QueueCallSum(of_day=row, team=shown.team_key(members), **each) for each in _sums(rung, numbers)]
    QueueCallSum.objects.filter(of_day=row).delete()
    QueueCallSum.objects.bulk_create(made, AT_ONCE)
    made_for = shown.of_row(row.stamp, shown.sums_key(numbers, teams))
    QueueCallDay.objects.filter(pk=row.pk).update(sums_stamp=made_for)


def renew(domain: Domain, day: date) -> None:
    """Make the sums of that day anew from the calls that are kept of it."""
    with transaction.atomic():
        row = QueueCallDay.objects.select_for_update().filter(domain=domain, day=day).first()
        if row is not None:
            keep(domain, row, unpack(row.calls, list[QueueCall]))


def _sums(calls: Sequence[QueueCall], shown_numbers: Collection[str]) -> Iterable[Mapping[str, object]]:
    """The columns of each queue's row and of the one of all shown queues together."""
    found = call_sums.by_queue(calls)
    found[ALL] = call_sums.of([call for call in calls if call.queue in shown_numbers])
    for number, sums in found.items():
        yield {"number": number, "offered": sums.offered, "sums": call_sums.pack(sums)}
