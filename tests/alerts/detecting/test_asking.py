"""Only companies at which there may be something are looked at, and time alone is enough for that.

That asking overlooks nothing is held by every other test of this folder as well: their looks begin with it (conftest).
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Domain, Person
from accounts.spreading import companies
from tests.alerts.detecting.conftest import Figures, Ring
from wallboard.alerts import tasks
from wallboard.alerts.detecting import looking
from wallboard.alerts.models import Alert, EvaluationState
from wallboard.calls.models import EventGap, Leg, Presence, Subscription
from wallboard.celery import app
from wallboard.queues.models import PollState, Queue

CALM: dict[str, Any] = {"waiting": 0, "available": 3, "agents": 3}


@pytest.fixture
def eager() -> Iterator[None]:
    """Tasks run at once, in this process."""
    app.conf.task_always_eager = app.conf.task_eager_propagates = True
    yield
    app.conf.task_always_eager = app.conf.task_eager_propagates = False


def more_companies(count: int) -> None:
    """Companies whose polls go well and in which nothing happens."""
    made = [Domain(slug=f"c{n}", name=f"C{n}", base_url="http://p.test", client_id="id") for n in range(count)]
    now = timezone.now()
    for domain in Domain.objects.bulk_create(made):
        PollState.objects.create(domain=domain, read_at=now, figures={"501": [1, {"level": "normal", **CALM}]})
        Subscription.objects.create(domain=domain, kind="calls", state="ready", secret_hash=domain.slug, heard_at=now)
        Leg.objects.create(
            domain=domain, from_call_id="a", to_call_id="b", to_user="102", first_seen_at=now, heard_at=now,
            ringing_at=now, active_at=now, is_answered=True,
        )  # fmt: skip


def kinds(domain: Domain) -> list[str]:
    """What a look at the company would be for."""
    return [kind for often in (True, False) for kind in looking.worth([domain.pk], often=often).get(domain.pk, ())]


@pytest.mark.parametrize("task", [tasks.look_often, tasks.look_seldom])
def test_companies_in_which_nothing_happens_cost_no_statement_of_their_own(
    domain: Domain, figures: Figures, task: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures(**CALM)
    looked: list[Domain] = []
    monkeypatch.setattr(looking, "look", lambda domain, _: looked.append(domain))
    with CaptureQueriesContext(connection) as one:
        task()
    more_companies(20)
    with CaptureQueriesContext(connection) as many:
        task()

    assert (len(one), looked) == (len(many), [])
    assert len(many) <= 8


def test_a_company_with_callers_who_wait_is_looked_at_among_many(domain: Domain, figures: Figures, clock: Any) -> None:
    more_companies(20)
    figures(waiting=2, available=0)

    tasks.look_often()

    assert EvaluationState.objects.get().domain == domain


def test_many_companies_are_shared_out_and_each_is_asked_about(
    domain: Domain, figures: Figures, eager: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(companies, "SHARE", 4)
    more_companies(8)
    asked: list[list[int]] = []

    def worth(domain_ids: list[int], *, often: bool) -> dict[int, list[str]]:
        asked.append(domain_ids)
        return {}

    monkeypatch.setattr(looking, "worth", worth)

    tasks.look_often()

    assert sorted(len(share) for share in asked) == [3, 3, 3]
    assert sorted(each for share in asked for each in share) == companies.active()


def test_figures_that_grow_old_are_looked_at_without_any_change(
    domain: Domain, figures: Figures, clock: time_machine.Traveller
) -> None:
    figures(**CALM)
    assert kinds(domain) == []

    clock.shift(timedelta(seconds=13))

    assert kinds(domain) == ["figures"]


def test_a_condition_whose_time_is_reached_raises_without_a_new_poll(
    domain: Domain, figures: Figures, clock: time_machine.Traveller
) -> None:
    figures(waiting=2, available=0)
    Domain.objects.update(poll_seconds=600)  # this one reading is live for twenty minutes
    for _ in range(7):
        tasks.look_often()
        clock.shift(timedelta(seconds=10))

    assert Alert.objects.get(kind="nobody").ended_at is None


def test_what_is_open_is_looked_at_until_it_is_over(
    domain: Domain, figures: Figures, clock: time_machine.Traveller
) -> None:
    figures(**CALM)
    Alert.objects.create(
        domain=domain, kind="nobody", subject="501", level="late", worst="late", began_at=timezone.now(),
        raised_at=timezone.now(),
    )  # fmt: skip

    tasks.look_often()

    assert Alert.objects.get().ended_at is not None
    assert kinds(domain) == []


def test_a_subscription_that_fails_is_looked_at_once_its_end_is_near(
    domain: Domain, events: Subscription, clock: time_machine.Traveller
) -> None:
    now = timezone.now()
    Subscription.objects.update(failing_since=now, failures=3, failure="server", expires_at=now + timedelta(hours=25))
    assert "subscription" not in kinds(domain)

    clock.shift(timedelta(hours=2))

    assert "subscription" in kinds(domain)


def test_each_kind_has_its_sign(
    domain: Domain, figures: Figures, support: Queue, ring: Ring, people: list[Person], clock: time_machine.Traveller
) -> None:
    figures(waiting=1, available=2)
    EventGap.objects.create(domain=domain, since=timezone.now(), reason="silent")
    for _ in range(4):
        ring("102", ago=300, caller_e164="+4930123456")
    Presence.objects.update(overdue_since=timezone.now() - timedelta(minutes=1))

    assert kinds(domain) == ["no_ring", "events", "phone", "status", "callback"]
