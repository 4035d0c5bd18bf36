"""What scripts send as JSON is checked before anything else sees it, on every address that takes it."""

import pytest
from django.test import Client

from accounts.models import Domain, Person, User
from wallboard.boards.models import Board
from wallboard.screens import screens

pytestmark = pytest.mark.django_db
SIGNED_IN = [
    "/alerts/sound/",
    "/desk/close/",
    "/notifications/push/",
    "/notifications/push/end/",
    "/notifications/push/state/",
    "/people/favourites/",
]
NONSENSE = [b"", b"{", b"[]", b"1", b"[" * 100_000, b'{"a":' * 100_000, b"\xff"]


@pytest.fixture
def domain() -> Domain:
    return Domain.objects.create(name="Acme", base_url="https://p.example", client_id="a")


@pytest.mark.parametrize("path", SIGNED_IN)
@pytest.mark.parametrize("body", NONSENSE)
def test_nonsense_is_refused(domain: Domain, path: str, body: bytes) -> None:
    user = User.objects.create(username="201")
    Person.objects.create(domain=domain, extension="201", user=user, role=Person.Role.SUPERVISOR)
    client = Client()
    client.force_login(user)

    assert client.post(path, body, content_type="application/json").status_code == 400


@pytest.mark.parametrize("body", NONSENSE[1:])  # a TV of an earlier release sends an empty body
def test_nonsense_of_a_tv_is_refused(domain: Domain, body: bytes) -> None:
    _, token = screens.create(Board.objects.create(domain=domain, slug="floor", name="Floor"), "North wall")
    client = Client()
    client.get(f"/screen/{token}/")

    assert client.post("/screen/alive/", body, content_type="application/json").status_code == 400
