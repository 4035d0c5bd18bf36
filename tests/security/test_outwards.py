"""Who of our code speaks to other servers: the provider's client, and the guarded channels of messages (S14)."""

import ast

import pytest

from tests.test_house import imports, modules
from wallboard.demo.processes import BASE_DIR

CLIENTS = (
    "requests",
    "urllib.request",
    "urllib3",
    "http.client",
    "httpx",
    "aiohttp",
    "ftplib",
    "smtplib",
    "websockets",
)
# The demo and the simulator run on one machine for trying out; they start servers and look whether those answer.
ALLOWED = (
    "wallboard.telephony.",
    "wallboard.notifications.outbound",
    "wallboard.notifications.channels.apprise_process",
    "wallboard.notifications.channels.email",
    "wallboard.setup.starting.way_in",  # asks PUBLIC_URL, at the word of an operator or administrator
    "wallboard.operations.healthcheck",  # asks the process beside it, in the same container
    "wallboard.simulator.",
    "wallboard.demo.run",
    "wallboard.demo.processes",
    "wallboard.demo.redis_server",
)


def asks_others(tree: ast.Module) -> bool:
    """Whether anything is imported that opens connections."""
    return any(target == name or target.startswith(f"{name}.") for target in imports(tree) for name in CLIENTS)


def test_only_the_providers_client_and_the_channels_ask_anything_of_another_server() -> None:
    asking = {module for module, tree in modules().items() if asks_others(tree)}

    assert {each for each in asking if each.startswith("wallboard.telephony.")}
    assert {each for each in asking if not each.startswith(ALLOWED)} == set()


@pytest.mark.parametrize("name", ["security.md", "reliability.md"])
def test_every_test_that_a_promise_names_is_there(name: str) -> None:
    text = (BASE_DIR / "docs" / name).read_text()
    named = {word for word in text.split("`") if word.startswith("tests/")}

    assert len(named) > 30
    assert {each for each in named if not (BASE_DIR / each).exists()} == set()
