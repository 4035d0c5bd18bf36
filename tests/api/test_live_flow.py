"""The clients of docs/api.md against a running installation: no gap over a restart of the server."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import MakeSite
from tests.harness import node
from wallboard.demo.processes import BASE_DIR, wait_until

MOST_LINES = 40
NAMES = {"python": "follow.py", "js": "follow.mjs"}
MAKE = """
from accounts.models import Domain
from wallboard.api import tokens
print(tokens.make(Domain.objects.get(), tokens.TokenInput("Follower", ("queues",)))[1])
"""
REVOKE = "from wallboard.api import tokens; from wallboard.api.models import Token; tokens.revoke(Token.objects.get())"


def clients() -> dict[str, str]:
    """The programs of the page, by the language that they are marked with."""
    text = (BASE_DIR / "docs" / "api.md").read_text()
    return dict(re.findall(r"^```(python|js)\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


def test_the_clients_are_as_short_as_the_page_says() -> None:
    assert {name: len(text.splitlines()) <= MOST_LINES for name, text in clients().items()} == {
        "python": True,
        "js": True,
    }


class Running:
    """One of them, with what it printed."""

    def __init__(self, command: list[str], token: str, log: Path) -> None:
        self.log = log
        with log.open("w") as out:
            self.process = subprocess.Popen(command, env={"TOKEN": token}, stdout=out, stderr=subprocess.STDOUT)

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith('{"id"')]


@pytest.mark.one_database
@pytest.mark.timeout(150)
def test_a_queue_is_followed_through_a_restart_of_the_server_without_a_gap(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site()
    token = site.manage("shell", "-v", "0", "-c", MAKE).strip()
    programs = {name: tmp_path / NAMES[name] for name in NAMES}
    for name, text in clients().items():
        programs[name].write_text(text)
    commands = {"python": [sys.executable], "js": [node.program()]}
    running = [
        Running([*commands[name], str(program), site.url], token, tmp_path / f"{name}.log")
        for name, program in programs.items()
    ]
    try:
        site.wait(lambda: all(len(each.lines()) >= 3 for each in running))
        seen = [len(each.lines()) for each in running]
        site.restart("web")
        site.wait(lambda: all(len(each.lines()) > count + 3 for each, count in zip(running, seen, strict=True)), 40)
        site.manage("shell", "-v", "0", "-c", REVOKE)
        assert wait_until(lambda: all(each.process.poll() for each in running), 20)
    finally:
        for each in running:
            each.process.kill()
            each.process.wait(10)

    for each in running:
        lines = each.lines()
        # Whole at the beginning, and from then on each change follows the one before: also over the restart.
        assert [line["prev"] for line in lines] == [None, *(line["id"] for line in lines[:-1])], each.log.name
        assert any(key.startswith("queue:") for key in lines[-1]["queues"])
        assert token not in site.log("web")
