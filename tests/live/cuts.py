"""Feeds as Redis holds them, read back for a test."""

import json
from typing import Any

from wallboard.live import connections, feeds
from wallboard.live.feeds import Feed
from wallboard.live.mirror import Cut

CALLS = feeds.calls(1)


def cut(feed: Feed = CALLS) -> Cut:
    """The whole feed, read as the hub reads it."""
    script = connections.client().register_script(connections.script("read"))
    built, values, log = script(keys=feed.keys)
    documents = dict(zip(values[::2], values[1::2], strict=True))
    return Cut(bool(built), documents, [(entry_id, json.loads(fields[1])) for entry_id, fields in log])


def documents(feed: Feed = CALLS) -> dict[str, Any]:
    """What the feed holds, by key and decoded."""
    return {key: json.loads(text) for key, text in cut(feed).documents.items()}
