"""Hosts of companies are let in while they are theirs, and refused before and after."""

import asyncio
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client, RequestFactory

from accounts.companies import addresses, hosts
from accounts.models import Domain
from tests.accounts.conftest import make_domain
from wallboard.sockets.routing import KnownOrigins

HOST = "acme.localhost"


@pytest.fixture
def acme(db: None) -> Domain:
    return make_domain("acme", host=HOST)


def status(host: str) -> int:
    return Client(headers={"host": host}).get("/accounts/password/").status_code


def test_a_host_counts_from_when_it_is_a_companys_until_it_is_none(acme: Domain) -> None:
    before = status("beta.localhost")
    Domain.objects.filter(pk=acme.pk).update(host="beta.localhost")
    cache.clear()

    assert (before, status("beta.localhost"), status(HOST)) == (400, 200, 400)
    assert "beta.localhost" in settings.ALLOWED_HOSTS
    assert HOST not in settings.ALLOWED_HOSTS
    Domain.objects.update(host=None)
    cache.clear()
    assert status("beta.localhost") == 400


def test_the_policy_of_its_pages_lets_their_sockets_connect(acme: Domain) -> None:
    page = Client(headers={"host": HOST}).get("/accounts/password/")

    assert f"connect-src 'self' ws://{HOST};" in page.headers["Content-Security-Policy"]
    other = Client().get("/accounts/password/").headers["Content-Security-Policy"]
    assert HOST not in other


def test_a_form_posted_at_its_host_is_taken_and_one_from_elsewhere_is_not(acme: Domain) -> None:
    client = Client(enforce_csrf_checks=True, headers={"host": HOST})
    client.get("/accounts/password/")
    form = {"csrfmiddlewaretoken": client.cookies["csrftoken"].value, "username": "a", "password": "b"}

    own = client.post("/accounts/password/", form, headers={"origin": f"http://{HOST}"})
    foreign = client.post("/accounts/password/", form, headers={"origin": "http://evil.localhost"})

    assert (own.status_code, foreign.status_code) == (400, 403)
    assert "password" in own.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_socket_may_come_from_its_pages_only() -> None:
    make_domain("acme", host=HOST)

    def is_let_in(origin: str, host: str) -> bool:
        reached: list[str] = []

        async def application(_scope: Any, _receive: Any, _send: Any) -> None:
            reached.append("yes")

        frames: list[dict[str, Any]] = [{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1006}]

        async def receive() -> dict[str, Any]:
            return frames.pop(0)

        async def send(_message: Any) -> None:
            """Nobody listens."""

        scope = {"type": "websocket", "headers": [(b"host", host.encode()), (b"origin", origin.encode())]}
        asyncio.run(KnownOrigins(application)(scope, receive, send))
        return bool(reached)

    assert not is_let_in("http://evil.localhost", HOST)
    assert is_let_in(f"http://{HOST}", HOST)
    assert not is_let_in(f"http://{HOST}", "testserver")  # its pages may come from another server than ours
    assert not is_let_in("http://testserver", HOST)
    assert is_let_in("http://testserver", "testserver")


def test_addresses_follow_the_host(acme: Domain) -> None:
    main, request = make_domain("main"), RequestFactory().get("/", headers={"host": HOST})
    hosts.follow(HOST)

    assert addresses.of(acme) == f"http://{HOST}"
    assert addresses.of(main) == "http://testserver"
    assert addresses.sign_in(acme) == f"http://{HOST}/accounts/login/"
    assert addresses.sign_in(main) == "http://testserver/c/main/"
    assert addresses.here(request) == f"http://{HOST}"
    assert addresses.here(RequestFactory().get("/")) == "http://testserver"
    assert hosts.company_at(request) == acme.pk
