"""Tables that two people have open at once: what both wrote is kept, each in their cells.

Such a page carries what stood in its cells (FIELD). Where somebody else saved meanwhile it is shown again, with their
cells wherever its sender wrote nothing.
"""

import json
from collections.abc import Mapping
from typing import Any

FIELD = "made_from"


def carried(cells: Mapping[str, str]) -> str:
    """What stands in the cells, by the names of their fields, as the page carries it."""
    return json.dumps({name: text for name, text in cells.items() if text}, separators=(",", ":"))


def merged(posted: Mapping[str, Any], stored: Mapping[str, str]) -> dict[str, Any]:
    """What was sent, with what is stored now in each cell in which nothing else was sent than the page was made from.

    So it is in a cell that the page did not have. A page without a readable FIELD counts as made from an empty table.
    """
    try:
        made_from = json.loads(posted.get(FIELD, ""))
    except (ValueError, RecursionError):
        made_from = None
    before = made_from if isinstance(made_from, dict) else {}
    theirs = {name: text for name, text in stored.items() if posted.get(name, "") == before.get(name, "")}
    return {**{name: posted[name] for name in posted}, **theirs}
