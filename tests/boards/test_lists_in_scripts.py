"""What stands in a script as well as on the server says the same."""

import json
import re
from pathlib import Path

from django.conf import settings

from accounts.languages.lists import COMMAS
from wallboard.boards.cards import kinds

STATIC = Path(settings.BASE_DIR) / "static"


def test_scripts_know_the_kinds_that_are_about_queues() -> None:
    text = (STATIC / "js/alerts/list.js").read_text()
    found = re.search(r"QUEUE_KINDS = (\[[^\]]*\])", text)
    assert found

    about = {name for name, kind in kinds.KINDS.items() if "queues" in kind.options and name != "calls"}

    assert set(json.loads(found[1])) == about


def test_scripts_know_the_commas_of_languages() -> None:
    text = (STATIC / "js/lib/format.js").read_text()
    found = re.search(r"COMMAS = \{ (.*) \};", text)
    assert found

    assert dict(re.findall(r'(\w+): "([^"]*)"', found[1])) == COMMAS
