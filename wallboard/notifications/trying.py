"""Test messages: sent at once and once, with the other side's own words as the outcome."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any
from uuid import uuid4

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.companies import addresses
from accounts.languages import choosing
from accounts.models import Domain
from wallboard.notifications import destinations
from wallboard.notifications.channels import email
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.mail_servers import ServerSettings
from wallboard.notifications.messages import Message
from wallboard.notifications.models import Delivery, Destination, Route
from wallboard.notifications.sending import deliveries

State = Delivery.State
LATELY, MOST_TESTS, MOST_SHARED_TESTS = timedelta(minutes=10), 10, 60
PATIENCE_SECONDS = 5.0
_at_once = BoundedSemaphore(4)  # a test holds a thread of a web process for as long as its channel takes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a test."""

    name: str
    words: str
    is_good: bool


def test(destination: Destination) -> Outcome:
    """Send a test message to one destination, and keep the outcome."""
    if is_too_often(destination):
        return Outcome(str(destination), _("There were too many tests; wait for ten minutes."), False)
    return send_at_once(destination, _content_for(destination))


def in_language_of(destination: Destination) -> AbstractContextManager[None]:
    """What is written inside is for whoever reads this destination."""
    return choosing.speaking(choosing.of_receiver(destination.person, destination.domain))


def send_at_once(destination: Destination, content: dict[str, Any]) -> Outcome:
    """Send this message, which tells of no alert, once and while somebody waits for the outcome."""
    if not _at_once.acquire(timeout=PATIENCE_SECONDS):
        return Outcome(str(destination), _("Too much is being tested at this moment; try again."), False)
    try:
        return _tried(destination, content)
    finally:
        _at_once.release()


def is_too_often(destination: Destination) -> bool:
    """Whether this person, or the company, has had so many tests lately that the next would bother somebody."""
    tests = Delivery.objects.filter(domain=destination.domain_id, person=destination.person_id, is_test=True)
    most = MOST_TESTS if destination.person_id is not None else MOST_SHARED_TESTS
    return tests.filter(created_at__gt=timezone.now() - LATELY).count() >= most


def _tried(destination: Destination, content: dict[str, Any]) -> Outcome:
    uid, is_final = uuid4(), False
    try:
        outcome = Outcome(str(destination), deliveries.send(destination, Message(id=uid.hex, **content)), True)
    except NotSent as failure:
        outcome, is_final = Outcome(str(destination), failure.reason, False), failure.is_final
    Delivery.objects.create(
        uid=uid,
        batch=uuid4(),
        domain_id=destination.domain_id,
        destination=destination,
        person_id=destination.person_id,
        channel=destination.channel,
        destination_name=str(destination),
        content={"title": content["title"]},
        is_test=True,
        state=State.SENT if outcome.is_good else State.GIVEN_UP,
        tries=1,
        ended_at=timezone.now(),
        outcome=outcome.words[:300],
    )
    if is_final:
        destinations.give_up(destination, outcome.words)
    else:
        destinations.record(destination, outcome.words, is_good=outcome.is_good)
    return outcome


def test_mail(server: ServerSettings, to: str, domain: Domain) -> Outcome:
    """Send a test mail by these settings, stored or not."""
    try:
        return Outcome(to, email.send_through(server, to, Message(id=uuid4().hex, **_content(domain))), True)
    except NotSent as failure:
        return Outcome(to, failure.reason, False)


def of_route(route: Route) -> Iterable[Destination]:
    """Every destination that a route may lead to, once each."""
    found: dict[int, Destination] = {}
    for step in route.steps.all():
        people = [*step.people.all(), *(person for team in step.teams.all() for person in team.people.all())]
        usable = destinations.usable().filter(domain=route.domain)
        of_people, shared = usable.filter(person__in=people), usable.filter(pk__in=step.destinations.all())
        found |= {each.pk: each for each in (*of_people, *shared)}
    return found.values()


def test_route(route: Route) -> int:
    """Have a test message sent to wherever a route may lead; gives to how many. Workers send it within seconds."""
    batch = uuid4()
    fresh = [
        Delivery(
            batch=batch,
            domain=route.domain,
            destination=each,
            person_id=each.person_id,
            channel=each.channel,
            destination_name=str(each),
            content=_content_for(each),
            is_test=True,
        )
        for each in of_route(route)
    ]
    Delivery.objects.bulk_create(fresh)
    return len(fresh)


def _content_for(destination: Destination) -> dict[str, Any]:
    with in_language_of(destination):
        return _content(destination.domain)


def _content(domain: Domain) -> dict[str, Any]:
    return {
        "language": get_language() or "",
        "title": _("Test message from the wallboard of %(company)s") % {"company": domain.name},
        "text": _("This is a test. If you read it, alerts will reach you here."),
        "url": f"{addresses.of(domain)}/",
    }
