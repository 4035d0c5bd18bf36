"""What somebody with a limit sees of the feeds: only documents about the queues, people and calls of that limit.

A document of a kind that is not known here is held back, so that a new kind shows nothing until it is decided. Whom a
person speaks with is left out: it may name a queue or a colleague beyond the limit.
"""

import json
from dataclasses import dataclass
from typing import Any

from accounts.access import Viewer
from accounts.limits import Limit
from accounts.models import Person
from wallboard.alerts import visibility
from wallboard.boards import permissions
from wallboard.live.feeds import Feed, encoded

# When was read, whether everything is muted, whether events are heard: of every feed the documents that are about all.
ALWAYS_VISIBLE = frozenset({("queues", "poll"), ("queues", "mute:"), ("people", "events"), ("calls", "events")})


@dataclass(frozen=True, slots=True)
class LimitFilter:
    """What one limit shows of one kind of feed."""

    kind: str
    limit: Limit

    def let_through(self, key: str, text: str) -> str:
        """The document as it may be seen; "" where it may not."""
        if (self.kind, key) in ALWAYS_VISIBLE:
            return text
        if not self._shows(key, text):
            return ""
        return encoded(json.loads(text) | {"with": ""}) if self.kind == "people" else text

    def _shows(self, key: str, text: str) -> bool:
        if self.kind == "queues":
            number = key.partition(":")[2]
            return bool(number) and self.limit.shows_queue(number)
        if self.kind == "people":
            return self.limit.shows_person(key)
        if self.kind == "calls":
            return shows_leg(self.limit, json.loads(text))
        if self.kind == "alerts":
            return _shows_alert(self.limit, json.loads(text))
        if self.kind == "walls":
            return bool(json.loads(text)["queue"]) and _shows_alert(self.limit, json.loads(text))
        if self.kind == "board":  # one that names something hidden ends the socket; until then nothing of it is told
            return key == "board" and permissions.is_within(self.limit, json.loads(text)["layout"])
        return self.kind == "desk"  # one's own calls


def shows_leg(limit: Limit, leg: dict[str, Any]) -> bool:
    """Whether a document of the feeds `calls` or `wall` may be seen."""
    queues = {*leg["via"], leg["queue"]} - {None}
    # Legs of a queue have its number as their extension, which is nobody.
    persons = {leg[end]["extension"] for end in ("from", "to")} - {"", *queues}
    return limit.shows_call(queues, persons)


def _shows_alert(limit: Limit, alert: dict[str, Any]) -> bool:
    return visibility.shows(limit, alert["queue"], alert.get("person", ""))  # a release before told no person


def limited_feed(viewer: Viewer, feed: Feed) -> Feed:
    """The feed as far as this viewer may see it."""
    kind = feed.name.partition(":")[0]
    # TVs and agents see what is wrong with a queue, and not what is wrong with a colleague or the installation.
    if kind == "alerts" and not viewer.may(Person.Role.SUPERVISOR):
        return Feed(feed.domain_id, feed.name, LimitFilter("walls", viewer.limit))
    if not viewer.limit.is_set:
        return feed
    return Feed(feed.domain_id, feed.name, LimitFilter("calls" if kind == "wall" else kind, viewer.limit))
