"""Which feeds a frame on another site may follow, decided by the token of its link and never by a cookie."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from accounts.access import Viewer
from wallboard.live import feeds
from wallboard.live.feeds import Feed, encoded
from wallboard.screens import screens
from wallboard.screens.embeds import links
from wallboard.screens.embeds.scope import Scope, narrowed
from wallboard.sockets import socket_access
from wallboard.sockets.socket_access import Refused, SocketAccess
from wallboard.sockets.visibility import ALWAYS_VISIBLE

PROTOCOL = "wallboard"
OFFERED = "embed."  # browsers send no header of a page's own with a WebSocket, but they name subprotocols
FIGURE = "figure:"


@dataclass(frozen=True, slots=True)
class EmbedFilter:
    """What a link lets through of one kind of feed; a kind of document that is not known here is held back."""

    kind: str
    scope: Scope

    def let_through(self, key: str, text: str) -> str:
        """The document as the frame may see it; "" where it may not."""
        if ("calls" if self.kind == "wall" else self.kind, key) in ALWAYS_VISIBLE:
            return text
        if self.kind == "board":
            return self._of_board(key, text)
        if self.kind == "queues":
            return text if self._shows_queue(key.partition(":")[2]) else ""
        if self.kind == "people":
            return self._of_person(key, text)
        if self.kind in ("calls", "wall"):
            leg = json.loads(text)
            return text if any(cover.shows(leg) for cover in self.scope.calls) else ""
        # As on a TV: what is wrong with a queue, and nothing about colleagues or the installation.
        return text if self.kind == "alerts" and self._shows_queue(json.loads(text)["queue"]) else ""

    def _of_board(self, key: str, text: str) -> str:
        if key == "board":
            return encoded(narrowed(json.loads(text), self.scope))
        return text if not self.scope.card or key == FIGURE + self.scope.card else ""

    def _shows_queue(self, number: str) -> bool:
        return bool(number) and (self.scope.queues is None or number in self.scope.queues)

    def _of_person(self, key: str, text: str) -> str:
        if self.scope.people is None:
            return text
        # Whom somebody speaks with may be a colleague or queue that the link does not show.
        return encoded(json.loads(text) | {"with": ""}) if key in self.scope.people else ""


@dataclass(frozen=True, slots=True)
class EmbedRequest:
    """What a frame asks for: the hash of its link's token; `last_ids` are the entries that it knows."""

    token_hash: str
    last_ids: Mapping[str, str] = field(default_factory=dict, compare=False)

    def access(self, cookies: Mapping[str, str]) -> SocketAccess:
        """As socket_access.AccessRequest says."""
        embed = links.find_hashed(self.token_hash)
        if embed is None or not links.is_alive(embed):
            raise Refused(socket_access.SIGNED_OUT)
        scope = links.scope_of(embed)
        if scope is None:
            raise Refused(socket_access.UNKNOWN)
        links.note_seen(embed)
        domain = embed.domain_id
        calls = feeds.calls(domain) if embed.shows_numbers else feeds.wall(domain)
        board = feeds.board(domain, embed.board_id)
        wanted = (feeds.queues(domain), feeds.people(domain), calls, feeds.alerts(domain), board)
        company, language = embed.domain, links.language_of(embed)
        clock, zone = company.clock, company.time_zone
        viewer = Viewer(domain, "screen", embed_id=embed.pk, clock=clock, zone=zone, language=language)
        return SocketAccess(viewer, socket_access.shared(tuple(_through(feed, scope) for feed in wanted)))


def _through(feed: Feed, scope: Scope) -> Feed:
    return Feed(feed.domain_id, feed.name, EmbedFilter(feed.name.partition(":")[0], scope))


def request_of(offered: Sequence[str], query: bytes) -> EmbedRequest | None:
    """What a frame asks for that offers these subprotocols; None where it offers no token. Raises Refused."""
    token = next((each.removeprefix(OFFERED) for each in offered if each.startswith(OFFERED)), "")
    if not token:
        return None
    return EmbedRequest(screens.digest(token), socket_access.parse_request(query).last_ids)
