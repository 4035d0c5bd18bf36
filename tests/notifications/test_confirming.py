"""An e-mail address gets alerts once whoever reads it has confirmed that; until then one mail with a link."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from accounts.models import AuditEntry, Domain, Person
from tests.alerts.conftest import Read
from tests.harness.mail import MailServer
from tests.notifications.conftest import MakeRoute, Work
from wallboard.notifications import confirming, trying
from wallboard.notifications.models import Destination, Notice
from wallboard.queues.models import Queue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]


def link_of(server: MailServer) -> str:
    found = re.search(r"http://[^/]+(/notifications/confirm/\S+)", server.taken[-1].text)
    assert found
    return found[1]


def test_alerts_follow_the_confirmation_and_not_the_address(
    as_ana: Client, ana: Person, mail_server: MailServer, read: Read, work: Work, make_route: MakeRoute, support: Queue
) -> None:
    make_route((ana,))
    as_ana.post("/notifications/mail/", {"address": "ana@example.com"})
    link, visitor = link_of(mail_server), Client()
    read(q501="late")
    work()
    before = [str(each.letter["Subject"]) for each in mail_server.taken]
    opened = visitor.get(link)
    untouched = Destination.objects.get().is_confirmed
    visitor.post(link, {"do": "confirm"})
    read(60, q501="normal")
    read(60, q501="late")
    work()

    assert before == ["Confirm this address for alerts of Main"]
    assert "Send alerts to this address?" in opened.content.decode()
    assert (untouched, Destination.objects.get().is_confirmed) == (False, True)
    assert str(mail_server.taken[-1].letter["Subject"]) == "Late: Support"
    assert AuditEntry.objects.filter(what="destination confirmed").count() == 1


def test_an_address_of_the_company_waits_too_and_the_history_says_so(
    domain: Domain, mail_server: MailServer, read: Read, work: Work, make_route: MakeRoute, support: Queue
) -> None:
    confirming.add_mail(domain, "floor@example.com")
    route = make_route((Destination.objects.get(),))
    read(q501="late")
    work()

    assert len(mail_server.taken) == 1
    assert Notice.objects.get().held_back == "unproven"
    assert list(trying.of_route(route)) == []


def test_whoever_reads_it_may_refuse(as_ana: Client, mail_server: MailServer) -> None:
    as_ana.post("/notifications/mail/", {"address": "someone@example.com"})

    page = Client().post(link_of(mail_server), {"do": "remove"}).content.decode()

    assert "The address is removed" in page
    assert not Destination.objects.exists()


def test_a_link_that_is_old_or_was_changed_opens_nothing(
    as_ana: Client, mail_server: MailServer, clock: time_machine.Traveller
) -> None:
    as_ana.post("/notifications/mail/", {"address": "ana@example.com"})
    link = link_of(mail_server)

    assert Client().get(link.replace("confirm/", "confirm/0")).status_code == 404
    assert Client().get(link).status_code == 200
    clock.shift(timedelta(days=8))
    assert Client().post(link, {"do": "confirm"}).status_code == 404
    assert not Destination.objects.get().is_confirmed


def test_a_mail_can_be_asked_for_again_but_not_without_end(as_ana: Client, mail_server: MailServer) -> None:
    as_ana.post("/notifications/mail/", {"address": "ana@example.com"})
    path = f"/notifications/{Destination.objects.get().pk}/"

    for _ in range(confirming.MOST_PER_HOUR + 3):
        page = as_ana.post(path, {"do": "test"}, follow=True).content.decode()

    assert len(mail_server.taken) == confirming.MOST_PER_HOUR
    assert "Too many test mails within an hour" in page
