"""What the provider was asked, from its own book."""

import time
from typing import Any

import requests

from tests.faults.installation import Installation


def requests_since(site: Installation, number: int, path: str = "") -> list[dict[str, Any]]:
    """The requests after the one of that number whose path contains the text, oldest first."""
    answer = requests.get(f"{site.simulator.base_url}/control/requests", {"after": str(number)}, timeout=20)
    found: list[dict[str, Any]] = answer.json()["requests"]
    return [each for each in found if path in each["path"]]


def newest(site: Installation) -> int:
    """The number of the newest request."""
    return max((each["number"] for each in requests_since(site, 0)), default=0)


def requests_after(site: Installation, *, seconds: float, path: str = "") -> list[dict[str, Any]]:
    """What is asked during so many seconds from now on."""
    before = newest(site)
    time.sleep(seconds)
    return requests_since(site, before, path)


def company_token_calls(site: Installation, number: int) -> int:
    """How often a token was asked for after that request."""
    return len(requests_since(site, number, "/oauth/token/"))
