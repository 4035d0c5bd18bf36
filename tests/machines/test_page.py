"""docs/scale.md beyond its commands: its settings are understood, and the hosts of the tests are as it says."""

import re

import pytest

from tests.machines import guide
from tests.machines.installation import CONNECTING, OF_SEVERAL, WEBS
from wallboard import databases
from wallboard.demo.processes import BASE_DIR
from wallboard.live.backends import addresses

PAGE = (BASE_DIR / "docs" / "scale.md").read_text()
SETTINGS = re.findall(r"^ +(\w+_URL)=(\S+)$", PAGE, re.MULTILINE)


def test_the_chapter_of_commands_is_read_whole() -> None:
    parts = [block.part for block in guide.commands()]

    assert list(dict.fromkeys(parts)) == [
        "Names", "Redis", "PostgreSQL", "The wallboard", "The proxies", "When a machine is lost",
    ]  # fmt: skip


def test_there_are_settings() -> None:
    assert {name for name, _ in SETTINGS} == {"DATABASE_URL", "REDIS_URL", "REPLICA_URL", "TASKS_REDIS_URL"}


@pytest.mark.parametrize(("name", "value"), SETTINGS)
def test_every_setting_is_understood(name: str, value: str) -> None:
    if "REDIS" in name:
        assert len(addresses.parsed(value).nodes) == 3
    else:
        assert databases._parsed(value)["HOST"].count(",") == 1


def test_the_hosts_of_tests_are_as_the_page_says() -> None:
    for name in WEBS:
        assert f"server {name}:8000 {OF_SEVERAL};" in PAGE
    assert f"`{CONNECTING}`" in PAGE
