"""Mailboxes are named without their address, and nobody writes to a stranger's again and again by way of a test."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from accounts.models import AuditEntry, Domain, Person
from tests.harness.mail import MailServer
from wallboard.notifications import destinations
from wallboard.notifications.channels import apprise
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.models import Channel, Delivery, Destination

pytestmark = pytest.mark.django_db


def test_a_mailbox_stands_nowhere_in_the_clear_but_on_its_owners_page(
    as_ana: Client, ana: Person, ana_mail: Destination, mail_server: MailServer
) -> None:
    mail_server.refuses["ana@example.com"] = "550 5.1.1 <ana@example.com>: no such person"

    as_ana.post(f"/notifications/{ana_mail.pk}/", {"do": "test"})

    stored, delivery = Destination.objects.get(), Delivery.objects.get()
    kept = [stored.name, stored.last_outcome, delivery.destination_name, delivery.outcome]
    kept += [f"{each.about} {each.changes}" for each in AuditEntry.objects.all()]
    assert stored.name == "a•••@example.com"
    assert not any("ana@example.com" in each for each in kept)
    assert "550 5.1.1 <a•••@example.com>: no such person" in delivery.outcome
    assert "ana@example.com" in as_ana.get("/notifications/").content.decode()


def test_a_name_of_its_own_stays(domain: Domain) -> None:
    floor = destinations.add(domain, Channel.EMAIL, "Floor", "floor@example.com")

    assert (floor.name, destinations.full_name(floor)) == ("Floor", "Floor")


def test_a_person_can_test_only_so_often(as_ana: Client, ana_mail: Destination, mail_server: MailServer) -> None:
    for _ in range(12):
        page = as_ana.post(f"/notifications/{ana_mail.pk}/", {"do": "test"}, follow=True).content.decode()

    assert len(mail_server.taken) == 10
    assert "There were too many tests" in page


def test_an_address_that_cannot_be_looked_at_now_is_an_answer_and_no_error(
    as_ana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apprise, "PATIENCE_SECONDS", 0.01)
    with apprise._looking, apprise._looking:
        answer = as_ana.post("/notifications/chat/", {"address": "ntfys://ntfy.example.com/x"})

    with pytest.raises(NotSent), apprise._looking, apprise._looking:
        apprise.recognized("ntfys://ntfy.example.com/x")
    assert (answer.status_code, "try again" in answer.content.decode()) == (400, True)


def test_names_of_before_are_masked_too(domain: Domain) -> None:
    mailbox = destinations.add(domain, Channel.EMAIL, "Floor", "floor@example.com")
    Destination.objects.update(name="floor@example.com", last_outcome="550 <floor@example.com>: no")
    migration = import_module("wallboard.notifications.migrations.0005_masked_mailboxes")

    migration.mask(apps, connection.schema_editor())

    mailbox.refresh_from_db()
    assert (mailbox.name, mailbox.last_outcome) == ("f•••@example.com", "550 <f•••@example.com>: no")
