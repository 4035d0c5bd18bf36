"""Sums of the calls of a day by queue and team: made where the calls are kept, and read for any days and queues.

A page over many days reads few rows and adds. Days without sums that hold are read call by call, and come to the same.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet, Sum

from accounts.models import Domain
from wallboard.reports.models import QueueCallDay, QueueCallSum
from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.rollups import call_sums, repeat_callers, second_calls, sum_keys, sums_of_sets
from wallboard.reports.rollups.call_sums import CallSums
from wallboard.reports.rollups.packed import unpack
from wallboard.reports.rollups.sum_keys import Members

EVERYBODY, ALL = "", ""  # of the columns team and number
OF_MANY = Q(number=ALL) | Q(number__startswith=sums_of_sets.OF_SET)  # rows of queues together
AT_ONCE, DAYS_AT_ONCE = 1000, 31
A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class OfQueues:
    """Calls of queues over some time: of whole days as sums, and the rest call by call.

    `days` are the keys of the days in their order, `all_shown` the queues that the sums of all of them are of, and
    `teams` the teams that there are sums of.
    """

    days: Sequence[int] = ()
    calls: Sequence[QueueCall] = ()
    all_shown: frozenset[str] = field(default_factory=frozenset)
    teams: frozenset[Members] = field(default_factory=frozenset)

    def offered(self, numbers: Collection[str]) -> dict[str, int]:
        """How many calls came to each of these queues; only those with any."""
        found: dict[str, int] = defaultdict(int)
        rows = QueueCallSum.objects.filter(of_day__in=self.days, team=EVERYBODY, number__in=numbers)
        for number, count in rows.values_list("number").annotate(Sum("offered")).order_by():
            found[number] += count
        for call in self.calls:
            if call.queue in numbers:
                found[call.queue] += 1
        return dict(found)

    def of(self, numbers: Collection[str], members: Members | None = None) -> dict[str, list[CallSums]]:
        """The sums of each of these queues with calls; of a team only of calls that rang at a phone of its people."""
        found: dict[str, list[CallSums]] = defaultdict(list)
        team = EVERYBODY if members is None else sum_keys.team_key(members)
        if numbers:
            rows = QueueCallSum.objects.filter(of_day__in=self.days, team=team, number__in=numbers)
            for number, stored in rows.values_list("number", "sums"):
                found[number].append(call_sums.unpack(stored))
        rest = [call for call in self.calls if call.queue in numbers]
        rung = [call for call in rest if members is None or not members.isdisjoint(call.people)]
        for number, sums in call_sums.by_queue(rung).items():
            found[number].append(sums)
        return dict(found)

    def together(self, numbers: frozenset[str]) -> sums_of_sets.Queues | None:
        """The calls of these queues together, where there are such sums: of all shown ones, and of those of a limit."""
        key = ALL if numbers == self.all_shown else sums_of_sets.set_key(numbers)
        rows = QueueCallSum.objects.filter(of_day__in=self.days, team=EVERYBODY, number=key).order_by("of_day__day")
        found = list(rows.values_list("of_day__day", "sums", "again", "of_day__has_again"))
        if len(found) < len(self.days):
            return None
        teams = sums_of_sets.in_order(self.teams)
        calls = [call for call in self.calls if call.queue in numbers]
        again = None
        if not calls and all(has_again for *_, has_again in found):
            again = second_calls.added([(day, bytes(stored)) for day, _sums, stored, _ in found], len(teams))
        if again is None:
            again = repeat_callers.count(_callers(rows), repeat_callers.of(calls, teams), len(teams))
        parts = [*(sums_of_sets.unpack(sums) for _, sums, *_ in found), sums_of_sets.of(calls, numbers, teams)]
        return sums_of_sets.Queues(parts, [sum_keys.team_key(members) for members in teams], again)


def keep(domain: Domain, row: QueueCallDay, calls: Sequence[QueueCall]) -> None:
    """Make the sums of that day anew, inside a transaction."""
    numbers, teams = sum_keys.queues(domain), sum_keys.teams(domain)
    made = [*_sums(row, calls, EVERYBODY), _together(row, calls, ALL, numbers, teams)]
    for members in teams:
        rung = [call for call in calls if not members.isdisjoint(call.people)]
        made += _sums(row, rung, sum_keys.team_key(members))
    QueueCallSum.objects.filter(of_day=row).delete()
    QueueCallSum.objects.bulk_create(made, AT_ONCE)
    made_for = sum_keys.of_row(row.stamp, sum_keys.sums_key(numbers, teams))
    QueueCallDay.objects.filter(pk=row.pk).update(sums_stamp=made_for)
    _forget_again(row)
    _keep_sets(domain, row, calls)


def renew(domain: Domain, day: date) -> None:
    """Make the sums of that day anew from the calls that are kept of it."""
    with transaction.atomic():
        row = QueueCallDay.objects.select_for_update().filter(domain=domain, day=day).first()
        if row is not None:
            keep(domain, row, unpack(row.calls, list[QueueCall]))


def renew_sets(domain: Domain, day: date) -> None:
    """The same of the queues of limits alone."""
    with transaction.atomic():
        row = QueueCallDay.objects.select_for_update().filter(domain=domain, day=day).first()
        if row is not None:
            _forget_again(row)
            _keep_sets(domain, row, unpack(row.calls, list[QueueCall]))


def without_again(domain: Domain) -> list[date]:
    """The days of which it is not known who called again on them, the newest first."""
    rows = QueueCallDay.objects.filter(domain=domain, has_again=False).order_by("-day")
    return list(rows.values_list("day", flat=True))


def count_again(domain: Domain, day: date) -> None:
    """Count who called again on that day, of all queues and of each limit; not where the day is to be made anew."""
    with transaction.atomic():
        # Whoever makes an earlier day anew says of this one that it is not known, and waits for this lock to do so.
        rows = QueueCallDay.objects.select_for_update().filter(domain=domain, day=day)
        row = rows.only("stamp", "sums_stamp").first()
        teams = sum_keys.teams(domain)
        # The bits of callers are of the teams that there were: counted for others they would be somebody else's.
        made_for = sum_keys.sums_key(sum_keys.queues(domain), teams)
        if row is None or row.sums_stamp != sum_keys.of_row(row.stamp, made_for):
            return
        for each in QueueCallSum.objects.filter(OF_MANY, of_day=row, team=EVERYBODY).defer("sums"):
            earlier = _earlier(domain, day, each.number)
            counts = second_calls.of(repeat_callers.unpack(each.callers), earlier, len(teams))
            QueueCallSum.objects.filter(pk=each.pk).update(again=second_calls.pack(counts))
        QueueCallDay.objects.filter(pk=row.pk).update(has_again=True)


def _earlier(domain: Domain, day: date, number: str) -> dict[int, repeat_callers.Callers]:
    first = day - (second_calls.DAYS - 1) * A_DAY
    rows = QueueCallSum.objects.filter(of_day__domain=domain, of_day__day__gte=first, of_day__day__lt=day)
    found = rows.filter(team=EVERYBODY, number=number).values_list("of_day__day", "callers")
    return {(day - earlier).days: repeat_callers.unpack(callers) for earlier, callers in found}


def _forget_again(row: QueueCallDay) -> None:
    """Who called again on that day, and on each later one, rests on the callers of that day."""
    last = row.day + (second_calls.DAYS - 1) * A_DAY
    later = QueueCallDay.objects.filter(domain=row.domain_id, day__gte=row.day, day__lte=last)
    later.filter(has_again=True).update(has_again=False)


def _callers(rows: QuerySet[QueueCallSum]) -> list[repeat_callers.Callers]:
    """The callers of these rows. Not with a cursor of the server: it would copy what is large once more."""
    keys = list(rows.values_list("pk", flat=True))
    found: list[repeat_callers.Callers] = []
    for begin in range(0, len(keys), DAYS_AT_ONCE):
        some = rows.filter(pk__in=keys[begin : begin + DAYS_AT_ONCE]).values_list("callers", flat=True)
        found += map(repeat_callers.unpack, some)
    return found


def _keep_sets(domain: Domain, row: QueueCallDay, calls: Sequence[QueueCall]) -> None:
    numbers, teams, limited = sum_keys.queues(domain), sum_keys.teams(domain), sum_keys.queues_of_limits(domain)
    sets = sums_of_sets.sets(limited, numbers)
    QueueCallSum.objects.filter(of_day=row, team=EVERYBODY, number__startswith=sums_of_sets.OF_SET).delete()
    QueueCallSum.objects.bulk_create(_together(row, calls, key, some, teams) for key, some in sets.items())
    made_for = sum_keys.of_row(row.stamp, sums_of_sets.sets_key(limited, numbers))
    QueueCallDay.objects.filter(pk=row.pk).update(sets_stamp=made_for)


def _sums(row: QueueCallDay, calls: Sequence[QueueCall], team: str) -> Iterable[QueueCallSum]:
    """A row for each queue."""
    for number, sums in call_sums.by_queue(calls).items():
        yield QueueCallSum(of_day=row, team=team, number=number, offered=sums.waits.offered, sums=call_sums.pack(sums))


def _together(
    row: QueueCallDay, calls: Sequence[QueueCall], key: str, numbers: frozenset[str], teams: Iterable[Members]
) -> QueueCallSum:
    found = sums_of_sets.of(calls, numbers, teams)
    callers = repeat_callers.of((call for call in calls if call.queue in numbers), sums_of_sets.in_order(teams))
    return QueueCallSum(
        of_day=row,
        team=EVERYBODY,
        number=key,
        offered=sum(found.offered.values()),
        sums=sums_of_sets.pack(found),
        callers=repeat_callers.pack(callers),
    )
