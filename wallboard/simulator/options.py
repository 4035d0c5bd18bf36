"""What `manage.py simulate` can be told, and the credentials it makes up where none are given."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from wallboard.simulator.service.oauth.applications import Application


def _random_secret() -> str:
    return secrets.token_urlsafe(18)


@dataclass(frozen=True)
class Options:
    """The options of the command, by their names there."""

    host: str = "127.0.0.1"
    port: int = 9000
    agents: int = 24
    queues: int = 6
    companies: int = 0  # further ones, each under a path of its own
    speed: float = 1.0
    seed: int | None = None
    load: float = 1.0
    start: float = 10.0  # hour of the day
    stay: bool = False  # at that hour, so that nobody goes home and the floor is as busy for days
    scenario: str = ""
    control: bool = False
    dialect: Mapping[str, object] = field(default_factory=dict)
    client_id: str = "company-app"
    client_secret: str = field(default_factory=_random_secret)
    login_client_id: str = "login-app"
    login_client_secret: str = field(default_factory=_random_secret)
    redirect_uri: tuple[str, ...] = ("http://localhost:8000/accounts/callback/",)

    @classmethod
    def from_command_line(cls, values: Mapping[str, Any]) -> Self:
        """Options from the command line's values; what was left out keeps its default."""
        given = {name: values[name] for name in cls.__dataclass_fields__ if values.get(name) is not None}
        if "redirect_uri" in given:
            given["redirect_uri"] = tuple(given["redirect_uri"])
        return cls(**given)

    @property
    def base_url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def of_company(self, number: int) -> Self:
        """The options of a further company: people, credentials and tokens of its own."""
        names = ("client_id", "client_secret", "login_client_id", "login_client_secret")
        own: dict[str, Any] = {name: f"{getattr(self, name)}-{number}" for name in names}
        return replace(self, **own, companies=0, seed=None if self.seed is None else self.seed + number)

    @property
    def day_stays(self) -> bool:
        """Whether the floor's day stays at its hour."""
        return self.stay or self.scenario == "demo"

    @property
    def applications(self) -> dict[str, Application]:
        """One application for each grant, as the developer portal would hold them, by client id."""
        both = [
            Application(self.client_id, self.client_secret, "client_credentials"),
            Application(self.login_client_id, self.login_client_secret, "authorization_code", self.redirect_uri),
        ]
        return {application.client_id: application for application in both}

    @property
    def signing_key(self) -> bytes:
        """The key of tokens: the same credentials give the same key, so that tokens outlive a restart."""
        return f"{self.client_secret}\n{self.login_client_secret}".encode()
