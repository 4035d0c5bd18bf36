"""After an outage of a mail server: one message that is true, and none that is over."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Domain, Person
from tests.alerts.conftest import Acknowledge, Read
from tests.harness.mail import MailServer
from tests.notifications.conftest import MakeRoute, Work
from wallboard.notifications import links, mutes
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.deciding import planning, superseding
from wallboard.notifications.models import Delivery, Destination
from wallboard.notifications.sending import deliveries
from wallboard.notifications.sending.deliveries import Busy
from wallboard.queues.models import Queue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]
BUSY = "450 4.3.0 try later"


def states() -> list[str]:
    return list(Delivery.objects.order_by("pk").values_list("state", flat=True))


@pytest.fixture
def _refused(
    at_once: None,
    clock: time_machine.Traveller,
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana_mail: Destination,
    mail_server: MailServer,
) -> None:
    """The mail server has refused once to take that Support is late; it would take it now."""
    make_route((ana_mail.person,))
    mail_server.refuses["ana@example.com"] = BUSY
    read(q501="late")
    work()
    mail_server.refuses.clear()


@pytest.mark.usefixtures("_refused")
def test_late_does_not_arrive_after_resolved(
    read: Read,
    work: Work,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    read(61, q501="normal")
    work()
    clock.shift(timedelta(minutes=20))
    work()

    assert [str(each.letter["Subject"]) for each in mail_server.taken] == ["Resolved: Late: Support"]
    assert states() == ["dropped", "sent"]


@pytest.mark.usefixtures("_refused")
def test_what_somebody_acknowledged_meanwhile_is_not_tried_again(
    read: Read,
    work: Work,
    ana: Person,
    ana_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
    acknowledge: Acknowledge,
) -> None:
    acknowledge(ana)
    clock.shift(timedelta(minutes=1))
    work()

    ana_mail.refresh_from_db()
    assert (mail_server.taken, states()) == ([], ["dropped"])
    assert ana_mail.is_enabled


def test_an_outage_ends_with_one_message_that_tells_of_all_that_is_open(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    sales: Queue,
    ana_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    make_route((ana_mail.person,), queues=["501"], kinds=["level"])
    make_route((ana_mail.person,), queues=["502"], kinds=["level"], repeat_seconds=60, name="Sales")
    mail_server.refuses["ana@example.com"] = BUSY
    read(q501="late")
    work()
    for _ in range(30):
        read(61, q501="late", q502="late")
        work()
    waiting = states().count("waiting")
    mail_server.refuses.clear()
    clock.shift(timedelta(minutes=2))
    work()

    assert waiting == 1
    [mail] = mail_server.taken
    assert "Late: Support" in mail.text
    assert "Late: Sales" in mail.text
    sent = Delivery.objects.get(state="sent")
    assert {str(each.queue) for each in links.alerts_of(sent)} == {"Support", "Sales"}
    assert sent.content == {"title": "2 alerts: Support, Sales"}


@pytest.mark.usefixtures("_refused")
def test_what_was_muted_since_is_told_when_the_mute_ends(
    read: Read,
    work: Work,
    support: Queue,
    ana: Person,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    mutes.begin(ana, support, timezone.now() + timedelta(hours=1), "maintenance")

    clock.shift(timedelta(minutes=2))
    work()
    assert mail_server.taken == []

    read(3500, q501="late")
    work()
    assert [str(each.letter["Subject"]) for each in mail_server.taken] == ["Late: Support"]
    assert states() == ["dropped", "sent"]


@pytest.mark.usefixtures("_refused")
def test_what_is_muted_goes_into_no_newer_message(
    read: Read,
    work: Work,
    support: Queue,
    sales: Queue,
    ana: Person,
    mail_server: MailServer,
) -> None:
    mutes.begin(ana, support, timezone.now() + timedelta(hours=1), "maintenance")

    read(61, q501="late", q502="late")
    work()
    assert [str(each.letter["Subject"]) for each in mail_server.taken] == ["Late: Sales"]

    read(3600, q501="late", q502="late")
    work()
    assert [str(each.letter["Subject"]) for each in mail_server.taken] == ["Late: Sales", "Late: Support"]


def test_what_a_sender_gives_back_while_a_newer_message_is_made_is_sent_by_itself(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    sales: Queue,
    domain: Domain,
    ana: Person,
    ana_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_route((ana,))
    read(q501="late")
    planning.run(domain)
    clock.shift(timedelta(seconds=55))
    [held] = deliveries.claim(50, Busy())
    read(6, q501="late", q502="late")
    unsent = superseding.unsent

    def failing_meanwhile(*given: Any) -> Any:
        found = unsent(*given)
        deliveries._failed(held, NotSent(BUSY))
        return found

    with monkeypatch.context() as patched:
        patched.setattr(superseding, "unsent", failing_meanwhile)
        planning.run(domain)
    clock.shift(timedelta(minutes=5))
    work()

    assert sorted(str(each.letter["Subject"]) for each in mail_server.taken) == ["Late: Sales", "Late: Support"]
