"""Which feeds a program may follow, decided by its token."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from wallboard.api import callers, scopes, tokens
from wallboard.api.callers import Caller
from wallboard.api.streams import events
from wallboard.boards import permissions
from wallboard.live import feeds
from wallboard.live.feeds import Feed
from wallboard.sockets.socket_access import FORBIDDEN, SIGNED_OUT, UNKNOWN, Refused, SocketAccess, shared
from wallboard.sockets.visibility import limited_feed

BOARD = "board:"
MOST_FIELDS = 3 + events.MOST_FEEDS


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """What a program asks for: the hash of its token, and names of feeds; `last_ids` are the entries that it knows."""

    prefix: str
    secret_hash: str
    names: tuple[str, ...]
    last_ids: Mapping[str, str] = field(default_factory=dict, compare=False)

    def access(self, cookies: Mapping[str, str]) -> SocketAccess:
        """As socket_access.AccessRequest says."""
        token = tokens.find_hashed(self.prefix, self.secret_hash)
        if token is None:
            raise Refused(SIGNED_OUT)
        tokens.note_use(token)
        caller = callers.caller_of(token)
        viewer = caller.viewer
        found = dict.fromkeys(limited_feed(viewer, feed_of(caller, name)) for name in self.names)
        return SocketAccess(viewer, shared(tuple(found)))


def request_of(token: str, query: bytes, last_id: str = "") -> StreamRequest:
    """What the token and the query ask for; `last_id` or else `last` says where to go on. Raises Refused."""
    match = tokens.FORM.fullmatch(token)
    if match is None:
        raise Refused(SIGNED_OUT)
    try:
        values = parse_qs(query.decode("ascii", "replace"), max_num_fields=MOST_FIELDS, errors="replace")
    except ValueError:
        raise Refused(UNKNOWN) from None
    names = tuple(name for name in ",".join(values.get("feeds", [])).split(",") if name)
    if not names or len(names) > events.MOST_FEEDS or "\0" in "".join(names):
        raise Refused(UNKNOWN)
    held = events.parsed(last_id or ",".join(values.get("last", [])))
    return StreamRequest(match["prefix"], tokens.hash_of(token), names, held)


def feed_of(caller: Caller, name: str) -> Feed:
    """The feed of that name, whole. Raises Refused."""
    if name.startswith(BOARD):
        return _board(caller, name.removeprefix(BOARD))
    if name not in FEEDS:
        raise Refused(UNKNOWN)
    if not caller.may(name):
        raise Refused(FORBIDDEN)
    return FEEDS[name](caller)


def _board(caller: Caller, slug: str) -> Feed:
    if not caller.may(scopes.BOARDS):
        raise Refused(FORBIDDEN)
    board = permissions.visible_board(caller.viewer, slug)
    if board is None:
        raise Refused(UNKNOWN)
    return feeds.board(caller.domain.pk, board.pk)


def _calls(caller: Caller) -> Feed:
    of = feeds.calls if caller.may(scopes.NUMBERS) else feeds.wall
    return of(caller.domain.pk)


FEEDS: dict[str, Callable[[Caller], Feed]] = {
    scopes.QUEUES: lambda caller: feeds.queues(caller.domain.pk),
    scopes.PEOPLE: lambda caller: feeds.people(caller.domain.pk),
    scopes.CALLS: _calls,
    scopes.ALERTS: lambda caller: feeds.alerts(caller.domain.pk),
}
