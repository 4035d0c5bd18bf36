"""Alerts: raised when a level stays, ended when it is normal again, and never decided by a reading that is none."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import time_machine
from django.utils import timezone

from accounts.models import Domain, Person
from tests.alerts.conftest import Acknowledge, Read, document
from wallboard.alerts import documents, lifecycle, rules
from wallboard.alerts.models import Alert, EvaluationState, Rule
from wallboard.alerts.rules import RuleInput
from wallboard.live import connections, feeds
from wallboard.queues import editing
from wallboard.queues.models import Hours, PollState, Queue
from wallboard.sockets import snapshots

Told = Callable[[], dict[str, Any]]


def stay(read: Read, seconds: int, every: int = 5, **levels: str) -> None:
    """Readings at that pace for so long, all alike."""
    for _ in range(seconds // every):
        read(every, **levels)


def test_a_level_that_stays_raises_one_alert(support: Queue, read: Read, told: Told) -> None:
    read(q501="late")
    stay(read, 25, q501="late")
    assert told() == {}

    stay(read, 60, q501="late")

    episode = Alert.objects.get()
    assert told()["Support"] == {
        "id": episode.pk,
        "kind": "level",
        "person": "",
        "facts": {},
        "queue": "501",
        "name": "Support",
        "level": "late",
        "reason": "longest_wait",
        "since": round(episode.began_at.timestamp() * 1000),
        "raised_at": round(episode.began_at.timestamp() * 1000) + 30_000,
        "acknowledged_by": "",
        "acknowledged_at": None,
    }


def test_a_level_that_passes_raises_nothing(support: Queue, read: Read) -> None:
    for _ in range(6):
        stay(read, 25, q501="late")
        read(q501="normal")

    assert not Alert.objects.exists()


def test_watch_alone_calls_nobody_unless_a_rule_says_so(
    domain: Domain, support: Queue, sales: Queue, read: Read, told: Told
) -> None:
    rules.save(domain, {sales: RuleInput(level="watch", stays_seconds=10)})

    stay(read, 60, q501="watch", q502="watch")

    assert list(told()) == ["Sales"]


def test_it_ends_when_the_queue_is_normal_again(support: Queue, read: Read, told: Told) -> None:
    stay(read, 40, q501="late")
    read(q501="watch")
    assert told()["Support"]["level"] == "watch"

    read(q501="normal")

    episode = Alert.objects.get()
    assert (told(), episode.ended_why, episode.worst) == ({}, "normal", "late")
    assert episode.seconds == 45


def test_one_alert_per_cause_and_a_pause_after_it(support: Queue, read: Read) -> None:
    stay(read, 40, q501="late")
    read(q501="normal")

    stay(read, 110, q501="late")
    assert Alert.objects.count() == 1
    stay(read, 20, q501="late")
    assert Alert.objects.count() == 2


def test_a_failing_poll_neither_raises_nor_ends(support: Queue, sales: Queue, read: Read, told: Told) -> None:
    stay(read, 40, q501="late", q502="normal")
    stay(read, 20, q501="late", q502="late")

    for _ in range(20):
        read(5, failure="unreachable")
    assert list(told()) == ["Support"]

    read(5, q501="late", q502="late")
    assert list(told()) == ["Support"], "nobody knows whether it stayed late meanwhile"
    stay(read, 30, q501="normal", q502="late")
    assert list(told()) == ["Sales"]


def test_an_old_reading_is_not_judged(
    domain: Domain, support: Queue, read: Read, clock: time_machine.Traveller
) -> None:
    rules.save(domain, {None: RuleInput(stays_seconds=0)})
    read(q501="normal")
    late = {"501": (2, document("late"))}
    PollState.objects.update(figures=late, read_at=timezone.now() + timedelta(seconds=5))

    clock.shift(timedelta(seconds=65))
    lifecycle.apply_reading(domain)

    assert not Alert.objects.exists()


def test_a_reading_is_judged_once(domain: Domain, support: Queue, read: Read) -> None:
    stay(read, 30, q501="late")
    EvaluationState.objects.update(pending={"501": 0})

    lifecycle.apply_reading(domain)

    assert not Alert.objects.exists()


def test_a_queue_that_the_answer_lacks_stays_as_it_is(support: Queue, read: Read, told: Told) -> None:
    stay(read, 40, q501="late")

    for _ in range(5):
        read(missing="501")

    assert list(told()) == ["Support"]


def test_an_alert_of_a_queue_that_is_gone_ends_when_it_is_hidden(support: Queue, read: Read, told: Told) -> None:
    stay(read, 40, q501="late")
    read(missing="501")

    editing.edit(support, is_hidden=True)
    read(missing="501")

    assert [each.ended_why for each in Alert.objects.all()] == ["hidden"]
    assert told() == {}


def test_an_alert_of_a_queue_that_is_gone_ends_with_its_rule(domain: Domain, support: Queue, read: Read) -> None:
    stay(read, 40, q501="late")

    rules.save(domain, {support: RuleInput(level="never")})
    read(missing="501")

    assert [each.ended_why for each in Alert.objects.all()] == ["off"]


def test_a_queue_that_is_gone_disturbs_no_calm(domain: Domain, support: Queue, read: Read) -> None:
    for _ in range(5):
        read(missing="501", q502="normal")

    assert not EvaluationState.objects.exists()


def test_outside_business_hours_nothing_calls(domain: Domain, support: Queue, read: Read, told: Told) -> None:
    stay(read, 40, q501="late")
    assert list(told()) == ["Support"]

    Hours.objects.create(domain=domain, queue=None, week=[[[60, 120]]] * 7, counts_outside=True)
    stay(read, 300, q501="late")

    assert told() == {}
    assert list(Alert.objects.values_list("ended_why", flat=True)) == ["closed"]


def test_a_hidden_queue_calls_nobody(support: Queue, read: Read, told: Told) -> None:
    stay(read, 40, q501="late")

    editing.edit(support, is_hidden=True)
    stay(read, 300, q501="late")

    assert [each.ended_why for each in Alert.objects.all()] == ["hidden"]
    assert told() == {}


def test_a_rule_that_is_switched_off_ends_what_it_raised(domain: Domain, support: Queue, read: Read) -> None:
    stay(read, 40, q501="late")

    rules.save(domain, {None: RuleInput(level="never")})
    stay(read, 300, q501="late")

    assert [each.ended_why for each in Alert.objects.all()] == ["off"]


def test_acknowledging_is_told_to_everybody(
    domain: Domain, support: Queue, ana: Person, read: Read, told: Told, acknowledge: Acknowledge
) -> None:
    stay(read, 40, q501="late")
    ben = Person.objects.create(domain=domain, extension="102", name="Ben")

    acknowledge(ana)
    second = acknowledge(ben)

    assert second is not None
    assert second.acknowledged_name == "Ana"
    assert told()["Support"]["acknowledged_by"] == "Ana"
    stay(read, 300, q501="late")
    assert Alert.objects.count() == 1


def test_what_was_acknowledged_at_watch_calls_again_when_it_is_late(
    domain: Domain, support: Queue, ana: Person, read: Read, told: Told, acknowledge: Acknowledge
) -> None:
    rules.save(domain, {None: RuleInput(level="watch")})
    stay(read, 40, q501="watch")
    acknowledge(ana)

    stay(read, 20, q501="late")
    assert told()["Support"]["acknowledged_by"] == "Ana"
    stay(read, 20, q501="late")

    assert told()["Support"]["acknowledged_by"] == ""
    assert [each.ended_why for each in Alert.objects.order_by("pk")] == ["worse", ""]


def test_an_alert_that_has_ended_cannot_be_acknowledged(
    support: Queue, ana: Person, read: Read, acknowledge: Acknowledge
) -> None:
    stay(read, 40, q501="late")
    read(q501="normal")

    assert acknowledge(ana) is None
    assert Alert.objects.get().acknowledged_at is None


def test_the_feed_is_rebuilt_from_the_database(domain: Domain, support: Queue, read: Read, told: Told) -> None:
    stay(read, 40, q501="late")
    expected = told()
    connections.client().flushall()
    assert told() == {}

    snapshots.mend(feeds.alerts(domain.pk))

    assert told() == expected
    assert feeds.alerts(domain.pk) in list(snapshots.all_feeds())


def test_a_calm_floor_costs_no_writing(domain: Domain, support: Queue, read: Read) -> None:
    stay(read, 60, q501="normal")

    assert not EvaluationState.objects.exists()
    assert documents.documents(domain.pk) == {}


def test_rules_inherit_what_they_leave_open(domain: Domain, support: Queue, sales: Queue) -> None:
    rules.save(domain, {None: RuleInput(stays_seconds=60), sales: RuleInput(level="watch")})

    book = rules.rule_set(domain.pk)

    assert (book.of("501").level, book.of("501").stays_seconds) == ("late", 60)
    assert (book.of("502").level, book.of("502").stays_seconds) == ("watch", 60)
    rules.save(domain, {sales: RuleInput()})
    assert Rule.objects.count() == 1


def test_another_company_is_not_judged(domain: Domain, support: Queue, read: Read) -> None:
    other = Domain.objects.create(slug="b", name="B", base_url="http://b.test", client_id="i", client_secret="s")
    stay(read, 40, q501="late")

    lifecycle.apply_reading(other)

    assert documents.documents(other.pk) == {}
    assert PollState.objects.get().domain == domain
    assert lifecycle.acknowledge(other.pk, Alert.objects.get().pk, Person(pk=1)) is None


def test_a_clock_that_was_set_back_delays_no_alert(support: Queue, read: Read, clock: Any) -> None:
    stay(read, 40, q501="late")
    read(q501="normal")
    stay(read, 20, q501="late")

    clock.shift(-1200)
    stay(read, 30, q501="late")
    assert Alert.objects.filter(ended_at=None).count() == 0
    read(q501="late")

    assert Alert.objects.filter(ended_at=None).count() == 1
