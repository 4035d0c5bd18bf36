"""Who hears of what: nobody without a sign-in, and "resolved" by the same rules as the alert itself."""

from collections.abc import Callable
from datetime import time, timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts import limits, people
from accounts.models import Domain, Person, Team, User
from tests.alerts.conftest import Read
from tests.harness.mail import MailServer
from tests.notifications.conftest import MakeRoute, Work
from wallboard.alerts.models import Alert
from wallboard.notifications import choices, destinations, history, links, mutes, routes, trying
from wallboard.notifications.models import Channel, Delivery, Destination, Notice
from wallboard.notifications.routes import StepInput
from wallboard.queues.models import Queue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]


def disable(ana: Person) -> None:
    User.objects.update(is_active=False)


def give_away(ana: Person) -> None:
    people.link(ana, User.objects.create(username="bea"))


LOST: dict[str, Callable[[Person], object]] = {
    "unlinked": people.unlink, "disabled": disable, "replaced": give_away, "handed over": people.hand_over,
}  # fmt: skip


@pytest.mark.parametrize("lose", LOST.values(), ids=LOST)
def test_who_lost_their_sign_in_hears_nothing_and_acknowledges_nothing(
    lose: Callable[[Person], object],
    told: MailServer,
    read: Read,
    work: Work,
    ana: Person,
    sales: Queue,
    domain: Domain,
    clock: time_machine.Traveller,
) -> None:
    team = Team.objects.create(domain=domain, name="Floor")
    team.people.add(ana)
    routes.save(domain, {"name": "Team", "repeat_seconds": 60}, [StepInput(0, teams=[team])])
    choices.save(ana, is_subscribed=True)
    link = links.acknowledge_url(Delivery.objects.get().uid, domain)

    lose(Person.objects.get(pk=ana.pk))
    clock.shift(timedelta(minutes=2))
    read(q501="late", q502="late")
    work()
    answer = Client().post(link, {"alert": Alert.objects.earliest("pk").pk})

    assert len(told.taken) == 1
    assert answer["Location"].startswith("/accounts/login/")
    assert not Alert.objects.exclude(acknowledged_at=None).exists()
    assert not any(trying.of_route(route) for route in domain.alert_routes.all())


def test_a_message_that_waits_is_not_sent_to_who_lost_their_sign_in(
    told: MailServer, read: Read, work: Work, ana: Person, clock: time_machine.Traveller
) -> None:
    told.refuses["ana@example.com"] = "450 busy"
    read(61, q501="normal")
    work()
    people.unlink(Person.objects.get(pk=ana.pk))
    told.refuses.clear()

    clock.shift(timedelta(seconds=10))
    work()

    last = Delivery.objects.latest("pk")
    assert (last.state, last.outcome) == ("dropped", "this person has no sign-in any more")
    assert len(told.taken) == 1


def test_whoever_follows_at_an_extension_sees_none_of_the_addresses_before(ana: Person, ana_mail: Destination) -> None:
    give_away(ana)
    person = Person.objects.get(pk=ana.pk)

    assert list(destinations.of_person(person)) == []
    mine = destinations.add(person.domain, Channel.EMAIL, "bea", "bea@example.com", person)
    history.delete_old()

    assert list(Destination.objects.all()) == [mine]


def test_resolved_goes_to_nobody_who_may_not_see_the_queue_any_more(
    told: MailServer, read: Read, work: Work, ana: Person
) -> None:
    limits.set_limit(ana, ["502"], None)

    read(61, q501="normal")
    work()

    assert len(told.taken) == 1
    assert not Notice.objects.filter(what="resolved").exists()


def test_resolved_keeps_the_hours_of_a_person(told: MailServer, read: Read, work: Work, ana: Person) -> None:
    choices.save(ana, from_time=time(20), until_time=time(22))  # readings are of about 10 o'clock

    read(61, q501="normal")
    work()

    assert len(told.taken) == 1
    assert Notice.objects.get(what="resolved").held_back == "hours"


def test_resolved_is_muted_as_the_rest(
    told: MailServer, read: Read, work: Work, ana: Person, clock: time_machine.Traveller
) -> None:
    mutes.begin(ana, None, timezone.now() + timedelta(minutes=10), "new phones")

    read(61, q501="normal")
    work()
    clock.shift(timedelta(minutes=11))
    work()

    assert len(told.taken) == 1
    assert Notice.objects.get(what="resolved").held_back == "muted"


def test_what_waits_when_a_mute_begins_waits_for_its_end(
    told: MailServer, read: Read, work: Work, ana: Person, sales: Queue, clock: time_machine.Traveller
) -> None:
    read(q501="late", q502="late")
    work()
    mutes.begin(ana, sales, timezone.now() + timedelta(minutes=10), "new phones")
    clock.shift(timedelta(minutes=5))
    work()
    during = len(told.taken)
    clock.shift(timedelta(minutes=6))
    work()

    assert (during, len(told.taken)) == (1, 2)
    assert "Sales" in told.taken[-1].text


def test_the_history_outlives_a_destination_and_what_waited_for_it(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    sales: Queue,
    domain: Domain,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    floor = destinations.add(domain, Channel.EMAIL, "Floor mail", "floor@example.com")
    make_route((floor,))
    read(q501="late")
    work()
    read(q501="late", q502="late")
    work()  # waits for its minute

    destinations.remove(floor)
    clock.shift(timedelta(minutes=2))
    read(q501="normal", q502="normal")
    work()

    lines = [each for some in history.of_alerts(Alert.objects.all()).values() for each in some]
    assert [(each.told, each.state) for each in lines] == [("Floor mail", "sent"), ("Floor mail", "not sent")]
