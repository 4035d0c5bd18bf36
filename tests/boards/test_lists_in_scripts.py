"""What stands in a script as well as on the server says the same, and so does what browsers install the pages by."""

import json
import re
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders

from wallboard.boards.cards import kinds

STATIC = Path(settings.BASE_DIR) / "static"


def test_scripts_know_the_kinds_that_are_about_queues() -> None:
    text = (STATIC / "js/alerts/list.js").read_text()
    found = re.search(r"QUEUE_KINDS = (\[[^\]]*\])", text)
    assert found

    about = {name for name, kind in kinds.KINDS.items() if "queues" in kind.options and name != "calls"}

    assert set(json.loads(found[1])) == about


def test_the_pages_can_be_installed() -> None:
    path = finders.find("app.webmanifest")
    assert isinstance(path, str)
    manifest = json.loads(Path(path).read_text())

    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert all((STATIC / icon["src"]).is_file() for icon in manifest["icons"])
    assert "app.webmanifest" in (Path(settings.BASE_DIR) / "templates/base.html").read_text()
