"""What `manage.py simulate` can be told, and the credentials it makes up where none are given."""

import secrets
from dataclasses import dataclass, field

from wallboard.simulator.oauth import Application


def _made_up() -> str:
    return secrets.token_urlsafe(18)


@dataclass(frozen=True)
class Options:
    host: str = "127.0.0.1"
    port: int = 9000
    people_count: int = 24
    queue_count: int = 6
    pace: float = 1.0
    seed: int | None = None
    load: float = 1.0
    start_hour: float = 10.0
    stays: bool = False  # at that hour, so that nobody goes home and the floor is as busy for days
    scenario: str = ""
    has_control: bool = False
    client_id: str = "company-app"
    client_secret: str = field(default_factory=_made_up)
    login_client_id: str = "login-app"
    login_client_secret: str = field(default_factory=_made_up)
    redirect_uris: tuple[str, ...] = ("http://localhost:8000/accounts/callback/",)

    @property
    def base_url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def applications(self) -> list[Application]:
        """One application for each grant, as the developer portal would hold them."""
        return [
            Application(self.client_id, self.client_secret, "client_credentials"),
            Application(self.login_client_id, self.login_client_secret, "authorization_code", self.redirect_uris),
        ]

    @property
    def signing_key(self) -> bytes:
        """The key of tokens: the same credentials give the same key, so that tokens outlive a restart."""
        return f"{self.client_secret}\n{self.login_client_secret}".encode()
