"""Days that were added up tell what their rows tell, to the digit, whatever comes later."""

from datetime import date, timedelta
from random import Random

import pytest
import time_machine
from msgspec.structs import replace

from accounts import leases
from accounts.models import Domain
from tests.reports.rollups.some_days import AFTER, DAYS, FIRST, agree, counted, make, periods
from wallboard.calls import leg_store
from wallboard.calls.legs import facts_of_leg
from wallboard.calls.models import Leg
from wallboard.calls.retention import retention, traces
from wallboard.queues import past_changes, rereading
from wallboard.queues.models import PastChange, Queue, Sample
from wallboard.reports import tasks
from wallboard.reports.models import CallDay, QueueCallDay, QueueDay, QueueHour, SampleDay
from wallboard.reports.rollups import queued, rolling
from wallboard.reports.service import counting, rules
from wallboard.reports.service_level import Rule

SEEDS = range(3)


def days_added_up(domain: Domain) -> list[int]:
    tables = (SampleDay, CallDay, QueueCallDay)
    last = FIRST + timedelta(days=DAYS - 1)
    return [each._default_manager.filter(domain=domain, day__gte=FIRST, day__lte=last).count() for each in tables]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("starts", [0, 4])
def test_days_added_up_tell_what_their_rows_tell(domain: Domain, seed: int, starts: int) -> None:
    Domain.objects.filter(pk=domain.pk).update(day_starts_hour=starts)
    domain.refresh_from_db()
    make(domain, Random(seed))

    rolling.roll(domain, AFTER)

    assert days_added_up(domain) == [DAYS, DAYS, DAYS]
    agree(domain)


@pytest.mark.parametrize("gone", [FIRST, FIRST + timedelta(days=1)])
def test_a_day_that_is_not_added_up_yet_is_counted_from_its_rows(domain: Domain, gone: date) -> None:
    make(domain, Random(7))
    rolling.roll(domain, AFTER)

    for table in (SampleDay, CallDay, QueueCallDay):
        table._default_manager.filter(day=gone).delete()

    agree(domain)


def test_days_go_with_what_they_were_made_of(domain: Domain) -> None:
    make(domain, Random(1))
    rolling.roll(domain, AFTER)

    domain.samples_kept_days, domain.log_kept_days = 400, 3
    rolling.roll(domain, AFTER)
    assert days_added_up(domain) == [DAYS, 1, 1]

    domain.samples_kept_days, domain.log_kept_days = 1, 400
    rolling.roll(domain, AFTER)
    assert days_added_up(domain) == [0, DAYS, DAYS]
    last = FIRST + timedelta(days=DAYS)
    assert not any(table._default_manager.filter(day__lt=last).exists() for table in (QueueHour, QueueDay))


def test_no_row_is_looked_at_once_days_are_added_up(domain: Domain) -> None:
    make(domain, Random(1))
    whole = periods(domain)[0]
    before = counted(domain, whole)
    rolling.roll(domain, AFTER)

    # Not one of them, and the notes of it: whatever is told comes from what was added up.
    first_event = Leg.objects.order_by("first_seen_at").first()
    assert first_event is not None
    Leg.objects.exclude(pk=first_event.pk).delete()
    Sample.objects.all().delete()

    assert counted(domain, whole) == before


def test_news_of_a_call_of_such_a_day_counts(domain: Domain) -> None:
    make(domain, Random(2))
    rolling.roll(domain, AFTER)
    leg = Leg.objects.filter(ended_at=None).exclude(from_call_id="").earliest("first_seen_at")
    over = replace(facts_of_leg(leg), heard_at=AFTER, ended_at=AFTER)

    leg_store.merge_facts(domain, {(leg.from_call_id, leg.to_call_id): over})
    leg_store.merge_facts(domain, {(leg.from_call_id, "another phone"): replace(over, first_seen_at=AFTER)})

    assert PastChange.objects.filter(domain=domain, kind=PastChange.Kind.CALLS).exists()
    told = agree(domain)
    rolling.roll(domain, AFTER)
    assert not PastChange.objects.filter(domain=domain).exists()
    assert days_added_up(domain) == [DAYS, DAYS, DAYS]
    agree(domain, told)


def test_news_of_today_voids_nothing(domain: Domain) -> None:
    make(domain, Random(2))
    told = replace(facts_of_leg(Leg.objects.earliest("pk")), first_seen_at=AFTER, heard_at=AFTER)

    leg_store.merge_facts(domain, {("of today", "a phone"): told})

    assert not PastChange.objects.exists()


def test_waits_that_are_read_in_another_unit_count(domain: Domain) -> None:
    make(domain, Random(3))
    rolling.roll(domain, AFTER)

    rereading.reread(domain, [])

    told = agree(domain)
    rolling.roll(domain, AFTER)
    assert days_added_up(domain) == [DAYS, DAYS, DAYS]
    agree(domain, told)


