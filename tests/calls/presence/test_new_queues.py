"""Numbers that turn out to be queues: their calls are no person's any more, those that are over included."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import company_day
from accounts.models import Domain, Person, Team, User
from tests.calls.conftest import Deliver, make_subscription
from tests.calls.events import event, record
from wallboard.calls import documents, tasks
from wallboard.calls.log import search as call_log
from wallboard.calls.models import Leg, Presence
from wallboard.calls.presence import documents as presence_documents
from wallboard.calls.presence import new_queues
from wallboard.queues import polling
from wallboard.queues.models import PastChange, Queue
from wallboard.reports import person_figures
from wallboard.reports.period_parts import Period

pytestmark = pytest.mark.usefixtures("redis_url")
START = datetime(2026, 11, 20, 10, tzinfo=UTC)
CALLED_AT = START + timedelta(minutes=1)


@pytest.fixture
def called(domain: Domain, deliver: Deliver, clock: Any) -> Domain:
    """The music of a queue that was not read yet has answered a call, which is over."""
    clock.move_to(CALLED_AT)
    # A record does not say that no human answered.
    deliver(record(user="900"), to=make_subscription(domain, "cdrs"))
    return domain


def legs() -> list[tuple[str, str]]:
    return list(Leg.objects.order_by("pk").values_list("to_user", "queue"))


def numbers() -> list[str]:
    return list(Person.objects.order_by("extension").values_list("extension", flat=True))


def test_a_call_that_was_over_before_is_the_queues_and_nobody_answered_it(called: Domain) -> None:
    polling.keep(called, ["900"], None)

    tasks.sweep()

    [call] = call_log.search(called.pk)
    assert (call.outcome, call.answered_by, call.queue) == ("unanswered", "", "900")
    day = Period(date(2026, 11, 20), date(2026, 11, 20), ZoneInfo("UTC"))
    assert (person_figures.by_person(called, day), numbers()) == ([], [])


def test_it_is_done_once_and_costs_one_query_from_then_on(called: Domain) -> None:
    polling.keep(called, ["900"], None)
    tasks.sweep()
    version = Leg.objects.get().version

    with CaptureQueriesContext(connection) as asked:
        is_left = new_queues.mistaken([called.pk])
    tasks.sweep()

    assert (is_left, len(asked), Leg.objects.get().version) == (set(), 1, version)


@pytest.mark.parametrize(("minutes", "is_queues"), [(10, True), (20, False)])
def test_what_was_before_the_last_reading_without_it_stays_a_persons(
    called: Domain, *, minutes: int, is_queues: bool
) -> None:
    polling.keep(called, ["900"], CALLED_AT + timedelta(minutes=minutes))

    tasks.sweep()

    assert (legs(), numbers()) == (([("900", "900")], []) if is_queues else ([("900", "")], ["900"]))
    assert not Queue.objects.exclude(mistaken_since=None).exists()


def test_a_queue_that_is_known_already_is_left_alone(called: Domain) -> None:
    Queue.objects.create(domain=called, number="900")
    polling.keep(called, ["900"], None)

    assert new_queues.mistaken([called.pk]) == set()


@pytest.mark.parametrize("known_as", ["", "Hilfe", "Hilfe Zwei"])
def test_the_person_goes_unless_somebody_named_them(domain: Domain, deliver: Deliver, known_as: str) -> None:
    body = event("ended", user="900")
    deliver(body.replace(b'"user": "900"', b'"user": "900", "name": "Hilfe"'))
    Person.objects.filter(extension="900").update(name=known_as)
    polling.keep(domain, ["900"], None)

    tasks.sweep()

    assert numbers() == (["900"] if known_as == "Hilfe Zwei" else [])
    assert legs() == [("900", "900")]


@pytest.mark.parametrize("change", ["sign-in", "role", "hidden", "limit", "team", "older"])
def test_a_person_about_whom_somebody_decided_stays(called: Domain, change: str) -> None:
    [person] = Person.objects.all()
    if change == "team":
        Team.objects.create(domain=called, name="Support").people.add(person)
    elif change == "sign-in":
        Person.objects.update(user=User.objects.create_user("ada"))
    else:
        changes: dict[str, dict[str, Any]] = {
            "role": {"role": Person.Role.SUPERVISOR},
            "hidden": {"is_hidden": True},
            "limit": {"only_queues": ["901"]},
            "older": {"created_at": START - timedelta(days=1)},
        }
        Person.objects.update(**changes[change])
    polling.keep(called, ["900"], START)

    tasks.sweep()

    assert (numbers(), legs()) == (["900"], [("900", "900")])


def test_boards_hear_that_there_is_no_such_person(called: Domain) -> None:
    version = Presence.objects.get().version
    polling.keep(called, ["900"], None)

    [*_, last] = new_queues.put_right(called)

    known = documents.directory_of(called.pk, [], last)
    assert presence_documents.person_documents(last.presences.values(), known) == {"900": (version + 1, None)}


def test_days_that_are_over_are_added_up_again(called: Domain, clock: Any) -> None:
    PastChange.objects.all().delete()
    clock.shift(timedelta(days=1))
    polling.keep(called, ["900"], None)

    tasks.sweep()

    [mark] = PastChange.objects.filter(domain=called, kind=PastChange.Kind.CALLS)
    assert mark.since <= START < mark.until <= company_day.start(called, timezone.now())


def test_strangers_who_were_forgotten_stay_so(called: Domain) -> None:
    Leg.objects.update(caller_e164="removed", from_number="removed", forgotten_at=timezone.now())
    polling.keep(called, ["900"], None)

    tasks.sweep()

    leg = Leg.objects.get()
    assert (leg.queue, leg.caller_e164, leg.from_number) == ("900", "removed", "removed")
