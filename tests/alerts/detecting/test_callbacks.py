"""A caller who was missed and has waited for long to be rung back."""

import pytest

from accounts import limits
from accounts.limits import Limit
from accounts.models import Domain, Person, Team
from tests.alerts.detecting.conftest import Look, Ring
from wallboard.alerts import visibility, wording
from wallboard.alerts.detecting import looking
from wallboard.alerts.models import Alert
from wallboard.calls.models import Subscription
from wallboard.desk import callbacks
from wallboard.desk.models import CallBack
from wallboard.queues.models import Hours, Queue

NUMBER = "+4930123456"


@pytest.fixture(autouse=True)
def missed(ring: Ring, events: Subscription, domain: Domain) -> None:
    """Somebody called an hour ago but for five minutes, and nobody answered."""
    callbacks.invalidate_cache(domain.pk)
    ring("102", ago=3300, caller_e164=NUMBER, from_number=NUMBER)


def test_it_calls_once_it_is_older_than_the_rule_allows(look: Look) -> None:
    assert look("callback", 120) == []

    [alert] = look("callback", 300)
    assert wording.title(alert) == "Call-back is overdue"
    assert wording.why(alert).startswith("the oldest has waited for 6")
    assert NUMBER[-4:] not in str(alert.facts) + alert.subject


def test_it_ends_when_somebody_rings_back(look: Look, ring: Ring, domain: Domain) -> None:
    assert look("callback", 600)

    ring("", ago=60, from_user="102", caller_e164=NUMBER, answered=True, lasts=30, is_human=True)
    callbacks.invalidate_cache(domain.pk)
    assert look("callback", 0) == []


def test_nobody_is_called_outside_business_hours(look: Look, domain: Domain) -> None:
    Hours.objects.create(domain=domain, week=[[], [], [[0, 60]], [], [], [], []])
    assert look("callback", 600) == []


def test_one_kind_that_fails_keeps_none_of_the_others(
    domain: Domain, look: Look, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: Domain) -> None:
        raise RuntimeError

    look("callback", 600)
    looking.look(domain, {"figures": broken, "callback": looking.SELDOM["callback"]})  # type: ignore[dict-item]

    assert Alert.objects.filter(kind="callback", ended_at=None).exists()
    assert "the kind figures cannot be judged" in caplog.text


def titles(limit: Limit) -> list[str]:
    """What somebody with this limit hears."""
    shown = visibility.restrict(Alert.objects.filter(kind="callback", ended_at=None), limit)
    assert sorted(each.pk for each in shown) == sorted(
        each.pk for each in Alert.objects.filter(ended_at=None) if visibility.shows_alert(limit, each)
    )
    return sorted(wording.title(each) for each in shown)


def test_whoever_may_see_the_call_back_hears_of_it(
    look: Look, ring: Ring, domain: Domain, people: list[Person], support: Queue, sales: Queue
) -> None:
    ring("501", ago=3500, caller_e164="+4930555", from_number="+4930555", queue="501", call="through")
    ring("103", ago=3490, caller_e164="+4930555", from_number="+4930555", call="through")
    callbacks.invalidate_cache(domain.pk)
    look("callback", 600)
    team = limits.save_team(domain, "Ben alone", ["102"])
    bens = frozenset(Person.objects.filter(teams=team).values_list("extension", flat=True))

    assert titles(Limit()) == ["Call-back is overdue: Ben", "Call-back is overdue: Support"]
    assert titles(Limit(queues=frozenset({"501"}))) == ["Call-back is overdue: Support"]
    assert titles(Limit(queues=frozenset({"502"}))) == []
    assert titles(Limit(queues=frozenset(), people=bens)) == ["Call-back is overdue: Ben"]
    assert Team.objects.exists()


def test_one_that_somebody_has_taken_calls_nobody(
    look: Look, domain: Domain, people: list[Person], support: Queue
) -> None:
    assert look("callback", 600)

    CallBack.objects.create(domain=domain, number_e164=NUMBER, owner=people[0])
    assert look("callback", 0) == []


def test_a_queue_that_is_closed_or_hidden_calls_nobody_while_others_work(
    look: Look, ring: Ring, domain: Domain, support: Queue, sales: Queue
) -> None:
    ring("501", ago=3500, caller_e164="+4930555", from_number="+4930555", queue="501")
    callbacks.invalidate_cache(domain.pk)
    look("callback", 600)
    before = Alert.objects.filter(queue=support, ended_at=None).count()

    Queue.objects.filter(pk=support.pk).update(is_hidden=True)
    look("callback", 0)

    assert before == 1
    assert Alert.objects.get(queue=support).ended_why == "hidden"
    assert Alert.objects.filter(kind="callback", ended_at=None).count() == 1
