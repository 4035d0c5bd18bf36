"""An upgrade and the way back under a storm of call events, as docs/operating.md has it: nothing refused, nothing lost.

The release that runs (tests/harness/released.py) serves; the new program migrates the database and starts beside it;
the proxy turns to it; the old one ends. Then the same the other way round, without touching the database. In a clone
without history the present program plays both parts, which shows the way and not the migrations; the test says so.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import requests
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.calls.events import event
from tests.harness.database import own_database
from tests.harness.previous_release import PAGES, Program, TwoReleases
from tests.harness.threads import Threads

SENDERS = 4
PAUSE_SECONDS = 0.02  # of each sender between two events: about a hundred events a second, as this machine allows
LONGEST_ANSWER_SECONDS = 10.0  # how long clients usually wait; the provider's own patience is not documented

pytestmark = [pytest.mark.faults, pytest.mark.timeout(400)]


class Storm(Threads):
    """Posts call events to whichever web processes the proxy would now turn to, and keeps what was answered."""

    def __init__(self, secret: str) -> None:
        super().__init__(*(partial(self._send, number) for number in range(SENDERS)))
        self.path = f"/hooks/{secret}/"
        self.targets: list[Program] = []
        self.answers: dict[str, tuple[int, float]] = {}

    def turn_to(self, *targets: Program) -> None:
        """The proxy's list; what is under way with others ends there."""
        self.targets = list(targets)
        time.sleep(1)

    def _send(self, sender: int) -> None:
        number = 0
        with requests.Session() as session:
            while not self.is_over.is_set():
                number += 1
                call = f"storm-{sender}-{number}"
                targets = self.targets
                url = targets[number % len(targets)].url + self.path
                self.answers[call] = self._post(session, url, event("ringing", call=call, leg=f"leg-{call}"))
                time.sleep(PAUSE_SECONDS)

    def _post(self, session: requests.Session, url: str, body: bytes) -> tuple[int, float]:
        began = time.monotonic()
        try:
            status = session.post(url, data=body, timeout=30).status_code
        except requests.RequestException:
            status = 0
        return status, time.monotonic() - began


class OpenBoard:
    """A board in somebody's browser: counts frames with news, and knows when it was cut off."""

    def __init__(self, program: Program, cookie: str) -> None:
        self._address = f"{program.url.replace('http', 'ws', 1)}/live/?board=main"
        self._cookie = {"Cookie": f"sessionid={cookie}"}
        self.news = 0
        self.is_open = True
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        here = Origin("http://127.0.0.1")
        with (
            suppress(ConnectionClosed),
            connect(self._address, origin=here, additional_headers=self._cookie) as socket,
        ):
            for frame in socket:
                found: dict[str, Any] = json.loads(frame)
                self.news += "set" in found
                if not self.is_open:
                    return
        self.is_open = False

    def hears(self) -> bool:
        """Whether news arrives now."""
        before, end = self.news, time.monotonic() + 10
        while time.monotonic() < end and self.news == before:
            time.sleep(0.05)
        return self.is_open and self.news > before

    def close(self) -> None:
        """Leave the page, while news still comes."""
        self.is_open = False
        self._thread.join()


@pytest.fixture
def releases(tmp_path: Path) -> Iterator[TwoReleases]:
    with own_database() as url:
        site = TwoReleases(tmp_path, url)
        try:
            site.start()
            yield site
        finally:
            site.stop()


COUNT = """
import json
from wallboard.calls.models import Delivery, Leg
print(json.dumps([sorted(Leg.objects.filter(from_call_id__startswith="storm-").values_list("from_call_id", flat=True)),
    Delivery.objects.filter(applied_at=None).count()]))
"""


def counted(program: Program) -> tuple[list[str], int]:
    """The calls that are stored, and how many deliveries wait to be applied."""
    stored, waiting = json.loads(program.manage("shell", "-v0", "-c", COUNT).strip().splitlines()[-1])
    return stored, waiting


def test_an_upgrade_and_the_way_back_under_a_storm(releases: TwoReleases, capsys: pytest.CaptureFixture[str]) -> None:
    old, new, fine = releases.old, releases.new, dict.fromkeys(PAGES, 200)
    storm, began = Storm(releases.secret), time.monotonic()
    storm.targets = [old]
    with storm:
        board = OpenBoard(old, releases.cookie)
        assert board.hears()
        new.manage("setup", "--no-static")
        assert board.hears(), "the open page lost its socket while the new release migrated"
        assert old.statuses(releases.cookie) == fine
        new.start()
        storm.turn_to(old, new)
        assert new.statuses(releases.cookie) == fine
        storm.turn_to(new)
        old.web.stop()
        board = OpenBoard(new, releases.cookie)
        assert board.hears()

        old.start()  # back by one release, on the database of the new one
        storm.turn_to(old)
        board.close()
        new.web.stop()
        assert old.statuses(releases.cookie) == fine
        board = OpenBoard(old, releases.cookie)
        assert board.hears()
        board.close()
    end = time.monotonic() + 60  # what was spooled while SQLite was locked is applied a moment later
    stored, waiting = counted(old)
    while (waiting or len(stored) < len(storm.answers)) and time.monotonic() < end:
        time.sleep(1)
        stored, waiting = counted(old)

    longest = max(seconds for _, seconds in storm.answers.values())
    with capsys.disabled():
        seen = "" if releases.has_history else " WITHOUT HISTORY: the present release played both parts."
        took = time.monotonic() - began
        print(f"\nUpgrade and back in {took:.0f} s: {len(storm.answers)} events, longest answer {longest:.2f} s.{seen}")
    assert {call: status for call, (status, _) in storm.answers.items() if not 200 <= status < 300} == {}
    assert stored == sorted(storm.answers)
    assert waiting == 0
    assert longest < LONGEST_ANSWER_SECONDS
