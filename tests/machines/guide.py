"""The commands of docs/scale.md, as they stand there: on which hosts, and what."""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from wallboard.demo.processes import BASE_DIR

HOSTS = ("one", "two", "three")
CHAPTER = "## From one machine to three"
# "On `two` and `three`, in a clone …:", an empty line, and a block that is indented.
BLOCK = re.compile(r"^On (each|`[^:]*?)(?:,[^:]*)?:\n\n((?:    .*\n|\n)+)", re.MULTILINE)


@dataclass(frozen=True)
class Commands:
    """A block of the page: its part, the hosts that run it, and the commands."""

    part: str
    hosts: tuple[str, ...]
    text: str


def commands() -> list[Commands]:
    """All of the chapter, in the order of the page; no block of it may be left out."""
    page = (BASE_DIR / "docs" / "scale.md").read_text()
    chapter = page.partition(CHAPTER)[2].partition("\n## ")[0]
    found = [each for part in chapter.split("\n### ")[1:] for each in _of_part(part)]
    indented = sum(line.startswith("    ") for line in chapter.splitlines())
    assert sum(len(each.text.strip().replace("\n\n", "\n").splitlines()) for each in found) == indented
    return found


def _of_part(text: str) -> Iterator[Commands]:
    title, _, rest = text.partition("\n")
    for where, block in BLOCK.findall(rest):
        hosts = HOSTS if where == "each" else tuple(re.findall(r"`(\w+)`", where))
        assert hosts, where
        yield Commands(title, hosts, textwrap.dedent(block).strip() + "\n")
