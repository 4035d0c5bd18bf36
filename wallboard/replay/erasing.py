"""A number that is erased goes from what was recorded, too: from calls with whose it was, and from every text."""

import re
from typing import Any

from accounts.audit import MASK
from accounts.models import Domain
from wallboard.calls.retention.traces import GoOn, Trace
from wallboard.replay import stream
from wallboard.replay.rewriting import Clean, rewrite

CALLS = ("calls", "wall")


def erase(domain: Domain, trace: Trace, go_on: GoOn) -> int:
    """Take the number out of all recordings of the company; gives how many spans held it."""
    return rewrite(domain.pk, re.compile(trace.pattern), lambda reader: _cleaner(reader, trace), go_on=go_on)


def _cleaner(reader: stream.Reader, trace: Trace) -> Clean | None:
    """What takes the number out of this span; the wall has it masked, so the calls say which legs are meant."""
    legs, is_found = set(), False
    states = [(name, key, each) for name, held in reader.state.items() for key, each in (held or {}).items()]
    changes = (
        (change.feed, key, each) for change in reader.changes() for key, each in (change.documents or {}).items()
    )
    for found in (states, changes):
        for name, key, document in found:
            if document is not None and trace.is_in(document):
                is_found = True
                legs.update([key] if name == "calls" else [])

    def clean(name: str, key: str, document: Any) -> Any:
        if name in CALLS and key in legs:
            document = _without_stranger(document)
        return trace.masked(document)

    return clean if is_found else None


def _without_stranger(leg: Any) -> Any:
    """The leg with its strangers' numbers and names gone."""
    if not isinstance(leg, dict):
        return leg
    hidden = {"name": "", "number": MASK}
    ends = {end: leg[end] if leg[end]["extension"] else leg[end] | hidden for end in ("from", "to")}
    return leg | ends
