"""A server whose inside is not as an adapter expects it is served the way that every server has."""

import functools
import signal
from types import SimpleNamespace
from typing import Any

import pytest

from wallboard.live.servers import daphne, interface, uvicorn
from wallboard.live.servers.detection import connection_for, owner_of
from wallboard.live.servers.interface import Internal, moved


class Protocol:
    """Calls itself a protocol of that module, and has what it is given."""

    transport: Any = None

    async def send(self, message: Any) -> None:
        """Takes a message, as ASGI says."""


def behind(module: str, **attributes: Any) -> Protocol:
    protocol = type("Changed", (Protocol,), {"__module__": module})()
    vars(protocol).update(attributes)
    return protocol  # type: ignore[no-any-return]


@pytest.fixture(autouse=True)
def _nothing_said_yet() -> None:
    interface.warn_of.cache_clear()


def test_an_unknown_server_gets_messages_by_its_own_send() -> None:
    async def send(message: Any) -> None: ...

    assert type(connection_for(send)).__name__ == "PlainConnection"
    assert owner_of(signal.SIG_DFL) is None


@pytest.mark.parametrize("changed", [daphne, uvicorn], ids=lambda each: each.__name__.rpartition(".")[2])
def test_a_server_that_has_changed_gets_them_too_and_the_log_says_once_what_moved(
    changed: Any, caplog: pytest.LogCaptureFixture
) -> None:
    module = daphne.PROTOCOL_MODULE if changed is daphne else uvicorn.PROTOCOL_MODULES[0]
    protocol = behind(module, transport=SimpleNamespace(write=None))
    send = functools.partial(print, protocol) if changed is daphne else protocol.send

    kinds = [type(connection_for(send)).__name__ for _ in range(3)]  # type: ignore[arg-type]

    assert kinds == ["PlainConnection"] * 3
    assert len(caplog.records) == 1
    first = changed.INTERNALS[0]
    assert f"Changed.{first.name} is gone; it {first.purpose}." in caplog.text


def test_a_browser_that_has_left_is_no_change_of_the_server(caplog: pytest.LogCaptureFixture) -> None:
    protocol = behind(daphne.PROTOCOL_MODULE, transport=SimpleNamespace(connected=0, write=None))

    kind = type(connection_for(functools.partial(print, protocol)))  # type: ignore[arg-type]

    assert kind.__name__ == "PlainConnection"
    assert caplog.records == []


def test_each_attribute_that_moved_is_a_sentence() -> None:
    internals = [Internal("protocol", "state", "tells something"), Internal("protocol", "real", "is there")]

    assert moved(internals, {"protocol": 7}) == ["int.state is gone; it tells something."]
