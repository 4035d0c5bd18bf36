"""What a destination lets through: phone numbers only where somebody who may see them has said so."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, Domain, Person, User
from tests.alerts.conftest import Read
from tests.notifications.conftest import MakeRoute
from wallboard.alerts.models import Rule
from wallboard.notifications import destinations
from wallboard.notifications.channels import apprise, email, webhooks, webpush
from wallboard.notifications.deciding import planning
from wallboard.notifications.messages import Message
from wallboard.notifications.models import Channel, Delivery, Destination
from wallboard.queues.models import Queue

pytestmark = pytest.mark.django_db
NUMBER = "+49 30 901 820"


def as_sent(channel: str, content: dict[str, Any]) -> str:
    """What each channel makes of a message, as the other side reads it."""
    message = Message(id="1", **content)
    if channel == Channel.EMAIL:
        letter = email.letter("wall@example.com", "ana@example.com", message)
        return f"{letter['Subject']} {letter.get_content()}"
    if channel == Channel.PUSH:
        return webpush.payload(message).decode()
    if channel == Channel.WEBHOOK:
        return str(webhooks.document(message, timezone.now()))
    return message.title + apprise.text_of(message)


@pytest.mark.parametrize("channel", Channel.values)
def test_texts_carry_numbers_only_where_the_destination_may(
    domain: Domain, read: Read, make_route: MakeRoute, channel: str
) -> None:
    Rule.objects.create(domain=domain, stays_seconds=0, cooldown_seconds=0)
    Queue.objects.create(domain=domain, number="501", name=f"Support {NUMBER}")
    without = destinations.add(domain, Channel(channel), "without", "x")
    carries = destinations.add(domain, Channel(channel), "with", "y")
    destinations.show_numbers(carries, on=True)
    make_route((without, carries))
    read(q501="late")
    planning.run(domain)

    sent = {each.destination_name: as_sent(channel, each.content) for each in Delivery.objects.all()}

    assert NUMBER in sent["with"]
    assert NUMBER not in sent["without"]
    assert "901 820" not in sent["without"]
    assert "Support •••" in sent["without"]


def test_the_switch_is_on_the_page_off_at_first_and_audited(ana: Person, ana_mail: Destination) -> None:
    client = Client()
    client.force_login(ana.user or User())
    path = f"/notifications/{ana_mail.pk}/"
    before = client.get("/notifications/").content.decode()
    client.post(path, {"do": "numbers"})
    after = client.get("/notifications/").content.decode()
    is_on = Destination.objects.get().shows_numbers
    client.post(path, {"do": "no numbers"})

    assert "without phone numbers" in before
    assert "with phone numbers" in after
    assert (ana_mail.shows_numbers, is_on, Destination.objects.get().shows_numbers) == (False, True, False)
    changes = AuditEntry.objects.filter(what="destination changed").values_list("changes", flat=True)
    assert sorted(map(str, changes)) == sorted(
        map(str, [{"shows_numbers": [False, True]}, {"shows_numbers": [True, False]}])
    )


def test_agents_cannot_have_numbers_sent_to_them(ana: Person, ana_mail: Destination) -> None:
    Person.objects.filter(pk=ana.pk).update(role="agent")
    client = Client()
    client.force_login(ana.user or User())

    assert client.post(f"/notifications/{ana_mail.pk}/", {"do": "numbers"}).status_code == 403
    assert "Send numbers" not in client.get("/notifications/").content.decode()
    assert not Destination.objects.get().shows_numbers


def test_a_new_secret_leaves_a_destination_switched_off(domain: Domain) -> None:
    address = webhooks.new_address("https://example.com/hook")
    destination = destinations.add(domain, Channel.WEBHOOK, "hook", address)
    destinations.switch(destination, on=False)

    destinations.set_address(destination, webhooks.rotated(address))

    assert Destination.objects.get().is_enabled is False
