"""What the adapter for uvicorn relies on inside it, on the server itself: an upgrade that moves it fails here."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live.servers.conftest import Probe, probing
from tests.live.servers.contract import Contract
from wallboard.live.servers import uvicorn
from wallboard.live.servers.interface import Internal


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Probe]:
    folder: Path = tmp_path_factory.mktemp("uvicorn")
    with probing("uvicorn", folder) as running:
        yield running


class TestUvicorn(Contract):
    name, connection = "uvicorn", "UvicornConnection"


def test_the_protocol_is_found_behind_send(found: dict[str, Any]) -> None:
    assert found["moved"] is not None, f"uvicorn's send is no method of a protocol in {uvicorn.PROTOCOL_MODULES}"


@pytest.mark.parametrize(
    "internal", [*uvicorn.INTERNALS, *uvicorn.OF_PLAIN_TCP], ids=lambda each: f"{each.owner}.{each.name}"
)
def test_an_internal_is_where_it_was(found: dict[str, Any], internal: Internal) -> None:
    gone = [sentence for sentence in found["moved"] or [] if f".{internal.name} is gone" in sentence]

    assert gone == []


def test_the_protocol_on_websockets_is_in_its_module() -> None:
    module = uvicorn.PROTOCOL_MODULES[0]

    assert importlib.import_module(module).WebSocketsSansIOProtocol.__module__ == module
