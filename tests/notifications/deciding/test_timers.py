"""Timers: what is switched off stays quiet, and what was held back goes on in its order."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Domain, Person
from tests.alerts.conftest import Read
from tests.harness.mail import MailServer
from tests.notifications.conftest import MakeRoute, Work
from wallboard.alerts.models import Rule
from wallboard.notifications import choices, destinations, mutes
from wallboard.notifications.deciding import planning
from wallboard.notifications.models import Channel, Delivery, Destination, Route
from wallboard.notifications.sending import deliveries
from wallboard.notifications.sending.deliveries import Busy
from wallboard.queues.models import Queue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]


def test_a_route_that_is_switched_off_tells_nobody_of_what_is_open_either(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    make_route((ana_mail.person,), after=60)
    read(q501="late")
    work()

    Route.objects.update(is_enabled=False)
    clock.shift(timedelta(minutes=5))
    is_quiet = work() == 0 and planning.domains_with_work(timezone.now()) == []
    Route.objects.update(is_enabled=True)

    assert (is_quiet, work()) == (True, 1)


def test_a_company_that_is_switched_off_sends_nothing(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana_mail: Destination,
    domain: Domain,
    mail_server: MailServer,
) -> None:
    make_route((ana_mail.person,))
    read(q501="late")
    Domain.objects.update(is_active=False)
    planning.run_all(timezone.now())
    decided = Delivery.objects.count()

    Domain.objects.update(is_active=True)
    planning.run_all(timezone.now())
    Domain.objects.update(is_active=False)
    claimed = deliveries.claim(50, Busy())

    assert (decided, Delivery.objects.count(), claimed, planning.is_behind(domain.pk)) == (0, 1, [], False)


def test_after_a_mute_the_next_step_still_waits_for_its_time(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana: Person,
    ana_mail: Destination,
    domain: Domain,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    boss = destinations.add(domain, Channel.EMAIL, "boss", "boss@example.com")
    make_route((ana,), escalation=(boss,), escalated_after=300)
    mutes.begin(ana, support, timezone.now() + timedelta(minutes=20), "new phones")
    read(q501="late")
    for _ in range(85):  # to 25 min: four and more after the end
        clock.shift(timedelta(seconds=18))
        work()
        told = [each.to[0] for each in mail_server.taken]
        if "boss@example.com" in told:
            break

    assert told == ["ana@example.com", "boss@example.com"]
    first, escalated = Delivery.objects.order_by("pk").values_list("created_at", flat=True)
    assert (escalated - first).total_seconds() == pytest.approx(300, abs=20)


def test_the_second_step_of_a_route_waits_for_the_first_where_an_alert_gets_late(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    domain: Domain,
    ana_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    Rule.objects.update(level="watch")
    boss = destinations.add(domain, Channel.EMAIL, "boss@example.com", "boss@example.com")
    make_route((ana_mail.person,), escalation=(boss,), escalated_after=600, level="late")
    read(q501="watch")
    work()
    clock.shift(timedelta(minutes=15))

    read(q501="late")
    work()
    assert [each.to for each in mail_server.taken] == [["ana@example.com"]]

    clock.shift(timedelta(minutes=10))
    work()
    assert [each.to for each in mail_server.taken] == [["ana@example.com"], ["boss@example.com"]]


def test_who_wants_to_hear_nothing_any_more_hears_nothing_that_got_worse(
    read: Read, work: Work, support: Queue, ana: Person, ana_mail: Destination, mail_server: MailServer
) -> None:
    Rule.objects.update(level="watch")
    chosen: dict[str, Any] = {"level": "watch", "queues": None, "kinds": None, "days": 127, "from_time": None}
    chosen |= {"until_time": None, "tells_resolved": False, "after_seconds": 0}
    choices.save(ana, is_subscribed=True, **chosen)
    read(q501="watch")
    work()

    choices.save(ana, is_subscribed=False, **chosen)
    read(120, q501="late")
    work()

    assert len(mail_server.taken) == 1


@pytest.fixture
def told_of_support(
    read: Read,
    work: Work,
    support: Queue,
    ana_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> Callable[[], list[list[str]]]:
    """Whom mails go to within six minutes after Support gets late."""

    def told() -> list[list[str]]:
        read(q501="late")
        work()
        clock.shift(timedelta(minutes=6))
        work()
        return [each.to for each in mail_server.taken]

    return told


@pytest.mark.parametrize(("of_route", "chosen"), [(0, 300), (300, 0)])
def test_who_was_told_by_one_rule_is_not_told_again_by_a_slower_one(
    of_route: int, chosen: int, told_of_support: Callable[[], list[list[str]]], make_route: MakeRoute, ana: Person
) -> None:
    make_route((ana,), after=of_route)
    choices.save(ana, is_subscribed=True, level="late", after_seconds=chosen)

    assert told_of_support() == [["ana@example.com"]]


def test_a_slow_rule_takes_no_later_step_of_another_along(
    told_of_support: Callable[[], list[list[str]]], make_route: MakeRoute, ana: Person
) -> None:
    make_route((ana,), after=300, name="Alpha")
    make_route((ana,), name="Beta", escalation=(ana,), escalated_after=300)

    assert told_of_support() == [["ana@example.com"]] * 2
