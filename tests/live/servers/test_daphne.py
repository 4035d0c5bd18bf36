"""What the adapter for Daphne relies on inside it, on the server itself: an upgrade that moves it fails here."""

import json
import socket as plain
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from inspect import getsource
from pathlib import Path
from pprint import pformat
from types import SimpleNamespace
from typing import Any

import pytest
from autobahn.websocket.protocol import WebSocketProtocol
from daphne.server import Server  # type: ignore[import-untyped]
from twisted.internet import reactor, tcp
from twisted.web import http
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.live.servers.conftest import Probe, probing
from tests.live.servers.contract import Contract
from wallboard.demo.processes import wait_until
from wallboard.live.servers import daphne, daphne_closing, daphne_memory, detection
from wallboard.live.servers.interface import Internal


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Probe]:
    folder: Path = tmp_path_factory.mktemp("daphne")
    with probing("daphne", folder) as running:
        yield running


class TestDaphne(Contract):
    name, connection = "daphne", "DaphneConnection"


def test_the_protocol_is_found_behind_send(found: dict[str, Any]) -> None:
    assert found["moved"] is not None, "Daphne's send is no partial of a method and daphne.ws_protocol's protocol"


@pytest.mark.parametrize("internal", daphne.INTERNALS, ids=lambda each: f"{each.owner}.{each.name}")
def test_an_internal_is_where_it_was(found: dict[str, Any], internal: Internal) -> None:
    gone = [sentence for sentence in found["moved"] or [] if f".{internal.name} is gone" in sentence]

    assert gone == []


def test_all_browsers_may_connect_at_once_after_a_restart(found: dict[str, Any]) -> None:
    allowed = int(Path("/proc/sys/net/core/somaxconn").read_text())

    assert found["backlogs"] == [min(daphne.BACKLOG, allowed)]


def test_what_autobahn_would_log_is_made_into_text_only_where_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    protocol: Any = sys.modules["autobahn.websocket.protocol"]
    assert protocol.pformat is pformat, "autobahn makes its log otherwise now; settle_in() can do without this"
    monkeypatch.setitem(sys.modules, daphne.PROTOCOL_MODULE, SimpleNamespace())
    monkeypatch.setitem(sys.modules, "daphne.http_protocol", SimpleNamespace(WebRequest=object))
    monkeypatch.setitem(sys.modules, "daphne.server", SimpleNamespace(Server=SimpleNamespace()))
    monkeypatch.setattr(reactor, "callWhenRunning", lambda act: None)
    monkeypatch.setattr(protocol, "pformat", pformat)

    daphne.settle_in()

    written: Any = protocol.pformat
    assert not isinstance(written([("option", 1, "factory")]), str)
    assert str(written([("option", 1, "factory")])) == "[('option', 1, 'factory')]"
    assert written({"a": 1}) == "{'a': 1}"


def test_an_open_socket_has_the_state_that_is_taken_for_open() -> None:
    assert WebSocketProtocol.STATE_OPEN == daphne.OPEN, "autobahn numbers its states anew"


def test_the_reactor_lists_the_ports_that_it_listens_on() -> None:
    from twisted.internet.asyncioreactor import AsyncioSelectorReactor

    assert callable(AsyncioSelectorReactor.getReaders), "the reactor no longer lists what it reads from"
    for name in ("doRead", "stopListening"):
        assert callable(getattr(tcp.Port, name)), f"a port has no {name} any more"


def held(probe: Probe) -> dict[str, Any]:
    with probe.opened() as (socket, _):
        return asked_what_is_held(socket)


def asked_what_is_held(socket: ClientConnection) -> dict[str, Any]:
    socket.send("held")
    return dict(json.loads(socket.recv(timeout=5)))


def test_a_browser_that_offers_to_compress_is_answered(probe: Probe) -> None:
    """As every browser does; autobahn then asks a function among its options, which must not get the socket as well."""
    with probe.opened("deflate") as (_, found):
        assert found["moved"] == []


@pytest.mark.parametrize(
    "headers",
    [
        b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        b"Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Protocol: caf\xe9\r\n",
        b"Daphne-Root-Path: /caf\xe9\r\n",
    ],
)
def test_a_header_that_cannot_be_read_is_refused_without_filling_the_log(probe: Probe, headers: bytes) -> None:
    with plain.create_connection(("127.0.0.1", probe.port), 5) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n")
        answer = connection.recv(4096)

    assert answer.split(b"\r\n")[0] == b"HTTP/1.1 400 Bad Request"
    assert "Traceback" not in probe.child.log.read_text()


def test_frames_may_go_to_the_kernel_but_while_a_socket_is_closing(probe: Probe) -> None:
    with probe.opened() as (closed_by_us, _):
        closed_by_us.send("close")
        assert_closed(closed_by_us)
    with probe.opened() as (dropped, _):
        dropped.socket.sendall(b"\x80\x00")  # no frame that a browser may send
        assert_closed(dropped)
    with probe.opened() as (closed_by_the_browser, _):
        closed_by_the_browser.close()
    told = held(probe)

    assert (told["kernel_socket"], told["calm"]) == (True, True)
    assert set(told["closing"]) == {1}


