"""A company and a faked provider for the tests of this room."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
import responses
from django.test import Client

from accounts.encryption import sealed
from accounts.models import Domain
from accounts.signin import identity

PROVIDER = "https://provider.test"


@dataclass
class Provider:
    """What the faked provider answers; tests change it and read what was asked."""

    rotates: bool = True
    users: tuple[str, ...] = ("101",)
    extra: dict[str, object] = field(default_factory=dict)
    refusal: tuple[int, dict[str, object]] | None = None
    has_refresh_token: bool = True
    forms: list[dict[str, str]] = field(default_factory=list)
    probes: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    subscription_status: int = 200
    failing_probes: int = 0
    settling_reads: int = 0  # so many do not find a subscription that was just made

    @property
    def refreshes(self) -> list[dict[str, str]]:
        return [form for form in self.forms if form["grant_type"] == "refresh_token"]

    def token(self, request: requests.PreparedRequest) -> tuple[int, dict[str, str], str]:
        body = request.body or b""
        text = body.decode() if isinstance(body, bytes) else body
        self.forms.append({name: values[0] for name, values in parse_qs(text).items()})
        if self.refusal:
            return self.refusal[0], {}, json.dumps(self.refusal[1])
        number = len(self.forms)
        answer: dict[str, object] = {"access_token": f"access-{number}", "token_type": "Bearer", "expires_in": 3599}
        is_user = self.forms[-1]["grant_type"] != "client_credentials"
        is_first = self.forms[-1]["grant_type"] == "authorization_code"
        if is_user and self.has_refresh_token and (is_first or self.rotates):
            answer["refresh_token"] = f"refresh-{number}"
        return 200, {}, json.dumps(answer | self.extra)

    def create(self, request: requests.PreparedRequest) -> tuple[int, dict[str, str], str]:
        self.probes.append(json.loads(request.body or "{}")["post_uri"])
        if len(self.probes) <= self.failing_probes:
            return 502, {}, ""
        return self.subscription_status, {}, json.dumps({"id": "77", "events": {"type": "calls"}})

    def read(self, request: requests.PreparedRequest) -> tuple[int, dict[str, str], str]:
        if self.settling_reads:
            self.settling_reads -= 1
            return 404, {}, ""
        events = [{"type": "calls", "user": user} for user in self.users]
        return 200, {}, json.dumps({"id": 77, "events": events})

    def delete(self, request: requests.PreparedRequest) -> tuple[int, dict[str, str], str]:
        self.deleted.append(str(request.url))
        return 204, {}, ""


@pytest.fixture(autouse=True)
def _static_root(settings: Any) -> None:
    """Nothing is collected for these tests: pages name their files plainly, WhiteNoise gets an empty folder."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)


@pytest.fixture(autouse=True)
def _settled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The faked provider knows at once whose token it is: nobody waits a second for it."""
    monkeypatch.setattr(identity, "SETTLE_SECONDS", 0.0)
    monkeypatch.setattr(identity, "RETRY_SECONDS", 0.0)


@pytest.fixture
def http() -> Iterator[responses.RequestsMock]:
    """Faked HTTP, which tests may add answers to."""
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield mock


@pytest.fixture
def provider(http: responses.RequestsMock) -> Provider:
    """The provider's endpoints for sign-in and tokens over faked HTTP."""
    fake = Provider()
    http.add_callback("POST", f"{PROVIDER}/api/oauth/token/", fake.token)
    http.add_callback("POST", f"{PROVIDER}/api/subscriptions/", fake.create)
    http.add_callback("GET", f"{PROVIDER}/api/subscriptions/77/", fake.read)
    http.add_callback("DELETE", f"{PROVIDER}/api/subscriptions/77/", fake.delete)
    return fake


@pytest.fixture
def domain(db: None) -> Domain:
    return make_domain("main")


def make_domain(slug: str, **columns: Any) -> Domain:
    return Domain.objects.create(
        slug=slug,
        name=f"{slug.title()} company",
        base_url=PROVIDER,
        client_id="company",
        client_secret=sealed("canary-company-secret"),
        login_client_id="login",
        login_client_secret=sealed("canary-login-secret"),
        **columns,
    )


@pytest.fixture(autouse=True)
def closed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Users whose sockets were told to close, in place of a Redis that these tests do not need."""
    told: list[int] = []
    monkeypatch.setattr("accounts.signin.sessions.control.close_user", told.append)
    return told


@dataclass
class Visitor:
    """One browser: a cookie jar that goes to the provider's sign-in page and comes back."""

    client: Client = field(default_factory=Client)

    def start(self, **query: str) -> dict[str, str]:
        """Press the button; answers the query of the provider's address."""
        answer = self.client.get("/accounts/login/start/", {"domain": "main", **query})
        assert answer.status_code == 302, answer.content
        return {name: values[0] for name, values in parse_qs(urlsplit(answer["Location"]).query).items()}

    def come_back(self, **query: str) -> Any:
        """Come back from the provider with these parameters."""
        return self.client.get("/accounts/callback/", query)

    def sign_in(self, **query: str) -> Any:
        """The whole way."""
        return self.come_back(state=self.start(**query)["state"], code="a-code")


@pytest.fixture
def new_visitor(domain: Domain, provider: Provider) -> Callable[[], Visitor]:
    return Visitor


@pytest.fixture
def visitor(new_visitor: Callable[[], Visitor]) -> Visitor:
    return new_visitor()