def test_another_zone_or_hour_makes_other_days(domain: Domain) -> None:
    make(domain, Random(4))
    rolling.roll(domain, AFTER)

    Domain.objects.filter(pk=domain.pk).update(day_starts_hour=6)
    domain.refresh_from_db()

    told = agree(domain)
    rolling.roll(domain, AFTER)
    agree(domain, told)


def test_another_formula_and_other_hours_count_backwards(domain: Domain) -> None:
    make(domain, Random(5))
    rolling.roll(domain, AFTER)

    rules.save(domain, Rule("E", 7, 9), {})
    domain.hours.create(week=[[[480, 1020]]] * 7)

    told = agree(domain)
    rolling.roll(domain, AFTER)
    assert days_added_up(domain) == [DAYS, DAYS, DAYS]
    agree(domain, told)


def test_what_was_erased_is_gone_from_days_added_up(domain: Domain) -> None:
    make(domain, Random(6))
    Leg.objects.filter(domain=domain).update(caller_e164="")
    known = Leg.objects.filter(domain=domain, from_number="+4930901820")
    over = AFTER - timedelta(days=1)
    known.update(caller_e164="+4930901820", ended_at=over, heard_at=over)
    rolling.roll(domain, AFTER)
    trace = traces.of("+4930901820", "DE")
    assert trace is not None

    before = callers(domain)

    retention.erase(domain, trace)

    assert callers(domain) != before
    told = agree(domain)
    rolling.roll(domain, AFTER)
    erased = queued._name(domain, "+4930901820")
    assert erased in before
    assert erased not in callers(domain)
    agree(domain, told)


def callers(domain: Domain) -> set[str]:
    return {call.caller for call in counting.calls(domain, periods(domain)[0], counting.ground(domain.pk))}


def test_callers_are_told_apart_and_named_by_nothing(domain: Domain) -> None:
    make(domain, Random(1))
    rolling.roll(domain, AFTER)

    calls = counting.calls(domain, periods(domain)[0], counting.ground(domain.pk))

    assert any(call.caller for call in calls)
    assert not any(character in call.caller for call in calls for character in "+@")
    assert not any("call" in call.call_id for call in calls)


def test_a_change_while_the_worker_counts_is_not_lost(domain: Domain) -> None:
    make(domain, Random(1))
    past_changes.note_all(domain, PastChange.Kind.CALLS)
    mark = PastChange.objects.get()
    rolling.roll(domain, AFTER)
    past_changes.note_all(domain, PastChange.Kind.CALLS)

    assert PastChange.objects.get().token != mark.token
    rolling.roll(domain, AFTER)
    assert not PastChange.objects.exists()
    assert days_added_up(domain) == [DAYS, DAYS, DAYS]


def test_a_run_that_was_cut_short_is_taken_up_newest_day_first(domain: Domain) -> None:
    make(domain, Random(1))

    assert rolling.roll(domain, AFTER, seconds=0) == 0
    assert rolling.roll(domain, AFTER) > 3 * DAYS
    assert rolling.roll(domain, AFTER) == 0


def test_one_worker_at_a_time(domain: Domain) -> None:
    make(domain, Random(1))
    lease = leases.acquire(f"day figures:{domain.pk}", 60)
    assert lease is not None

    with lease:
        assert rolling.roll(domain, AFTER) == 0


def test_days_past_their_time_are_dropped(domain: Domain) -> None:
    make(domain, Random(1))
    rolling.roll(domain, AFTER)

    Sample.objects.all().delete()
    Leg.objects.all().delete()
    with time_machine.travel(AFTER + timedelta(days=500), tick=False):
        rolling.roll(domain, AFTER + timedelta(days=500))

    assert not QueueDay.objects.exists()
    assert not QueueHour.objects.exists()
    assert days_added_up(domain) == [0, 0, 0]


def test_days_go_with_their_company(domain: Domain) -> None:
    make(domain, Random(1))
    rolling.roll(domain, AFTER)

    Queue.objects.all().delete()
    assert not QueueDay.objects.exists()


def test_of_many_companies_each_has_its_turn_and_changed_days_none_to_wait_for(domain: Domain) -> None:
    ids = [domain.pk, *range(domain.pk + 1, domain.pk + 9)]
    assert rolling.worth(ids[:8], AFTER) == ids[:8], "few wait for nobody"
    minutes = [rolling.worth(ids, AFTER + timedelta(minutes=minute)) for minute in range(rolling.LOOK_MINUTES)]
    assert sorted(pk for minute in minutes for pk in minute) == ids

    past_changes.note_all(domain, PastChange.Kind.CALLS)

    assert all(domain.pk in rolling.worth(ids, AFTER + timedelta(minutes=minute)) for minute in range(2))


def test_a_company_with_more_days_than_one_turn_adds_up_goes_on_soon(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tasks.roll_up_days_of(domain.pk).again_seconds is None

    monkeypatch.setattr(rolling, "LONGEST_RUN_SECONDS", 0.0)

    assert tasks.roll_up_days_of(domain.pk).again_seconds == tasks.GO_ON_SECONDS
