"""The provider's service as a process of its own, for tests that speak to it over HTTP."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

from wallboard.demo.processes import BASE_DIR, Child, free_port, wait_until


@dataclass
class Simulator:
    """One running provider: where it is, both pairs of credentials, and its control door."""

    folder: Path
    env: Mapping[str, str]
    redirect_uri: str = "http://testserver/accounts/callback/"
    options: Mapping[str, object] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    client_id: str = "company-id"
    client_secret: str = "company-secret"
    login_client_id: str = "login-id"
    login_client_secret: str = "login-secret"

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __post_init__(self) -> None:
        credentials = ("client_id", "client_secret", "login_client_id", "login_client_secret", "redirect_uri")
        flags = {name.replace("_", "-"): getattr(self, name) for name in credentials}
        flags |= {"host": "127.0.0.1", "port": self.port, "seed": 7, **self.options}
        command = [sys.executable, str(BASE_DIR / "manage.py"), "simulate", "--control"]
        for name, value in flags.items():
            command += [f"--{name}"] if value is True else [f"--{name}", str(value)]
        self.child = Child("simulator", command, self.folder / "simulator.log", self.env)

    def start(self) -> None:
        """Start it (again) and wait until it answers."""
        self.child.start()
        wait_until(lambda: self.answers() or not self.child.is_running, 20)
        assert self.child.is_running, self.child.tail()

    def answers(self) -> bool:
        """Whether its HTTP side is there."""
        try:
            requests.get(self.base_url, timeout=2)
        except requests.RequestException:
            return False
        return True

    def control(self, path: str, json: Mapping[str, Any] | None = None) -> Any:
        """POST to `/control/<path>`: what it answers, decoded; raises for a refusal."""
        answer = requests.post(f"{self.base_url}/control/{path.strip('/')}", json=json or {}, timeout=10)
        answer.raise_for_status()
        return answer.json() if answer.content else None
