"""Conditions that rooms report: one alert per cause, after its time, ended with it; and every change in the outbox."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.limits import Limit
from accounts.models import Domain, Person
from tests.alerts.conftest import Acknowledge, Read
from wallboard.alerts import conditions, documents, lifecycle, visibility, wording
from wallboard.alerts.conditions import State
from wallboard.alerts.models import Alert, AlertEvent
from wallboard.alerts.ruling import kind_rules
from wallboard.alerts.ruling.kind_rules import KindInput
from wallboard.queues.models import Queue

Report = Callable[..., None]


@pytest.fixture
def report(domain: Domain, clock: time_machine.Traveller, django_capture_on_commit_callbacks: Any) -> Report:
    """A report so many seconds after the one before."""

    def reported(kind: str, *states: State, after: float = 30, **more: Any) -> None:
        clock.shift(timedelta(seconds=after))
        with django_capture_on_commit_callbacks(execute=True):
            conditions.report(domain, kind, states, **more)

    return reported


def changes() -> list[tuple[str, str]]:
    return list(AlertEvent.objects.values_list("what", "level"))


def test_what_was_acknowledged_at_watch_is_raised_again_once_it_is_late(
    report: Report, domain: Domain, acknowledge: Acknowledge, ana: Person
) -> None:
    for _ in range(40):
        report("service", State("501", level="watch"))
    first = Alert.objects.get()
    lifecycle.acknowledge(domain.pk, first.pk, ana)
    report("service", State("501", level="watch"))
    assert Alert.objects.get().ended_at is None

    for _ in range(3):
        report("service", State("501", level="late"))

    ended, again = Alert.objects.order_by("pk")
    assert (ended.pk, ended.ended_why, again.level, again.acknowledged_at) == (first.pk, "worse", "late", None)
    assert again.began_at == first.began_at < first.raised_at < again.raised_at
    assert changes() == [
        ("raised", "watch"), ("acknowledged", "watch"), ("ended", "watch"), ("raised", "late"),
    ]  # fmt: skip


def test_a_condition_raises_once_after_its_time_and_ends(report: Report, told: Callable[[], dict[str, Any]]) -> None:
    for _ in range(2):
        report("figures", State())
    assert not Alert.objects.exists(), "half a minute is no minute"

    for _ in range(3):
        report("figures", State())
    alert = Alert.objects.get()
    assert (alert.level, alert.queue, alert.subject, wording.title(alert)) == ("late", None, "", "Figures are away")
    assert (alert.raised_at - alert.began_at).total_seconds() == 60
    assert told()[""]["kind"] == "figures"

    report("figures")
    assert Alert.objects.get().ended_why == "normal"
    assert changes() == [("raised", "late"), ("ended", "late")]
    assert not told()
    assert not AlertEvent.objects.exclude(handled_at=None).exists()


def test_what_is_about_age_is_raised_at_once(report: Report) -> None:
    report("figures", State(since=timezone.now() - timedelta(minutes=3), is_age=True))

    assert Alert.objects.get().seconds is None
    assert Alert.objects.get().began_at == timezone.now() - timedelta(seconds=30, minutes=3)


def test_what_a_restart_finds_old_calls_nobody_before_its_time(report: Report) -> None:
    since = timezone.now() - timedelta(hours=3)
    report("figures", State(since=since))
    assert not Alert.objects.exists()

    report("figures", State(since=since))
    report("figures", State(since=since))
    assert Alert.objects.get().began_at == since


def test_a_condition_that_flickers_is_no_second_alert_before_its_quiet_time(report: Report) -> None:
    long = timezone.now() - timedelta(hours=1)
    for _ in range(20):
        report("events", State(since=long, is_age=True))
        report("events")
    assert Alert.objects.count() == 7, "in twenty minutes, with two minutes of quiet after each"


def test_after_a_long_silence_the_time_begins_anew(report: Report) -> None:
    report("figures", State())
    report("figures", State(), after=900)

    assert not Alert.objects.exists()


def test_subjects_that_nobody_could_look_at_stay_as_they_are(report: Report) -> None:
    long = timezone.now() - timedelta(hours=1)
    report(
        "screen",
        State("7", long, is_age=True, facts={"name": "Lobby"}),
        State("8", long, is_age=True, facts={"name": "Hall"}),
    )
    assert Alert.objects.filter(ended_at=None).count() == 2

    report("screen", judged=["8"])
    assert [each.subject for each in Alert.objects.filter(ended_at=None)] == ["7"]

    report("screen", judged=[])
    assert [each.subject for each in Alert.objects.filter(ended_at=None)] == ["7"]


def test_a_kind_that_is_off_raises_nothing_and_ends_what_is_open(report: Report, domain: Domain) -> None:
    long = timezone.now() - timedelta(hours=1)
    report("figures", State(since=long, is_age=True))
    kind_rules.save(domain, {"figures": KindInput(is_on=False)})

    report("figures", State(since=long, is_age=True))
    report("figures", State(since=long, is_age=True), after=600)

    assert [each.ended_why for each in Alert.objects.all()] == ["off"]


def test_a_rule_sets_the_time_and_the_level(report: Report, domain: Domain) -> None:
    kind_rules.save(domain, {"figures": KindInput(level="watch", stays_seconds=0)})

    report("figures", State())

    assert [each.level for each in Alert.objects.all()] == ["watch"]


def test_a_condition_of_another_level_is_a_change_in_the_outbox(report: Report, support: Queue) -> None:
    long = timezone.now() - timedelta(hours=1)
    report("nobody", State("501", long, support, is_age=True, facts={"waiting": 1}, level="watch"))
    report("nobody", State("501", long, support, is_age=True, facts={"waiting": 4}))

    assert changes() == [("raised", "watch"), ("level", "late")]
    alert = Alert.objects.get()
    assert (alert.worst, wording.title(alert)) == ("late", "Nobody available: Support")
    assert wording.why(alert) == "4 waiting and nobody to answer"
    assert documents.document(alert).queue == "501"


def test_levels_of_queues_write_the_outbox_too(
    read: Read, support: Queue, ana: Person, acknowledge: Acknowledge
) -> None:
    for _ in range(8):
        read(q501="late")
    acknowledge(ana)
    acknowledge(ana)
    read(q501="watch")
    read(q501="normal")

    expected = [("raised", "late"), ("acknowledged", "late"), ("level", "watch"), ("ended", "watch")]
    assert changes() == expected


def test_a_level_and_a_condition_of_one_queue_stand_beside_each_other(
    read: Read, report: Report, support: Queue
) -> None:
    report("nobody", State("501", timezone.now() - timedelta(hours=1), support, is_age=True))
    for _ in range(8):
        read(q501="late")
    read(q501="normal")

    assert [each.kind for each in Alert.objects.filter(ended_at=None)] == ["nobody"]


def test_one_subject_has_one_open_alert(report: Report, domain: Domain) -> None:
    report("figures", State(since=timezone.now() - timedelta(hours=1), is_age=True))
    again = Alert(domain=domain, kind="figures", level="late", worst="late")
    again.began_at = again.raised_at = timezone.now()

    with pytest.raises(IntegrityError), transaction.atomic():
        again.save()


@pytest.mark.parametrize(
    ("limit", "seen"),
    [
        (Limit(), {"nobody", "phone", "figures"}),
        (Limit(queues=frozenset(["501"])), {"nobody"}),
        (Limit(queues=frozenset(["502"])), set()),
        (Limit(people=frozenset(["101"])), {"nobody", "phone"}),
        (Limit(queues=frozenset(["502"]), people=frozenset(["102"])), set()),
    ],
)
def test_whoever_is_limited_hears_of_nothing_else(
    limit: Limit, seen: set[str], report: Report, support: Queue, domain: Domain
) -> None:
    long = timezone.now() - timedelta(hours=1)
    report("nobody", State("501", long, support, is_age=True))
    report("phone", State("101", long, is_age=True, facts={"name": "Ana", "missed": 5}))
    report("figures", State(since=long, is_age=True))

    alerts = Alert.objects.filter(domain=domain).select_related("queue")
    assert {each.kind for each in visibility.restrict(alerts, limit)} == seen
    assert {each.kind for each in alerts if visibility.shows_alert(limit, each)} == seen


@pytest.mark.parametrize("age_days", [399, 401])
def test_history_is_kept_for_a_good_year(support: Queue, read: Read, age_days: int) -> None:
    for _ in range(8):
        read(q501="late")
    read(q501="normal")
    ended_at = Alert.objects.get().ended_at
    assert ended_at is not None
    Alert.objects.update(ended_at=ended_at - timedelta(days=age_days))

    lifecycle.delete_old()

    assert Alert.objects.exists() == (age_days < 400)