def test_an_answer_that_waits_keeps_no_frames_from_the_kernel_but_a_frame_that_waits_does(probe: Probe) -> None:
    with plain.create_connection(("127.0.0.1", probe.port), 5) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 204")
    with probe.opened() as (filled, _):
        filled.send("fill")
        assert wait_until(lambda: str(filled.recv(timeout=5)).startswith("{"), 20, 0)
    told = held(probe)

    assert told["calm_while"] == {"answer": [1, True], "frame": [1, False]}


def assert_closed(socket: ClientConnection) -> None:
    with pytest.raises(ConnectionClosed):
        socket.recv(timeout=5)


def test_a_server_is_not_calm_while_a_socket_is_closing_or_bytes_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    running: Any = reactor
    monkeypatch.setattr(running, "_writers", {}, raising=False)
    assert daphne.is_calm()

    with monkeypatch.context() as patch:
        patch.setitem(daphne_closing.closing, "socket", None)
        assert not daphne.is_calm()
    running._writers["connection"] = None
    assert not daphne.is_calm()


def test_another_servers_process_is_never_calm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, daphne.PROTOCOL_MODULE)
    monkeypatch.setitem(sys.modules, "twisted.internet", None)  # it is to have no reactor

    assert not detection.is_calm()


def test_what_only_the_handshake_needed_is_let_go(probe: Probe) -> None:
    told = held(probe)

    assert set(told["names"]) & {*daphne_memory.OF_HANDSHAKE, *told["options"], "wasClean"} == set()
    assert told["producer"] is False


def test_a_handshake_leaves_no_garbage(probe: Probe) -> None:
    before = held(probe)["HTTPChannel"]

    assert held(probe)["HTTPChannel"] == before


@pytest.mark.parametrize("word", ["close", "abort", "tell"])
def test_a_socket_that_ended_leaves_no_garbage(probe: Probe, word: str) -> None:
    # Asked over one that stays open: Daphne looks once a second whose application is done, and its rounds of pings know
    # who was there for two.
    with probe.opened() as (watching, _):
        for _ in range(3):
            with probe.opened() as (socket, _), suppress(ConnectionClosed):
                socket.send(word)
                socket.recv(timeout=5)

        assert wait_until(lambda: asked_what_is_held(watching)["WebSocketProtocol"] == 1, 10, 0.5)


def test_connections_that_come_together_are_accepted_a_few_at_a_time(found: dict[str, Any]) -> None:
    port = SimpleNamespace(numberAccepts=300)
    taken = list[int]()
    daphne.accept_some(port, lambda: taken.append(port.numberAccepts))

    assert taken == [daphne.MOST_ACCEPTED]
    assert found["accepts"] == ["accept_some"], "nobody bounds what the port accepts in one go"
    assert "range(numAccepts)" in getsource(tcp.Port.doRead), "a port no longer has a number to accept"


def test_connections_are_looked_at_in_steps(found: dict[str, Any]) -> None:
    assert found["checks"] == "wallboard.live.servers.daphne_checks"
    assert "self.timeout_checker)" in getsource(Server.run), "Daphne begins its looks at connections otherwise now"


def test_no_line_is_made_of_each_request_for_nobody(found: dict[str, Any]) -> None:
    assert found["logs"] == [None]
    assert "self._logFile" in getsource(http.HTTPFactory.log), "Twisted logs requests otherwise now"


def test_daphne_reads_twisteds_module_without_the_guard_for_old_names(found: dict[str, Any]) -> None:
    assert found["http"] == "module"


def test_sockets_that_open_together_are_not_pinged_together(probe: Probe) -> None:
    ago = [held(probe)["pinged_ago"] for _ in range(12)][-1]

    assert max(ago) - min(ago) > 2.5, "Daphne would ping them all in one of its rounds"
    assert max(ago) < 22


def test_a_socket_whose_application_returned_stays_open_until_it_is_closed(probe: Probe) -> None:
    with probe.opened() as (socket, _):
        socket.send("tell")
        is_told = socket.recv(timeout=5)
        socket.send("one")
        first = socket.recv(timeout=5)
        time.sleep(1.5)  # Daphne looks every second at what is done
        socket.send("two")
        second = socket.recv(timeout=5)
        open_meanwhile = held(probe)["sockets"]
    time.sleep(2.5)
    after = held(probe)

    assert (is_told, first, second) == ("True", "one", "two")
    assert after["heard"][-3:] == ["websocket.receive", "websocket.receive", "websocket.disconnect"]
    assert after["sockets"] < open_meanwhile


def test_a_server_with_such_a_socket_ends_at_once(tmp_path: Path) -> None:
    with probing("daphne", tmp_path) as running, running.opened() as (socket, _):
        socket.send("tell")
        assert socket.recv(timeout=5) == "True"
        began = time.monotonic()
        running.child.stop()

        assert time.monotonic() - began < 5
        assert "Traceback" not in running.child.tail()
