"""From the events of alerts to messages: who hears of what and when, grouped, escalated, and resolved."""

from datetime import time, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import limits
from accounts.models import Domain, Person
from tests.alerts.conftest import Acknowledge, Read
from tests.harness.mail import MailServer
from tests.notifications.conftest import MakeRoute, Work, signed_in
from wallboard.alerts.models import AlertEvent
from wallboard.notifications import choices, destinations, mutes
from wallboard.notifications.deciding import planning
from wallboard.notifications.models import Channel, Destination, Notice, Timer
from wallboard.queues.models import Queue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]


def go_late(read: Read, *numbers: str) -> None:
    """Late, which raises an alert."""
    read(**{f"q{number}": "late" for number in numbers})


def subjects(server: MailServer) -> list[str]:
    return [str(each.letter["Subject"]) for each in server.taken]


def told_after_ten_minutes(
    read: Read, work: Work, server: MailServer, clock: time_machine.Traveller
) -> tuple[int, list[str]]:
    """How many mails a queue that goes late sends at once, and all of them ten minutes later."""
    go_late(read, "501")
    work()
    at_once = len(server.taken)
    clock.shift(timedelta(minutes=10))
    work()
    return at_once, subjects(server)


def test_a_late_queue_is_one_mail_and_its_end_another(
    read: Read, work: Work, make_route: MakeRoute, support: Queue, ana_mail: Destination, mail_server: MailServer
) -> None:
    make_route((ana_mail.person,))

    go_late(read, "501")
    work()
    read(60, q501="normal")
    read(q501="normal")
    work()

    assert subjects(mail_server) == ["Late: Support", "Resolved: Late: Support"]
    assert [each.to for each in mail_server.taken] == [["ana@example.com"]] * 2
    assert "longest wait too long" in mail_server.taken[0].text
    assert not AlertEvent.objects.filter(handled_at=None).exists()
    assert not Timer.objects.exists()


def test_without_a_route_or_a_choice_nobody_hears_anything(
    read: Read, work: Work, support: Queue, ana_mail: Destination, mail_server: MailServer
) -> None:
    go_late(read, "501")

    assert work() == 0


def test_who_asked_for_it_hears_of_it_without_a_route(
    read: Read, work: Work, support: Queue, ana: Person, ana_mail: Destination, mail_server: MailServer
) -> None:
    choices.save(ana, is_subscribed=True)

    go_late(read, "501")
    work()

    assert subjects(mail_server) == ["Late: Support"]


