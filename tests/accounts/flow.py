"""Signing in at the real simulator, the way a browser does."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests
from django.test import Client

from accounts.encryption import sealed
from accounts.models import Domain
from tests.harness.simulator import Simulator


def company_at(simulator: Simulator, **columns: object) -> Domain:
    """The domain of the simulated company."""
    return Domain.objects.create(
        slug="main",
        name="Main company",
        base_url=simulator.base_url,
        client_id=simulator.client_id,
        client_secret=sealed(simulator.client_secret),
        login_client_id=simulator.login_client_id,
        login_client_secret=sealed(simulator.login_client_secret),
        **columns,
    )


def sign_in(client: Client, extension: str, decline: bool = False) -> Any:
    """Press our button, choose the person on the provider's page, come back; answers our callback's answer."""
    away = client.get("/accounts/login/start/", {"domain": "main", "next": "/desk/"})["Location"]
    choice = {"decline": "1"} if decline else {"extension": extension}
    page = requests.post(away, data=choice, allow_redirects=False, timeout=10)
    assert page.status_code == 303, page.text
    back = parse_qs(urlsplit(page.headers["Location"]).query)
    return client.get("/accounts/callback/", {name: values[0] for name, values in back.items()})


def token_calls(simulator: Simulator, after: int = 0) -> int:
    """How often the token endpoint was asked since the request with that number."""
    return sum(1 for each in requests_of(simulator, after) if each["path"] == "/api/oauth/token/")


def requests_of(simulator: Simulator, after: int = 0) -> list[dict[str, object]]:
    """What the simulator was asked, oldest first."""
    answer = requests.get(f"{simulator.base_url}/control/requests", {"after": after}, timeout=10)
    found: list[dict[str, object]] = answer.json()["requests"]
    return found
