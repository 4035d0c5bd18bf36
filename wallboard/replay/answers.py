"""A stretch of a recording as JSON, as one viewer sees it: the state of its first second, and the changes after it."""

import json
from collections.abc import Mapping, Sequence

from wallboard.live.feeds import Feed
from wallboard.replay.cutting import Cutter
from wallboard.replay.reading import Passage
from wallboard.replay.stream import Change

# Letters of changes in one answer; whoever wants more asks on from where it ends.
MOST_LETTERS = 1_000_000


def stretch(feeds: Sequence[Feed], passage: Passage) -> str:
    """The answer, as far as one answer goes. Documents stand in it byte for byte."""
    cutters = {feed.name: Cutter(feed) for feed in feeds}
    state = {feed.name: "null" for feed in feeds}
    changes: list[str] = []
    letters, at, end = 0, passage.begin, passage.end
    for change in passage.changes():
        # Whole seconds only, so that whoever asks on misses nothing.
        if letters > MOST_LETTERS and change.second > at:
            end = change.second
            break
        at = change.second
        cutter = cutters[change.feed]
        if at == passage.begin and change.is_whole:
            state[change.feed] = "null" if change.documents is None else json_object(cutter.whole(change))
        elif text := _change(cutter, change):
            changes.append(text)
            letters += len(text)
    return _joined(passage, end, state, changes)


def milliseconds(second: int | None) -> str:
    """A second as JSON has it."""
    return "null" if second is None else str(1000 * second)


def json_object(parts: Mapping[str, str]) -> str:
    """An object of what is JSON text already."""
    return f"{{{','.join(f'{json.dumps(name)}:{text}' for name, text in parts.items())}}}"


def _change(cutter: Cutter, change: Change) -> str:
    """A change as JSON; "" where this viewer sees nothing of it."""
    parts = {"at": milliseconds(change.second), "feed": json.dumps(change.feed)}
    if change.documents is None:
        return json_object(parts | {"unknown": "true"})
    if change.is_whole:
        return json_object(parts | {"snapshot": json_object(cutter.whole(change))})
    new, gone = cutter.changed(change)
    return json_object(parts | {"set": json_object(new), "del": json.dumps(gone)}) if new or gone else ""


def _joined(passage: Passage, end: int, state: Mapping[str, str], changes: Sequence[str]) -> str:
    gaps = [(begin, min(until, end)) for begin, until in passage.gaps if begin < end]
    previous, following = passage.nearest
    return json_object(
        {
            "from": milliseconds(passage.begin),
            "until": milliseconds(end),
            "feeds": json_object(state),
            "changes": f"[{','.join(changes)}]",
            "gaps": json.dumps([[1000 * begin, 1000 * until] for begin, until in gaps]),
            "next": milliseconds(following),
            "previous": milliseconds(previous),
        }
    )
