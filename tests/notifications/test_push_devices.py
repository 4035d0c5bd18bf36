"""The browsers that messages are pushed to: one destination each, of the last one who turned it on there."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client

from accounts.models import Domain, Person, User
from tests.notifications.channels.push_endpoint import PushEndpoint, push_endpoint
from tests.notifications.channels.receivers import answer
from wallboard.notifications import destinations, push_devices
from wallboard.notifications.channels import webpush
from wallboard.notifications.models import Destination

pytestmark = pytest.mark.django_db
ANDROID = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0"
PUSH = "/notifications/push/"


@pytest.fixture
def domain() -> Domain:
    return Domain.objects.create(name="Acme", base_url="https://p.example", client_id="a")


@pytest.fixture
def endpoint(loopback_allowed: None) -> Iterator[PushEndpoint]:
    with push_endpoint() as running:
        yield running


def person(domain: Domain, extension: str) -> Person:
    user = User.objects.create(username=extension)
    return Person.objects.create(domain=domain, extension=extension, user=user, role=Person.Role.SUPERVISOR)


def signed_in(person: Person) -> Client:
    client = Client(headers={"user-agent": ANDROID})
    assert person.user is not None
    client.force_login(person.user)
    return client


def post(client: Client, path: str, body: Any) -> Any:
    return client.post(path, body, content_type="application/json")


def test_turning_it_on_sends_a_test_and_turning_it_off_forgets_the_browser(
    domain: Domain, endpoint: PushEndpoint
) -> None:
    client = signed_in(person(domain, "201"))
    which = {"endpoint": endpoint.subscription["endpoint"]}
    endpoint.application_server_key = client.get(PUSH + "key/").json()["key"]
    assert post(client, PUSH + "state/", which).json() == {"is_on": False}

    answer = post(client, PUSH, {"subscription": endpoint.subscription, "is_new": True})

    assert (answer.status_code, answer.json()) == (200, {"message": ""})
    assert "This is a test" in endpoint.read(endpoint.receiver.received[0])["text"]
    assert post(client, PUSH + "state/", which).json() == {"is_on": True}
    assert b"Chrome on Android" in client.get("/notifications/").content
    assert post(client, PUSH + "end/", which).status_code == 204
    assert post(client, PUSH + "state/", which).json() == {"is_on": False}
    assert not Destination.objects.exists()


def test_a_push_service_that_refuses_is_quoted(domain: Domain, endpoint: PushEndpoint) -> None:
    endpoint.receiver.answering = lambda handler: answer(handler, 403, b"wrong key")

    said = post(signed_in(person(domain, "201")), PUSH, {"subscription": endpoint.subscription, "is_new": True}).json()

    assert said == {"message": "127.0.0.1 answers: 403 wrong key"}


def test_a_subscription_that_is_gone_is_removed(domain: Domain, endpoint: PushEndpoint) -> None:
    endpoint.receiver.answering = lambda handler: answer(handler, 410)
    client = signed_in(person(domain, "201"))
    post(client, PUSH, {"subscription": endpoint.subscription})
    device = Destination.objects.get()

    client.post(f"/notifications/{device.pk}/", {"do": "test"})

    assert not Destination.objects.exists()


def test_the_same_browser_again_is_the_same_destination(domain: Domain, endpoint: PushEndpoint) -> None:
    one = person(domain, "201")
    first = push_devices.subscribe(one, endpoint.subscription, ANDROID)
    moved = {**endpoint.subscription, "endpoint": endpoint.subscription["endpoint"] + "-new"}

    assert push_devices.subscribe(one, endpoint.subscription, ANDROID) == first
    assert push_devices.subscribe(one, moved, ANDROID, endpoint.subscription["endpoint"]) == first
    assert destinations.open_address(Destination.objects.get()) == webpush.address_from(moved)


def test_who_turns_it_on_in_the_browser_of_another_takes_it_over(domain: Domain, endpoint: PushEndpoint) -> None:
    one, other = person(domain, "201"), person(domain, "202")
    push_devices.subscribe(one, endpoint.subscription, ANDROID)

    push_devices.subscribe(other, endpoint.subscription, ANDROID)

    assert Destination.objects.get().person == other


def test_nobody_ends_or_sees_the_subscription_of_another(domain: Domain, endpoint: PushEndpoint) -> None:
    one, other = person(domain, "201"), person(domain, "202")
    push_devices.subscribe(one, endpoint.subscription, ANDROID)
    which = {"endpoint": endpoint.subscription["endpoint"]}

    assert post(signed_in(other), PUSH + "state/", which).json() == {"is_on": False}
    post(signed_in(other), PUSH + "end/", which)

    assert Destination.objects.get().person == one


def test_the_endpoint_is_stored_sealed(domain: Domain, endpoint: PushEndpoint) -> None:
    device = push_devices.subscribe(person(domain, "201"), endpoint.subscription, ANDROID)

    assert "127.0.0.1" not in str(device.address)


@pytest.mark.parametrize(
    "body", ["{", "[]", "{}", '{"subscription": 1}', '{"subscription": {}}', '{"subscription": {"endpoint": 7}}']
)
def test_nonsense_is_refused(domain: Domain, body: str) -> None:
    client = signed_in(person(domain, "201"))

    assert post(client, PUSH, body).status_code == 400
    assert post(client, PUSH + "state/", "{").status_code == 400
    assert post(client, PUSH + "end/", "{").status_code == 400


def test_an_endpoint_without_https_is_refused_in_words(domain: Domain, endpoint: PushEndpoint, settings: Any) -> None:
    settings.OUTBOUND_ALLOWED_NETWORKS = ()

    said = post(signed_in(person(domain, "201")), PUSH, {"subscription": endpoint.subscription})

    assert (said.status_code, said.json()) == (400, {"message": "The address must start with https://."})


def test_there_are_only_so_many(domain: Domain, endpoint: PushEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(destinations, "MOST_PER_PERSON", 1)
    one = person(domain, "201")
    push_devices.subscribe(one, endpoint.subscription, ANDROID)
    second = PushEndpoint(endpoint.receiver, ec.generate_private_key(ec.SECP256R1()), os.urandom(16)).subscription

    with pytest.raises(push_devices.TooMany):
        push_devices.subscribe(one, {**second, "endpoint": second["endpoint"] + "2"}, ANDROID)


@pytest.mark.parametrize(
    ("agent", "name"),
    [(ANDROID, "Chrome on Android"), (IPHONE, "Safari on iPhone"), (WINDOWS, "Edge on Windows"), ("", "A browser")],
)
def test_a_device_is_called_what_people_call_it(agent: str, name: str) -> None:
    assert push_devices.device_name(agent) == name


def test_the_worker_is_served_to_the_browser_as_a_script() -> None:
    answer = Client().get("/notifications/worker.js")

    assert answer.headers["Content-Type"] == "text/javascript"
    assert b"pushsubscriptionchange" in answer.content
