"""Reports add up what the worker has added up, whatever queues, teams and limits there are, and read no call for it."""

from datetime import timedelta
from random import Random

import pytest
import time_machine

from accounts import limits
from accounts.limits import Limit
from accounts.models import Domain, Team
from tests.reports.rollups.some_days import (
    AFTER,
    FIRST,
    LIMITS,
    Asked,
    agree,
    counted,
    limit_people,
    make,
    periods,
    viewer,
)
from wallboard.calibration.locks import Ground
from wallboard.queues.models import Queue
from wallboard.reports import person_figures
from wallboard.reports.models import AskedLimit, CallDay, QueueCallDay, QueueCallSum, SampleDay
from wallboard.reports.rollups import asked_limits, days, hours_of_sets, rolling, sum_keys, sums_of_sets
from wallboard.reports.rollups.calls import STAMP
from wallboard.reports.rollups.groups import Group
from wallboard.reports.rollups.packed import pack
from wallboard.reports.service import by_queue, counting, rules
from wallboard.reports.service_level import Rules


def levels_of(domain: Domain) -> object:
    return [counted(domain, each)["levels"] for each in periods(domain)]


def lose_the_calls() -> None:
    """Leave nothing but the sums."""
    QueueCallDay.objects.update(calls=b"")


def test_no_call_is_read_for_the_service_level(domain: Domain) -> None:
    make(domain, Random(1))
    rolling.roll(domain, AFTER)
    asked = [Asked(viewer(domain, limit), domain, each) for each in periods(domain) for limit in LIMITS]
    by = rules.rules(domain.pk)
    before = [by_queue.of(each, by) for each in asked]

    lose_the_calls()

    assert [by_queue.of(each, by) for each in asked] == before
    assert any(each.rows and each.teams for each in before)


def test_no_call_is_read_for_those_with_a_limit(domain: Domain) -> None:
    make(domain, Random(1))
    limit_people(domain)
    rolling.roll(domain, AFTER)
    whole = periods(domain)[0]
    before = [person_figures.by_person(domain, whole, limit) for limit in LIMITS]
    agree(domain)

    CallDay.objects.update(groups=b"")

    assert [person_figures.by_person(domain, whole, limit) for limit in LIMITS] == before


def test_queues_of_a_limit_are_added_up_together(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums_of_sets, "MANY", 1)
    make(domain, Random(1))
    rolling.roll(domain, AFTER)
    limit_people(domain)
    told = agree(domain)
    rolling.roll(domain, AFTER)
    assert rolling.roll(domain, AFTER) == 0
    agree(domain, told)
    whole, by = periods(domain)[0], Rules()
    asked = [Asked(viewer(domain, limit), domain, whole) for limit in LIMITS]
    before = [by_queue.of(each, by, most=0) for each in asked]

    QueueCallSum.objects.exclude(number="").exclude(number__startswith=" ").delete()

    assert [by_queue.of(each, by, most=0) for each in asked] == before
    assert all(each.teams for each in before)


def test_days_are_added_up_for_a_limit_that_a_program_asks_with(domain: Domain) -> None:
    make(domain, Random(2))
    rolling.roll(domain, AFTER)
    whole, of_program = periods(domain)[0], Limit(frozenset({"502"}), frozenset({"101", "103"}))
    before = person_figures.by_person(domain, whole, of_program)
    rolling.roll(domain, AFTER)

    CallDay.objects.update(groups=b"")

    assert person_figures.by_person(domain, whole, of_program) == before
    assert any(each.answered for each in before)
    with time_machine.travel(AFTER + timedelta(days=40), tick=False):
        asked_limits.forget(domain)
    assert not AskedLimit.objects.exists()


def test_days_are_added_up_for_a_limit_that_is_new(domain: Domain) -> None:
    make(domain, Random(2))
    rolling.roll(domain, AFTER)
    stamps = set(CallDay.objects.values_list("limits_stamp", flat=True))

    limit_people(domain)

    told = agree(domain)
    rolling.roll(domain, AFTER)
    assert not stamps & set(CallDay.objects.values_list("limits_stamp", flat=True))
    assert rolling.roll(domain, AFTER) == 0
    agree(domain, told)


def test_another_team_or_queue_counts_at_once_and_is_added_up(domain: Domain) -> None:
    make(domain, Random(3))
    rolling.roll(domain, AFTER)
    before = levels_of(domain)

    limits.save_team(domain, "Service", ["101", "103"], Team.objects.get(name="Service"))
    Queue.objects.filter(domain=domain, number="503").update(is_hidden=False)

    after = levels_of(domain)
    assert after != before
    told = agree(domain)
    rolling.roll(domain, AFTER)
    assert rolling.roll(domain, AFTER) == 0
    agree(domain, told)
    lose_the_calls()
    assert levels_without_calls(domain)
    key = hours_of_sets.made_for(domain)
    assert all(row.shown == sum_keys.of_row(row.stamp, key) for row in SampleDay.objects.all())


def levels_without_calls(domain: Domain) -> bool:
    """Whether figures can be told from sums alone."""
    found = by_queue.of(Asked(viewer(domain), domain, periods(domain)[0]), rules.rules(domain.pk))
    return bool(found.rows and found.teams)


