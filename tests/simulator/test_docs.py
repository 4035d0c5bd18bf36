"""docs/simulator.md names every file of the simulator, and no level of its folders holds too many."""

import re
from collections import Counter

from wallboard.demo.processes import BASE_DIR

ROOM = BASE_DIR / "wallboard" / "simulator"
MOST_MODULES = 20


def modules() -> list[str]:
    """Every module below the simulator's folder, as the documentation writes it."""
    paths = [path.relative_to(ROOM).with_suffix("") for path in ROOM.rglob("*.py") if path.stem != "__init__"]
    return sorted(path.as_posix() for path in paths)


def test_every_file_stands_in_the_documentation_once() -> None:
    text = (BASE_DIR / "docs" / "simulator.md").read_text().partition("## The files")[2]
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("|")]
    documented = [name for row in rows for name in re.findall(r"`([\w/]+)`", row) if not name.endswith("/")]

    assert sorted(documented) == modules()


def test_no_level_has_more_than_twenty_modules() -> None:
    levels = Counter(name.rpartition("/")[0] for name in modules())

    assert {level: number for level, number in levels.items() if number > MOST_MODULES} == {}
