"""A message that is tried again says what is true by then, and goes to each address of a person once."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import limits
from accounts.models import Domain, Person
from tests.alerts.conftest import Read
from tests.harness.mail import MailServer
from tests.notifications.conftest import MakeRoute, Work, signed_in
from wallboard.alerts import lifecycle
from wallboard.alerts.models import Alert
from wallboard.notifications import destinations, history, mutes
from wallboard.notifications.models import Channel, Delivery, Destination, Notice
from wallboard.queues.models import Queue

BUSY = "450 4.3.0 try later"
MINUTES = timedelta(minutes=1)
FIRST, SECOND = "ana@example.com", "home@example.com"


@pytest.fixture
def second_mail(ana: Person) -> Destination:
    """Another address of Ana's."""
    return destinations.add(ana.domain, Channel.EMAIL, SECOND, SECOND, ana)


@pytest.fixture
def _both_late(
    at_once: None,
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    sales: Queue,
    ana_mail: Destination,
    mail_server: MailServer,
) -> None:
    """The mail server has refused once to take that Support and Sales are late; it would take it now."""
    make_route((ana_mail.person,))
    mail_server.refuses[FIRST] = BUSY
    read(q501="late", q502="late")
    work()
    mail_server.refuses.clear()


@pytest.fixture
def _late_for_two(
    at_once: None,
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana_mail: Destination,
    second_mail: Destination,
    mail_server: MailServer,
) -> None:
    """Neither address of Ana's took yet that Support is late; both would now."""
    make_route((ana_mail.person,))
    mail_server.refuses[FIRST] = mail_server.refuses[SECOND] = BUSY
    read(q501="late")
    work()
    mail_server.refuses.clear()


def subjects(server: MailServer) -> list[str]:
    return [str(each.letter["Subject"]) for each in server.taken]


def told_to(server: MailServer) -> list[str]:
    return sorted(each.to[0] for each in server.taken)


def outcomes() -> list[tuple[str, str]]:
    return list(Delivery.objects.order_by("pk").values_list("state", "outcome"))


@pytest.mark.usefixtures("_both_late")
def test_what_a_colleague_took_meanwhile_is_left_out_and_the_history_says_so(
    domain: Domain, work: Work, support: Queue, mail_server: MailServer, clock: time_machine.Traveller
) -> None:
    taken = Alert.objects.get(queue=support)
    lifecycle.acknowledge(domain.pk, taken.pk, signed_in(domain, "150", "Ben"))
    clock.shift(MINUTES)
    work()

    assert subjects(mail_server) == ["Late: Sales"]
    assert "Support" not in mail_server.taken[0].text
    assert [(each.state, each.outcome) for each in history.of_alerts([taken])[taken.pk]] == [
        ("not sent", "somebody had acknowledged it")
    ]


@pytest.mark.usefixtures("_both_late")
def test_what_is_over_meanwhile_is_left_out_and_still_told_as_resolved(
    read: Read, work: Work, mail_server: MailServer, clock: time_machine.Traveller
) -> None:
    read(5, q501="normal", q502="late")
    work()
    clock.shift(MINUTES)
    work()

    assert subjects(mail_server) == ["Late: Sales", "Resolved: Late: Support"]
    assert "Support" not in mail_server.taken[0].text


@pytest.mark.usefixtures("_both_late")
@pytest.mark.parametrize(
    ("queues", "told", "dropped"),
    [(["502"], ["Late: Sales"], []), (["503"], [], [("dropped", "this person may not see it")])],
)
def test_who_was_limited_meanwhile_hears_only_of_what_they_may_see(
    ana: Person,
    work: Work,
    mail_server: MailServer,
    clock: time_machine.Traveller,
    queues: list[str],
    told: list[str],
    dropped: list[tuple[str, str]],
) -> None:
    limits.set_limit(ana, queues, None)
    clock.shift(MINUTES)
    work()

    assert subjects(mail_server) == told
    assert not any("Support" in each.text for each in mail_server.taken)
    assert [each for each in outcomes() if each[0] == "dropped"] == dropped


@pytest.mark.usefixtures("_both_late")
def test_what_was_muted_is_left_out_and_told_when_the_mute_ends(
    ana: Person, read: Read, work: Work, support: Queue, mail_server: MailServer, clock: time_machine.Traveller
) -> None:
    mutes.begin(ana, support, timezone.now() + 20 * MINUTES, "new phones")
    clock.shift(MINUTES)
    work()
    before = subjects(mail_server)
    clock.shift(20 * MINUTES)
    work()

    assert before == ["Late: Sales"]
    assert subjects(mail_server) == ["Late: Sales", "Late: Support"]


@pytest.mark.usefixtures("_late_for_two")
def test_a_mute_holds_back_every_address_of_a_person(
    ana: Person, work: Work, support: Queue, mail_server: MailServer, clock: time_machine.Traveller
) -> None:
    mutes.begin(ana, support, timezone.now() + 20 * MINUTES, "new phones")
    clock.shift(MINUTES)
    work()
    clock.shift(MINUTES)
    work()
    before = told_to(mail_server)
    states = outcomes()
    clock.shift(20 * MINUTES)
    work()

    assert (before, states) == ([], [("dropped", "muted")] * 2)
    assert told_to(mail_server) == [FIRST, SECOND]


@pytest.mark.usefixtures("_late_for_two")
def test_what_is_over_by_the_end_of_a_mute_goes_to_no_address(
    ana: Person, read: Read, work: Work, support: Queue, mail_server: MailServer, clock: time_machine.Traveller
) -> None:
    mutes.begin(ana, support, timezone.now() + 2 * MINUTES, "new phones")
    clock.shift(MINUTES)
    work()
    read(5, q501="normal")
    clock.shift(3 * MINUTES)
    work()

    assert mail_server.taken == []


def test_who_had_it_at_one_address_gets_it_only_at_the_other_after_a_mute(
    at_once: None,
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana: Person,
    ana_mail: Destination,
    second_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    make_route((ana,))
    mail_server.refuses[FIRST] = BUSY
    read(q501="late")
    work()
    mute = mutes.begin(ana, support, timezone.now() + timedelta(hours=2), "new phones")
    mail_server.refuses.clear()
    clock.shift(MINUTES)
    work()
    before = told_to(mail_server)
    mutes.end(mute)
    clock.shift(MINUTES)
    work()

    assert before == [SECOND]
    assert told_to(mail_server) == [FIRST, SECOND]
    assert Notice.objects.count() == 1


def test_nor_twice_where_something_newer_goes_out_during_the_mute(
    at_once: None,
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    sales: Queue,
    ana: Person,
    ana_mail: Destination,
    second_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    make_route((ana,))
    mail_server.refuses[FIRST] = BUSY
    read(q501="late")
    work()
    mutes.begin(ana, support, timezone.now() + 20 * MINUTES, "new phones")
    mail_server.refuses.clear()
    read(61, q501="late", q502="late")
    work()
    clock.shift(20 * MINUTES)
    work()

    assert sorted((each.to[0], str(each.letter["Subject"])) for each in mail_server.taken) == [
        (FIRST, "Late: Sales"),
        (FIRST, "Late: Support"),
        (SECOND, "Late: Sales"),
        (SECOND, "Late: Support"),
    ]