def test_times_in_which_something_did_not_hold_are_left_out_of_sums(domain: Domain) -> None:
    make(domain, Random(5))
    rolling.roll(domain, AFTER)
    whole = periods(domain)[0]
    firm = counting.ground(domain.pk)
    entered = sorted(call.entered_at for call in counting.calls(domain, whole, firm))
    gap = (entered[len(entered) // 3], entered[len(entered) // 2])
    with_gap = Ground(firm.locks, firm.answers, firm.overruled, [gap])
    numbers = sum_keys.queues(domain)

    def told() -> tuple[dict[str, int], list[int]]:
        sums = counting.sums(domain, whole, with_gap)
        every = sums.together(numbers)
        assert every is not None
        return sums.offered(numbers), [len(sums.days), every.counts().offered]

    offered, (kept_days, together) = told()
    wanted = [call for call in counting.calls(domain, whole, with_gap) if call.queue in numbers]
    assert (sum(offered.values()), together) == (len(wanted), len(wanted))
    assert len(wanted) < len(entered)
    assert kept_days < len(whole.days)
    QueueCallDay.objects.all().delete()
    assert told()[0] == offered


def test_days_of_an_earlier_release_are_added_up_from_what_is_kept_of_them(domain: Domain) -> None:
    make(domain, Random(6))
    rolling.roll(domain, AFTER)
    want = levels_of(domain)
    QueueCallSum.objects.all().delete()
    QueueCallDay.objects.update(sums_stamp="")
    CallDay.objects.update(limits=None, limits_stamp="")
    SampleDay.objects.update(together=None, shown="")
    SampleDay.objects.filter(day=FIRST).update(together=pack([{"hour": 9, "late": 1}]), shown="of all queues")

    agree(domain)
    assert levels_of(domain) == want
    rolling.roll(domain, AFTER)
    assert rolling.roll(domain, AFTER) == 0
    lose_the_calls()
    assert levels_without_calls(domain)


def test_sums_of_a_row_that_an_earlier_release_wrote_anew_do_not_hold(domain: Domain) -> None:
    make(domain, Random(7))
    limit_people(domain)
    rolling.roll(domain, AFTER)
    # As they were made of the day while it went on: of nothing yet.
    then, numbers = "another stamp", sum_keys.queues(domain)
    QueueCallSum.objects.all().delete()
    QueueCallDay.objects.update(sums_stamp=sum_keys.of_row(then, sum_keys.sums_key(numbers, sum_keys.teams(domain))))
    nothing = pack({sum_keys.of_row(then, sum_keys.queues_key(numbers)): []})
    SampleDay.objects.update(together=nothing, shown=sum_keys.of_row(then, hours_of_sets.made_for(domain)))
    of_limits = {asked_limits.limit_key(limit): Group() for limit in LIMITS[1:]}
    limits_stamp = sum_keys.of_row(then, sum_keys.limits_key(sum_keys.limits_of(domain)))
    CallDay.objects.update(limits=pack({**of_limits, STAMP: then}), limits_stamp=limits_stamp)

    told = agree(domain)
    rolling.roll(domain, AFTER)
    assert rolling.roll(domain, AFTER) == 0
    agree(domain, told)
    lose_the_calls()
    assert levels_without_calls(domain)


def test_sums_go_with_their_day(domain: Domain) -> None:
    make(domain, Random(1))
    rolling.roll(domain, AFTER)
    assert QueueCallSum.objects.filter(of_day__day=FIRST).exists()

    domain.log_kept_days = 3
    rolling.roll(domain, AFTER)

    assert not QueueCallSum.objects.filter(of_day__day=FIRST).exists()


def test_a_page_decodes_what_phones_did_once(domain: Domain) -> None:
    make(domain, Random(1))
    rolling.roll(domain, AFTER)
    whole = periods(domain)[0]

    with days.for_page():
        first = counted(domain, whole)
        CallDay.objects.update(everything=b"")
        assert counted(domain, whole)["people"][0] == first["people"][0]


def test_few_rows_of_the_worst_are_shown_and_all_are_counted(domain: Domain) -> None:
    make(domain, Random(1))
    rolling.roll(domain, AFTER)
    asked, by = Asked(viewer(domain), domain, periods(domain)[0]), rules.rules(domain.pk)

    every, few = by_queue.of(asked, by), by_queue.of(asked, by, most=1)

    assert [queue.number for queue, *_rest in every.rows if isinstance(queue, Queue)] == ["501", "502"]
    shown_rows = [queue for queue, *_rest in few.rows if queue is not None]
    top = max((row for row in every.rows if row[0] is not None), key=lambda row: row[1].offered)
    assert shown_rows == [top[0]]
    assert few.rows[-1][:2] == every.rows[-1][:2]
    assert (every.rows_left_out, few.rows_left_out) == (0, 1)


def test_a_limit_to_queues_sees_nothing_of_others_in_sums(domain: Domain) -> None:
    make(domain, Random(1))
    rolling.roll(domain, AFTER)
    only = Asked(viewer(domain, Limit(queues=frozenset({"501"}))), domain, periods(domain)[0])

    found = by_queue.of(only, rules.rules(domain.pk))

    assert {queue.number for queue, *_rest in found.rows if isinstance(queue, Queue)} == {"501"}
    offered = counting.sums(domain, only.period, counting.ground(domain.pk)).offered({"501"})
    assert sum(told.offered for _queue, told, _standing in found.rows) == offered["501"]
