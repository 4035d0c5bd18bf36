"""Adding chats and webhooks on the pages; a webhook's secret is shown once."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from standardwebhooks import Webhook

from accounts.models import Domain, Person
from tests.notifications.channels.receivers import Receiver, answer, receiving
from tests.notifications.test_push_devices import domain as domain  # the fixture
from tests.notifications.test_push_devices import person, signed_in
from wallboard.notifications import destinations
from wallboard.notifications.models import Channel, Destination
from wallboard.notifications.permitted_addresses import networks

pytestmark = pytest.mark.django_db
NEW_WEBHOOK, NEW_CHAT = "/setup/notifications/webhooks/new/", "/notifications/chat/"


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.OUTBOUND_ALLOWED_NETWORKS = networks(["127.0.0.1"])
    with receiving(lambda handler: answer(handler, 200)) as running:
        yield running


@pytest.fixture
def administrator(domain: Domain) -> Client:
    admin = person(domain, "900")
    admin.role = Person.Role.ADMINISTRATOR
    admin.save()
    return signed_in(admin)


def secret_on(page: Any) -> str:
    found = re.search(r'id="webhook-secret">(whsec_[^<]+)<', page.content.decode())
    assert found
    return found[1]


def test_a_webhook_is_added_its_secret_shown_once_and_changed(administrator: Client, receiver: Receiver) -> None:
    form = {"url": receiver.url + "/private-path"}
    first, again = (secret_on(administrator.post(NEW_WEBHOOK, form, follow=True)) for _ in range(2))
    assert first == again, "two clicks make two webhooks"
    stored = Destination.objects.get()
    page = f"/setup/notifications/webhooks/{stored.pk}/"
    for address in (page, "/setup/notifications/"):
        shown = administrator.get(address).content.decode()
        assert str(stored) in shown
        assert "whsec_" not in shown
        assert "private-path" not in shown
    second, again = (secret_on(administrator.post(page, follow=True)) for _ in range(2))
    assert second == again, "two clicks make two secrets, of which one is shown to nobody"

    administrator.post(f"/setup/notifications/destinations/{stored.pk}/", {"do": "test"})

    (request,) = receiver.received
    assert first != second
    for secret in (first, second):
        assert Webhook(secret).verify(request.body, request.headers)["type"] == "test"
    assert "private-path" not in str(Destination.objects.get().address)


@pytest.mark.parametrize("url", ["http://hooks.example.com/", "https://u:p@hooks.example.com/", "nonsense", ""])
def test_a_webhook_that_cannot_be_used_is_not_added(administrator: Client, url: str) -> None:
    page = administrator.post(NEW_WEBHOOK, {"url": url})

    assert page.status_code == 400
    assert 'class="errorlist"' in page.content.decode()
    assert not Destination.objects.exists()


def test_a_chat_is_added_with_a_test_and_its_address_never_shown(domain: Domain, receiver: Receiver) -> None:
    client = signed_in(person(domain, "201"))
    address = receiver.url.replace("http", "json") + "/private-path"

    page = client.post(NEW_CHAT, {"address": address, "name": ""}, follow=True)

    stored = Destination.objects.get()
    assert (stored.name, destinations.open_address(stored)) == ("JSON", address)
    assert "A test message went to JSON: taken by JSON" in page.content.decode()
    assert "private-path" not in page.content.decode()
    assert len(receiver.received) == 1


def test_an_address_of_no_service_is_said_and_kept_for_correction(domain: Domain) -> None:
    page = signed_in(person(domain, "201")).post(NEW_CHAT, {"address": "syslog://", "name": "Ours"})

    assert page.status_code == 400
    assert "Messages cannot be sent over this service from here." in page.content.decode()
    assert 'value="Ours"' in page.content.decode()


def test_a_chat_of_the_company_belongs_to_nobody(administrator: Client, receiver: Receiver) -> None:
    address = receiver.url.replace("http", "ntfy") + "/floor"

    administrator.post("/setup/notifications/chat/", {"address": address, "name": "The floor"})

    assert Destination.objects.get(person=None).name == "The floor"


def test_what_is_no_webhook_of_the_company_has_no_secret(administrator: Client, domain: Domain) -> None:
    other = Domain.objects.create(slug="b", name="B", base_url="https://b.example", client_id="b")
    rows = [
        destinations.add(domain, Channel.EMAIL, "mail", "a@example.com"),
        destinations.add(other, Channel.WEBHOOK, "theirs", {"url": "https://a.example/", "secret": "whsec_AAAA"}),
    ]

    for row in rows:
        assert administrator.post(f"/setup/notifications/webhooks/{row.pk}/").status_code == 404


def test_who_has_no_mail_server_is_told_what_they_can_do(administrator: Client, settings: Any) -> None:
    settings.SMTP_URL = ""
    page = administrator.get("/notifications/").content.decode()
    Person.objects.update(role="agent")
    of_agent = administrator.get("/notifications/").content.decode()

    assert 'href="/setup/notifications/#server"' in page
    assert "An administrator does that" not in page
    assert "An administrator does that" in of_agent
    assert "/setup/notifications/#server" not in of_agent
