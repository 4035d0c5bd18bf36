"""What every adapter is held to on its real server; the files test_*.py beside this one say so for one server each."""

import json
import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.live.servers.conftest import Probe


class Contract:
    """Inherit it, with fixtures `probe` (a running server) and `found` (what the probe said), and these two."""

    name = ""
    connection = ""

    def test_frames_go_the_short_way_and_arrive_whole(self, found: dict[str, Any]) -> None:
        assert found["texts"] == [self.connection, "ä" * 100, "x" * 70_000]

    def test_the_handler_of_sigterm_is_known_to_be_the_servers_own(self, found: dict[str, Any]) -> None:
        assert found["owner"] == self.name

    def test_what_waits_for_a_browser_is_measured(self, probe: Probe) -> None:
        with probe.opened() as (socket, _):
            socket.send("fill")
            time.sleep(2)
            text = socket.recv(timeout=10)
            while len(text) > 1000:
                text = socket.recv(timeout=10)
        report = json.loads(text)

        assert (0 < report["written"] < 2000, report["was_full"]) == (True, True)
        assert 1 < report["drained_after"] < 10

    def test_nothing_fails_once_the_socket_closes(self, probe: Probe) -> None:
        with probe.opened() as (socket, _):
            socket.send("close")
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=5)

        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1000

    def test_a_connection_is_dropped_without_a_word(self, probe: Probe) -> None:
        with probe.opened() as (socket, _):
            socket.send("abort")
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=5)

        assert closed.value.rcvd is None
