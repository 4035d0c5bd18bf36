"""A webhook with a limit hears of call-backs as a person with this limit sees them, and of nobody who is hidden."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Domain, Person, Team
from tests.calls.conftest import Deliver
from tests.notifications.channels.receivers import Receiver
from tests.outgoing.conftest import Listen, heard, work
from tests.outgoing.test_long_waits import CALLER, in_vain, told
from wallboard.desk import callbacks
from wallboard.outgoing import endpoints, kinds
from wallboard.outgoing.models import Delivery, Endpoint
from wallboard.queues.models import Queue


@pytest.fixture(autouse=True)
def queues(domain: Domain) -> None:
    Queue.objects.create(domain=domain, number="600", name="Sales")
    Queue.objects.create(domain=domain, number="601", name="Support")


def by_call(endpoint: Endpoint) -> list[tuple[str, str]]:
    rows = Delivery.objects.filter(endpoint=endpoint).order_by("event__at", "event")
    return list(rows.values_list("event__kind", "event__leg__from_call_id"))


def test_each_hears_of_a_wait_by_the_first_call_that_it_may_see(
    listen: Listen, deliver: Deliver, clock: Any, domain: Domain
) -> None:
    ada = Person.objects.create(domain=domain, extension="101", name="Ada")
    every, first = listen(*kinds.OF_CALL_BACKS), listen(*kinds.OF_CALL_BACKS, queues=("600",))
    second, other = listen(*kinds.OF_CALL_BACKS, queues=("601",)), listen(*kinds.OF_CALL_BACKS, queues=("602",))
    work()
    in_vain(deliver, clock, "c1", queue="600")
    assert by_call(second) == []
    in_vain(deliver, clock, "c2", queue="601")
    in_vain(deliver, clock, "c3", queue="601")
    assert callbacks.change(domain, ada, CALLER, "take")
    told()
    clock.shift(timedelta(minutes=1))
    assert callbacks.change(domain, ada, CALLER, "done")
    told()

    whole = [kinds.ASKED, kinds.TAKEN, kinds.DONE]
    assert by_call(every) == by_call(first) == [(kind, "c1") for kind in whole]
    assert by_call(second) == [(kind, "c2") for kind in whole]
    assert by_call(other) == []


def test_who_calls_again_after_it_was_done_waits_anew_for_each(
    listen: Listen, deliver: Deliver, clock: Any, domain: Domain
) -> None:
    ada = Person.objects.create(domain=domain, extension="101", name="Ada")
    every, second = listen(*kinds.OF_CALL_BACKS), listen(*kinds.OF_CALL_BACKS, queues=("601",))
    work()
    in_vain(deliver, clock, "c1", queue="600")
    assert callbacks.change(domain, ada, CALLER, "done")
    clock.shift(timedelta(seconds=1))
    in_vain(deliver, clock, "c2", queue="601")

    assert by_call(every) == [(kinds.ASKED, "c1"), (kinds.DONE, "c1"), (kinds.ASKED, "c2")]
    assert by_call(second) == [(kinds.ASKED, "c2")]


@pytest.mark.parametrize("is_other_there", [True, False])
def test_what_was_taken_before_a_webhook_existed_is_not_told_to_it(
    listen: Listen, deliver: Deliver, clock: Any, domain: Domain, is_other_there: bool
) -> None:
    ada = Person.objects.create(domain=domain, extension="101", name="Ada")
    other = listen(*kinds.OF_CALL_BACKS, queues=("601",))
    work()
    if not is_other_there:
        endpoints.remove(other)
    in_vain(deliver, clock, "c1", queue="600")
    assert callbacks.change(domain, ada, CALLER, "take")
    clock.shift(timedelta(hours=2))
    late = listen(*kinds.OF_CALL_BACKS)
    told()

    assert by_call(late) == []


def test_a_call_back_is_taken_when_it_was_and_not_before_it_was_asked_for(
    listen: Listen, deliver: Deliver, clock: Any, domain: Domain
) -> None:
    ada = Person.objects.create(domain=domain, extension="101", name="Ada")
    first, second = listen(*kinds.OF_CALL_BACKS, queues=("600",)), listen(*kinds.OF_CALL_BACKS, queues=("601",))
    work()
    in_vain(deliver, clock, "c1", queue="600")
    assert callbacks.change(domain, ada, CALLER, "take")
    taken_at = timezone.now()
    clock.shift(timedelta(seconds=30))
    told()
    in_vain(deliver, clock, "c2", queue="601")

    assert by_call(first) == [(kinds.ASKED, "c1"), (kinds.TAKEN, "c1")]
    assert by_call(second) == [(kinds.ASKED, "c2"), (kinds.TAKEN, "c2")]
    assert Delivery.objects.get(endpoint=first, event__kind=kinds.TAKEN).event.at == taken_at


def test_by_names_nobody_who_is_hidden_or_beyond_the_limit(
    listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any, domain: Domain
) -> None:
    team = Team.objects.create(domain=domain, name="Sales")
    ada, bo, chief = (
        Person.objects.create(domain=domain, extension=extension, name=name, is_hidden=name == "Chief")
        for extension, name in (("101", "Ada"), ("102", "Bo"), ("199", "Chief"))
    )
    team.people.add(ada, chief)
    endpoint = listen(kinds.TAKEN, team=team)
    work()
    in_vain(deliver, clock, "c1", queue="600")
    for person in (ada, bo, chief):
        assert callbacks.change(domain, person, CALLER, "take")
        told()
        assert callbacks.change(domain, person, CALLER, "leave")
        told()
        clock.shift(timedelta(seconds=5))

    assert [each["data"]["by"] for each in heard(receiver, endpoint)] == ["101", "", ""]
