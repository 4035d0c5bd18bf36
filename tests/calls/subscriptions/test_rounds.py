"""Subscriptions of many companies: few queries, nothing written or sent where nothing changed, no herd."""

import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Domain
from accounts.spreading import companies
from accounts.spreading.runner import Job, Outcome, Runner
from tests.calls.conftest import make_subscription
from wallboard.calls.models import EventGap, Subscription
from wallboard.calls.subscriptions import maintenance, missed_events_watch, rounds
from wallboard.calls.webhooks import hook_secrets
from wallboard.live import publish
from wallboard.queues.models import PollState

pytestmark = pytest.mark.django_db


@pytest.fixture
def many(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> list[Domain]:
    """Companies whose subscriptions stand, were looked at a moment ago, and tell of calls."""
    monkeypatch.setattr(rounds, "_published", {})
    made = [
        Domain.objects.create(slug=f"c{n}", name=f"C{n}", base_url="http://one.test", client_id="i") for n in range(12)
    ]
    now = timezone.now()
    for domain in made:
        PollState.objects.create(domain=domain, read_at=now, tried_at=now)
        for kind in ("calls", "cdrs"):
            stands: dict[str, Any] = {"state": "ready", "provider_id": f"{domain.pk}{kind}", "ready_at": now}
            stands |= {"heard_at": now, "checked_at": now, "renewed_at": now, "expires_at": now + timedelta(days=7)}
            make_subscription(domain, kind, f"{kind}-{domain.pk}-0123456789abcdefghijklmnopqrst", **stands)
    return made


@pytest.fixture
def worked_on(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The companies that a check or a look went into, in order."""
    found: list[int] = []
    monkeypatch.setattr(maintenance, "check", lambda domain: found.append(domain.pk))
    monkeypatch.setattr(missed_events_watch, "look", lambda domain: found.append(domain.pk))
    return found


def test_where_all_is_well_nothing_is_written_and_no_company_costs_a_query(
    many: list[Domain], worked_on: list[int]
) -> None:
    with CaptureQueriesContext(connection) as asked:
        rounds.check_all()
        rounds.watch_all()

    assert worked_on == []
    assert len(asked) == 5
    assert all(each["sql"].startswith("SELECT") for each in asked)


def test_the_health_of_all_is_said_in_one_round_trip_and_only_when_it_changes(
    many: list[Domain], worked_on: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[int] = []
    tell_all = publish.tell_all

    def counted(news: Any) -> bool:
        found = list(news)
        said.append(len(found))
        return tell_all(found)

    monkeypatch.setattr(publish, "tell_all", counted)
    rounds.check_all()
    rounds.check_all()
    Subscription.objects.filter(domain=many[3], kind="calls").update(silent_at=timezone.now())
    rounds.check_all()

    assert said == [3 * len(many), 0, 3]


def test_a_health_that_redis_did_not_take_is_said_again(
    many: list[Domain], worked_on: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publish, "tell_all", lambda news: False)
    rounds.check_all()

    assert rounds._published == {}


def test_those_alone_are_checked_that_need_the_provider(many: list[Domain], worked_on: list[int]) -> None:
    vanished, outdated, unpolled, idle, new = many[:5]
    Subscription.objects.filter(domain=vanished, kind="calls").update(state="lost")
    Subscription.objects.filter(domain=outdated, kind="cdrs").update(checked_at=timezone.now() - timedelta(hours=1))
    PollState.objects.filter(domain=unpolled).update(failing_since=timezone.now(), failure="unreachable")
    Domain.objects.filter(pk=idle.pk).update(is_active=False)
    Subscription.objects.filter(domain=new).delete()

    rounds.check_all()

    assert worked_on == [each.pk for each in many[:5]]


def test_those_alone_are_watched_that_may_miss_events_or_have_a_gap(many: list[Domain], worked_on: list[int]) -> None:
    quiet, gap, away = many[:3]
    Subscription.objects.filter(domain=quiet).update(heard_at=timezone.now() - timedelta(minutes=1))
    EventGap.objects.create(domain=gap, since=timezone.now(), reason="silent")
    PollState.objects.filter(domain=away).update(
        failing_since=timezone.now() + timedelta(seconds=1), failure="unreachable"
    )

    rounds.watch_all()

    assert worked_on == [quiet.pk, gap.pk, away.pk]


def test_who_is_quiet_is_watched_only_where_callers_moved_since_what_the_last_event_explains(
    many: list[Domain], worked_on: list[int]
) -> None:
    still, moved, unknown = many[:3]
    heard_at = timezone.now() - timedelta(minutes=20)
    Subscription.objects.filter(domain__in=many[:3]).update(heard_at=heard_at)
    PollState.objects.filter(domain=still).update(moved_at=heard_at + timedelta(seconds=9))
    PollState.objects.filter(domain=moved).update(moved_at=heard_at + timedelta(seconds=10))
    assert PollState.objects.get(domain=unknown).moved_at is None

    rounds.watch_all()

    assert worked_on == [moved.pk, unknown.pk]


def test_copy_of_the_addresses_follows_the_checks_of_a_round(
    many: list[Domain], worked_on: list[int], settings: Any, tmp_path: Path
) -> None:
    settings.SPOOL_DIR = str(tmp_path)
    hook_secrets.save_copy(hook_secrets.from_database())
    Subscription.objects.filter(domain=many[0]).update(
        state="retired", retired_at=timezone.now() - 2 * hook_secrets.OVERLAP
    )
    Subscription.objects.filter(domain=many[1]).update(must_check=True)

    rounds.check_all()

    assert {at.domain_id for at in hook_secrets.load_copy().values()} == {each.pk for each in many[1:]}


def test_trouble_with_one_company_keeps_no_other_waiting(
    many: list[Domain], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    checked: list[int] = []

    def check(domain: Domain) -> None:
        checked.append(domain.pk)
        raise ZeroDivisionError

    monkeypatch.setattr(maintenance, "check", check)
    Subscription.objects.filter(domain__in=many[:2]).update(must_check=True)

    rounds.check_all()

    assert checked == [many[0].pk, many[1].pk]
    caplog.clear()


def test_many_that_are_due_together_are_spread_until_beat_comes_round_again(monkeypatch: pytest.MonkeyPatch) -> None:
    places = Runner("test", 4)
    monkeypatch.setattr(Runner, "is_worker", True)

    few = {companies.delay(places, number, companies.FEW, 10) for number in range(1, 9)}
    many = sorted(companies.delay(places, number, 1000, 10) for number in range(1, 1001))

    assert few == {0}
    assert [sum(second <= each < second + 1 for each in many) for second in range(10)] == pytest.approx(
        [100] * 10, abs=3
    )


@pytest.mark.parametrize(
    ("failed_for", "again_seconds"), [(3.0, 3.0), (rounds.CHECK_SECONDS + 1.0, None), (-1.0, None), (None, None)]
)
def test_what_failed_is_tried_again_before_beat_comes_round(
    many: list[Domain], monkeypatch: pytest.MonkeyPatch, failed_for: float | None, again_seconds: float | None
) -> None:
    planned: list[tuple[Runner, Job, float]] = []
    monkeypatch.setattr(Runner, "plan", lambda *planning: planned.append(planning))
    monkeypatch.setattr(maintenance, "check", lambda domain: failed_for)
    monkeypatch.setattr(missed_events_watch, "look", lambda domain: failed_for)
    Subscription.objects.filter(domain=many[3]).update(must_check=True)
    EventGap.objects.create(domain=many[3], since=timezone.now(), reason="silent")

    rounds.check_all()
    rounds.watch_all()
    [(_, check, _), (_, look, _)] = planned
    outcomes = check.work(), look.work()
    after_look = [(runner, job.key, seconds, job.work()) for runner, job, seconds in planned[2:]]

    # Of a runner's own job the worker takes the next one from how it ended.
    assert outcomes == (Outcome(again_seconds=again_seconds), Outcome())
    again = Outcome(again_seconds=again_seconds)
    assert after_look == ([] if again_seconds is None else [(rounds.checks, many[3].pk, again_seconds, again)])


def test_slow_work_keeps_nobody_from_being_looked_at(many: list[Domain], monkeypatch: pytest.MonkeyPatch) -> None:
    quick, slow, done, may_end = Runner("test", 4), Runner("test", 4), list[int](), threading.Event()
    monkeypatch.setattr(Runner, "is_worker", True)
    monkeypatch.setattr(companies, "runner", quick)
    monkeypatch.setattr(companies, "counting", slow)
    monkeypatch.setattr("accounts.spreading.phases.phase", lambda domain_id: 0.0)

    companies.each("count", 3, lambda _: may_end.wait(10), is_slow=True)
    companies.each("look", 3, done.append)
    until = time.monotonic() + 10
    while len(done) < len(many) and time.monotonic() < until:
        time.sleep(0.02)
    are_looked_at = sorted(done) == sorted(each.pk for each in many)
    may_end.set()
    monkeypatch.setattr(Runner, "is_ending", True)
    for places in (quick, slow):
        places.drain(time.monotonic() + 5)

    assert are_looked_at


def test_work_for_every_company_is_done_once_by_each_name(many: list[Domain], monkeypatch: pytest.MonkeyPatch) -> None:
    fresh, done = Runner("test", 4), list[int]()
    monkeypatch.setattr(Runner, "is_worker", True)
    monkeypatch.setattr(companies, "runner", fresh)
    # None of them may be over before the others are planned.
    monkeypatch.setattr("accounts.spreading.phases.phase", lambda domain_id: 0.5)

    for _ in range(3):
        companies.each("count", 3, done.append)
    companies.each("other", 3, done.append)
    until = time.monotonic() + 10
    while len(done) < 2 * len(many) and time.monotonic() < until:
        time.sleep(0.02)
    monkeypatch.setattr(Runner, "is_ending", True)
    fresh.drain(time.monotonic() + 5)

    assert sorted(done) == sorted([each.pk for each in many] * 2)
