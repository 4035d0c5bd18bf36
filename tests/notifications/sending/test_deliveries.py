"""Sending: leases that outlive workers, pauses between tries, giving up, and channels that do not hold up others."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Domain, Person
from tests.harness.mail import MailServer, drip, odd_server
from tests.live.serving import database_url
from wallboard.alerts.models import Alert
from wallboard.demo.processes import BASE_DIR, wait_until
from wallboard.notifications import destinations, mail_servers
from wallboard.notifications.channels import email
from wallboard.notifications.mail_servers import Security, ServerSettings
from wallboard.notifications.models import Channel, Delivery, Destination, Notice
from wallboard.notifications.sending import deliveries
from wallboard.notifications.sending.deliveries import GIVE_UP_AFTER, LEASE, MOST_PER_PAIR, Busy
from wallboard.notifications.sending.pool import Pool

State = Delivery.State
CONTENT = {"title": "Late: Support", "text": "Late: Support", "url": "http://wall.test/alerts/"}


def delivery_to(destination: Destination) -> Delivery:
    """A message about an alert that is open."""
    domain_id, batch = destination.domain_id, uuid4()
    alert = Alert.objects.create(
        domain_id=domain_id, kind="level", subject=batch.hex, level="late", worst="late",
        began_at=timezone.now(), raised_at=timezone.now(),
    )  # fmt: skip
    person = destination.person
    Notice.objects.create(
        alert=alert, domain_id=domain_id, person=person, destination=None if person else destination,
        what="raised", told=str(destination), batch=batch,
    )  # fmt: skip
    return Delivery.objects.create(
        domain_id=domain_id,
        batch=batch,
        destination=destination,
        channel=destination.channel,
        destination_name=str(destination),
        content=CONTENT,
    )


def shared_mail(domain: Domain, name: str) -> Destination:
    return destinations.add(domain, Channel.EMAIL, name, f"{name}@example.com")


def send_due() -> None:
    for each in deliveries.claim(50, Busy()):
        deliveries.deliver(each)


@pytest.mark.django_db
def test_what_went_out_says_so(domain: Domain, ana_mail: Destination, mail_server: MailServer) -> None:
    delivery = delivery_to(ana_mail)

    send_due()
    send_due()

    delivery.refresh_from_db()
    ana_mail.refresh_from_db()
    assert (delivery.state, delivery.outcome, delivery.tries) == (State.SENT, "250 2.0.0 queued as 1", 1)
    assert (ana_mail.last_outcome, ana_mail.failing_since) == ("250 2.0.0 queued as 1", None)
    assert len(mail_server.taken) == 1


@pytest.mark.django_db
def test_what_fails_is_tried_again_after_growing_pauses_and_given_up_after_an_hour(
    ana_mail: Destination, mail_server: MailServer, clock: time_machine.Traveller
) -> None:
    mail_server.refuses["ana@example.com"] = "450 4.2.1 mailbox busy"
    delivery, began = delivery_to(ana_mail), timezone.now()
    tried: list[float] = []

    while delivery.state == State.WAITING and len(tried) < 50:
        clock.move_to(delivery.due_at)
        tried.append((timezone.now() - began).total_seconds())
        send_due()
        delivery.refresh_from_db()

    ana_mail.refresh_from_db()
    assert tried[:6] == [0, 5, 20, 65, 185, 485]
    assert tried[-1] <= GIVE_UP_AFTER.total_seconds()
    assert (delivery.state, delivery.outcome) == (State.GIVEN_UP, "450 4.2.1 mailbox busy")
    assert (ana_mail.failing_since, ana_mail.is_enabled) == (began, True)


@pytest.mark.django_db
def test_what_a_dead_worker_held_is_sent_by_another_under_the_same_id(
    ana_mail: Destination, mail_server: MailServer, clock: time_machine.Traveller
) -> None:
    delivery_to(ana_mail)
    held = deliveries.claim(50, Busy())  # and then this worker dies

    send_due()
    before = len(mail_server.taken)
    clock.shift(LEASE)
    send_due()

    assert (len(held), before) == (1, 0)
    assert mail_server.taken[0].letter["Message-ID"].startswith(f"<{held[0].uid.hex}@")


@pytest.mark.django_db
def test_a_worker_that_comes_back_too_late_does_not_undo_what_another_stored(
    ana_mail: Destination, mail_server: MailServer, clock: time_machine.Traveller
) -> None:
    delivery = delivery_to(ana_mail)
    late = deliveries.claim(50, Busy())[0]
    clock.shift(LEASE)
    send_due()
    mail_server.refuses["ana@example.com"] = "550 no"

    deliveries.deliver(late)

    delivery.refresh_from_db()
    assert delivery.state == State.SENT


@pytest.mark.django_db
def test_one_company_takes_no_more_than_its_share(domain: Domain, mail_server: MailServer) -> None:
    for number in range(MOST_PER_PAIR + 3):
        delivery_to(shared_mail(domain, f"box{number}"))

    first = deliveries.claim(50, Busy())
    busy = Busy([each.destination_id or 0 for each in first], {(domain.pk, Channel.EMAIL.value): len(first)})

    assert len(first) == MOST_PER_PAIR
    assert deliveries.claim(50, busy) == []


@pytest.mark.django_db
def test_a_destination_that_was_switched_off_gets_nothing_more(ana_mail: Destination, mail_server: MailServer) -> None:
    delivery = delivery_to(ana_mail)
    destinations.switch(ana_mail, on=False)

    send_due()

    delivery.refresh_from_db()
    assert (delivery.state, delivery.outcome) == (State.GIVEN_UP, "the destination was switched off")
    assert mail_server.taken == []


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerSettings]:
    """A mail server that drips for ever, and is cut off after three seconds."""
    monkeypatch.setattr(email, "TOTAL_SECONDS", 3.0)
    monkeypatch.setattr("wallboard.notifications.channels.email.is_permitted", lambda *_: True)
    with odd_server(drip) as port:
        yield ServerSettings("127.0.0.1", port, Security.NONE, "wall@example.com")


@pytest.mark.django_db(transaction=True)
def test_a_mail_server_that_drips_delays_no_other_company(
    domain: Domain, ana: Person, mail_server: MailServer, hanging: ServerSettings
) -> None:
    other = Domain.objects.create(
        slug="other", name="Other", base_url="http://p.test", client_id="i", client_secret="s"
    )
    mail_servers.save(other, hanging)
    stuck = [delivery_to(shared_mail(other, f"stuck{number}")) for number in range(MOST_PER_PAIR * 3)]
    delivery_to(destinations.add(domain, Channel.EMAIL, "ana", "ana@example.com", ana))
    began, pool = time.monotonic(), Pool()

    pool.wake()
    mail_server.wait_for(1, 2.5)
    took = time.monotonic() - began

    assert took < 2.5
    assert wait_until(lambda: Delivery.objects.filter(tries__gt=0).count() == len(stuck) + 1, 15)
    assert wait_until(lambda: not [each for each in threading.enumerate() if each.name.startswith("send-")], 15)
    assert "did not finish within 3 seconds" in Delivery.objects.filter(domain=other).latest("pk").outcome


SENDER = """
import django
django.setup()
from wallboard.notifications.sending import deliveries
held = deliveries.claim(50, deliveries.Busy())
print(len(held), flush=True)
import time
time.sleep(60)  # killed in here, between the decision and the mail
"""


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_between_decision_and_sending_loses_nothing(
    domain: Domain, ana_mail: Destination, mail_server: MailServer
) -> None:
    delivery = delivery_to(ana_mail)
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "wallboard.settings", "DATABASE_URL": database_url()}
    command = [sys.executable, "-c", SENDER]
    with subprocess.Popen(command, cwd=BASE_DIR, env=env, stdout=subprocess.PIPE, text=True) as worker:
        held = worker.stdout.readline().strip() if worker.stdout else ""
        worker.send_signal(signal.SIGKILL)

    send_due()
    before = len(mail_server.taken)
    Delivery.objects.update(leased_until=timezone.now() - timedelta(seconds=1))  # its lease has ended
    send_due()

    assert (held, before) == ("1", 0)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries, len(mail_server.taken)) == (State.SENT, 2, 1)
