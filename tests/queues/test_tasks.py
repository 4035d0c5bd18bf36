"""The tasks that beat starts: each domain in a task of its own, and only where it is due."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Domain
from tests.queues.conftest import Answer, row
from wallboard.celery import app
from wallboard.queues import samples, tasks
from wallboard.queues.models import PollState, Reading, Sample


@pytest.fixture(autouse=True)
def eager() -> Iterator[None]:
    """Tasks run at once, in this process."""
    app.conf.task_always_eager = app.conf.task_eager_propagates = True
    yield
    app.conf.task_always_eager = app.conf.task_eager_propagates = False


def test_beat_knows_every_task_by_its_name() -> None:
    names = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}

    assert {name for name in names if name.startswith("wallboard.queues.")} <= set(app.tasks)


def test_poll_queues_reads_active_domains_when_they_are_due(domain: Domain, answer: Answer) -> None:
    answer(row("8001", 2))
    Domain.objects.create(slug="idle", name="Idle", base_url="http://idle.test", client_id="i", is_active=False)

    tasks.poll_queues()
    tasks.poll_queues()

    assert PollState.objects.get().domain == domain
    assert Reading.objects.count() == 1


def test_roll_samples_makes_the_minutes(domain: Domain, answer: Answer) -> None:
    answer(row("8001", 2))
    tasks.poll_queues()
    Reading.objects.update(read_at=timezone.now() - timedelta(minutes=2))

    tasks.roll_samples()
    tasks.forget_old()

    assert Sample.objects.get().waiting == 2


def test_only_companies_of_which_a_minute_is_over_are_rolled(domain: Domain, answer: Answer) -> None:
    answer(row("8001", 2))
    tasks.poll_queues()
    assert samples.behind([domain.pk]) == []

    with time_machine.travel(timezone.now() + timedelta(minutes=2), tick=False):
        assert samples.behind([domain.pk]) == [domain.pk]
        tasks.roll_samples()
        assert samples.behind([domain.pk]) == []
    with time_machine.travel(timezone.now() - timedelta(minutes=5), tick=False):
        assert samples.behind([domain.pk]) == [domain.pk], "a clock was set back"


def test_companies_of_which_no_minute_is_over_cost_no_statement(domain: Domain, answer: Answer) -> None:
    answer(row("8001", 2))
    tasks.poll_queues()
    with CaptureQueriesContext(connection) as asked:
        tasks.roll_samples()

    assert len(asked) == 2