def test_queues_that_turn_late_together_are_one_message_and_a_later_one_waits_for_its_minute(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    sales: Queue,
    ana_mail: Destination,
    domain: Domain,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    Queue.objects.create(domain=domain, number="503", name="Night")
    make_route((ana_mail.person,))

    go_late(read, "501", "502")
    work()
    read(q501="late", q502="late", q503="late")
    work()
    first = subjects(mail_server)
    clock.shift(timedelta(seconds=60))
    work()

    assert first == ["2 alerts: Support, Sales"]
    assert subjects(mail_server) == ["2 alerts: Support, Sales", "Late: Night"]
    assert mail_server.taken[0].text.count("Late: ") == 2


def test_the_second_message_within_a_minute_waits(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    make_route((ana_mail.person,))
    go_late(read, "501")
    work()

    read(q501="normal")
    work()
    waiting = subjects(mail_server)
    clock.shift(timedelta(seconds=61))
    work()

    assert waiting == ["Late: Support"]
    assert subjects(mail_server) == ["Late: Support", "Resolved: Late: Support"]


def test_it_goes_on_to_the_next_unless_somebody_acknowledges(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana: Person,
    ana_mail: Destination,
    domain: Domain,
    mail_server: MailServer,
    clock: time_machine.Traveller,
    acknowledge: Acknowledge,
) -> None:
    ben = signed_in(domain, "102", "Ben")
    destinations.add(domain, Channel.EMAIL, "ben@example.com", "ben@example.com", ben)
    make_route((ana,), escalation=(ben,), escalated_after=300, repeat_seconds=120)
    go_late(read, "501")
    work()

    clock.shift(timedelta(seconds=125))
    work()
    clock.shift(timedelta(seconds=180))
    work()
    told = list(mail_server.taken)
    acknowledge(ana)
    clock.shift(timedelta(seconds=600))
    work()

    to_ana = [each for each in told if each.to == ["ana@example.com"]]
    to_ben = [each for each in told if each.to == ["ben@example.com"]]
    assert (len(to_ana), len(to_ben)) == (3, 1)
    assert len(mail_server.taken) == 4
    assert "still nobody has acknowledged it" in to_ana[1].text
    assert "nobody has acknowledged it so far" in to_ben[0].text


def test_what_is_over_before_its_time_is_told_to_nobody(
    read: Read, work: Work, make_route: MakeRoute, support: Queue, ana_mail: Destination, mail_server: MailServer
) -> None:
    make_route((ana_mail.person,), after=120)
    go_late(read, "501")
    work()

    read(60, q501="normal")
    work()
    read(120, q501="normal")
    work()

    assert mail_server.taken == []


def test_who_is_limited_to_a_queue_hears_of_no_other_in_a_common_message_either(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    sales: Queue,
    ana: Person,
    ana_mail: Destination,
    mail_server: MailServer,
) -> None:
    limits.set_limit(ana, ["502"], None)
    make_route((ana,))

    go_late(read, "501", "502")
    work()
    read(60, q501="normal", q502="normal")
    read(q501="normal", q502="normal")
    work()

    assert subjects(mail_server) == ["Late: Sales", "Resolved: Late: Sales"]
    assert not any("Support" in each.text for each in mail_server.taken)
    assert not Notice.objects.filter(alert__queue=support).exists()


def test_what_a_person_does_not_want_is_held_back_and_says_why(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana: Person,
    ana_mail: Destination,
    mail_server: MailServer,
) -> None:
    choices.save(ana, level="watch", from_time=time(20), until_time=time(22))  # readings are of about 10 o'clock
    make_route((ana,))

    go_late(read, "501")
    work()

    assert mail_server.taken == []
    assert Notice.objects.get().get_held_back_display() == "outside the hours of this person"


def test_a_route_outside_its_hours_begins_with_them(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    make_route((ana_mail.person,), from_time=time(10, 10), until_time=time(18))

    assert told_after_ten_minutes(read, work, mail_server, clock) == (0, ["Late: Support"])


def test_a_muted_queue_is_quiet_until_the_mute_ends(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana: Person,
    ana_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    make_route((ana,))
    mutes.begin(ana, support, timezone.now() + timedelta(minutes=10), "new phones")

    assert told_after_ten_minutes(read, work, mail_server, clock) == (0, ["Late: Support"])


def test_two_workers_that_decide_at_once_make_one_message(
    read: Read, work: Work, make_route: MakeRoute, support: Queue, ana_mail: Destination, domain: Domain
) -> None:
    make_route((ana_mail.person,))
    go_late(read, "501")

    assert (planning.run(domain), planning.run(domain)) == (1, 0)


def test_five_hundred_queues_that_turn_late_at_once_are_one_mail_each_decided_in_few_statements(
    read: Read, domain: Domain, work: Work, mail_server: MailServer
) -> None:
    numbers = [str(1000 + place) for place in range(500)]
    Queue.objects.bulk_create([Queue(domain=domain, number=number, name=f"Queue {number}") for number in numbers])
    for place in range(10):
        person = signed_in(domain, str(200 + place))
        choices.save(person, is_subscribed=True)
        destinations.add(domain, Channel.EMAIL, f"box{place}", f"box{place}@example.com", person)
    go_late(read, *numbers)

    with CaptureQueriesContext(connection) as statements:
        work()

    assert [str(each.letter["Subject"]) for each in mail_server.taken] == [
        "500 alerts: Queue 1000, Queue 1001 and 498 more"
    ] * 10
    assert "and 480 more" in mail_server.taken[0].text
    assert len(statements) < 400, "one for each alert would take a storm many seconds (bench.alert_mail)"
