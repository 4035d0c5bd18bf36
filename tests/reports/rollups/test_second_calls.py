"""Who called more than once in any days, added up from what each day knows, is what the lists of callers tell."""

from datetime import date, datetime, timedelta
from random import Random

import pytest

from accounts import limits
from accounts.models import Domain
from tests.reports.rollups.some_days import AFTER, FIRST, Asked, agree, make, periods, viewer
from tests.reports.rollups.test_call_sums import NINE, TEAMS
from wallboard.reports import day_figures
from wallboard.reports.models import QueueCallDay, QueueCallSum
from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.rollups import queue_sums, repeat_callers, rolling, second_calls
from wallboard.reports.rollups.repeat_callers import Callers
from wallboard.reports.service import by_queue, rules

A_DAY = timedelta(days=1)


def some_days(chance: Random, count: int) -> list[list[QueueCall]]:
    """Callers of few numbers, some of whose calls came on two days that follow each other."""

    def call(day: int, place: int) -> QueueCall:
        caller = chance.choice(("+4930901820", "anonymous", f"+493090{chance.randrange(40)}"))
        people = frozenset(chance.sample(("101", "102", "103"), chance.randrange(3)))
        came = day - (place == 0)  # the first one goes on from the day before
        call_id = f"{came} {0 if place == 0 else chance.randrange(6) - 5 * (place == 1)}"
        return QueueCall("501", NINE + day * A_DAY, 5.0, True, caller=caller, people=people, call_id=call_id)

    return [[call(day, place) for place in range(chance.randrange(7))] for day in range(count)]


def known(days: list[Callers], first: date) -> list[tuple[date, bytes]]:
    """What each of these days knows, as it is stored."""
    found = []
    for place, day in enumerate(days):
        before = {ago: days[place - ago] for ago in range(1, min(place, second_calls.DAYS - 1) + 1)}
        found.append((first + place * A_DAY, second_calls.pack(second_calls.of(day, before, len(TEAMS)))))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_any_days_tell_what_their_lists_of_callers_tell(seed: int) -> None:
    days = [repeat_callers.of(calls, TEAMS) for calls in some_days(Random(seed), 24)]
    stored = known(days, FIRST)
    totals = [0] * (len(TEAMS) + 1)

    for first in range(len(days)):
        for last in range(first, len(days)):
            counted = repeat_callers.count(days[first : last + 1], Callers(), len(TEAMS))
            assert second_calls.added(stored[first : last + 1], len(TEAMS)) == counted
            totals = [total + count for total, count in zip(totals, counted, strict=True)]
    assert min(totals) > 0


def test_days_that_do_not_follow_each_other_are_not_added_up() -> None:
    stored = known([Callers()] * (second_calls.DAYS + 1), FIRST)

    assert second_calls.added(stored[:-1], len(TEAMS)) == [0, 0, 0]
    assert second_calls.added(stored, len(TEAMS)) is None
    assert second_calls.added([*stored[:2], *stored[3:5]], len(TEAMS)) is None


def test_a_report_is_no_longer_than_what_a_day_knows() -> None:
    assert second_calls.DAYS >= day_figures.MAX_DAYS


def levels(domain: Domain, when: datetime = AFTER) -> list[object]:
    by = rules.rules(domain.pk)
    found = [by_queue.of(Asked(viewer(domain), domain, each), by, most=0) for each in periods(domain)]
    assert any(told.repeated for each in found for _who, told, _standing in each.rows)
    return [(each.rows, each.teams) for each in found]


def test_no_list_of_callers_is_read(domain: Domain) -> None:
    make(domain, Random(3))
    rolling.roll(domain, AFTER)
    before = levels(domain)
    agree(domain)

    QueueCallSum.objects.update(callers=b"")

    assert levels(domain) == before


def test_the_lists_are_read_until_the_worker_has_counted_them(domain: Domain) -> None:
    make(domain, Random(3))
    rolling.roll(domain, AFTER)
    before = levels(domain)

    QueueCallSum.objects.update(again=b"")
    QueueCallDay.objects.update(has_again=False)
    assert levels(domain) == before

    rolling.roll(domain, AFTER)
    assert not QueueCallDay.objects.filter(has_again=False).exists()
    QueueCallSum.objects.update(callers=b"")
    assert levels(domain) == before


@pytest.mark.parametrize("remake", [queue_sums.renew, queue_sums.renew_sets])
def test_a_day_that_is_made_anew_is_counted_anew_with_all_later_ones(domain: Domain, remake: object) -> None:
    make(domain, Random(3))
    rolling.roll(domain, AFTER)
    assert callable(remake)

    remake(domain, FIRST + A_DAY)

    lacking = queue_sums.without_again(domain)
    assert lacking[-1] == FIRST + A_DAY
    assert lacking == list(QueueCallDay.objects.filter(day__gt=FIRST).order_by("-day").values_list("day", flat=True))


def test_later_days_follow_when_a_call_of_an_earlier_one_goes(domain: Domain) -> None:
    make(domain, Random(3))
    rolling.roll(domain, AFTER)
    row = QueueCallDay.objects.get(day=FIRST)
    QueueCallDay.objects.filter(pk=row.pk).update(stamp="of another definition")

    rolling.roll(domain, AFTER)

    assert not queue_sums.without_again(domain)
    agree(domain)


def test_a_day_of_other_teams_than_those_of_now_is_not_counted(domain: Domain) -> None:
    make(domain, Random(3))
    rolling.roll(domain, AFTER)
    queue_sums.renew(domain, FIRST)

    limits.save_team(domain, "New", ("101", "103"))
    queue_sums.count_again(domain, FIRST)

    assert FIRST in queue_sums.without_again(domain)
    rolling.roll(domain, AFTER)
    assert not queue_sums.without_again(domain)
    agree(domain)


def test_a_day_that_the_release_before_has_written_stops_no_other(domain: Domain) -> None:
    make(domain, Random(3))
    rolling.roll(domain, AFTER)
    queue_sums.renew(domain, FIRST + A_DAY)
    QueueCallSum.objects.filter(of_day__day=FIRST).update(callers=b"", again=b"")

    queue_sums.count_again(domain, FIRST + A_DAY)

    assert FIRST + A_DAY not in queue_sums.without_again(domain)
