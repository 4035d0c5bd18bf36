"""Which feeds a browser may follow: decided from its cookies and the address, before the socket hears anything."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol
from urllib.parse import parse_qs

from django.conf import settings

from accounts.access import Viewer, viewers_of
from accounts.models import Person
from accounts.signin import sessions
from wallboard.boards import permissions
from wallboard.live import feeds
from wallboard.live.feeds import Feed
from wallboard.screens import rotations, screens
from wallboard.sockets.seat_rows import Rows, ShownScreen
from wallboard.sockets.visibility import limited_feed

SIGNED_OUT, FORBIDDEN, UNKNOWN, CHANGED = 4401, 4403, 4404, 4409
MAX_FEEDS = 4 + rotations.MAX_STEPS


@dataclass(frozen=True, slots=True)
class SocketRequest:
    """What a browser asks for: a board by its slug, or one of PAGES by its name.

    With `is_screen` only the cookie of a TV counts; `last_ids` has the entry ids that the browser knows, by feed.
    """

    board: str = ""
    page: str = ""
    is_screen: bool = False
    last_ids: Mapping[str, str] = field(default_factory=dict, compare=False)

    def access(self, cookies: Mapping[str, str]) -> "SocketAccess":
        """As `access_for`."""
        return access_for(cookies, self)


@dataclass(frozen=True, slots=True)
class SocketAccess:
    """What a browser gets: who it is, and the feeds it may follow."""

    viewer: Viewer
    feeds: tuple[Feed, ...]


class AccessRequest(Protocol):
    """What somebody asks for, hashable: equal requests with equal cookies are decided together."""

    @property
    def last_ids(self) -> Mapping[str, str]:
        """The entry ids that it holds already, by feed."""

    def access(self, cookies: Mapping[str, str]) -> SocketAccess:
        """What these cookies allow of it now, by the database. Raises Refused."""


class Refused(Exception):
    """No access; `code` is the close code that says why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


Asked = tuple[Mapping[str, str], SocketRequest]


def parse_request(query: bytes) -> SocketRequest:
    """The address parsed: `board` or one of PAGES, `screen`, and some of `last=<feed>:<entry id>`. Raises Refused."""
    try:
        values = parse_qs(query.decode("ascii", "replace"), max_num_fields=4 + MAX_FEEDS, errors="replace")
    except ValueError:  # more fields than any page of ours sends
        raise Refused(UNKNOWN) from None
    last_ids = dict(last.rpartition(":")[::2] for last in values.get("last", []))
    board = values.get("board", [""])[0]
    page = next((name for name in PAGES if values.get(name)), "")
    return SocketRequest(board, page, bool(values.get("screen")), last_ids)


def access_for(cookies: Mapping[str, str], request: SocketRequest) -> SocketAccess:
    """The access that these cookies allow now, by the database. Raises Refused."""
    decided = decide([(cookies, request)])[0]
    if isinstance(decided, Refused):
        raise decided
    return decided


def decide(asked: Sequence[Asked]) -> list[SocketAccess | Refused]:
    """The same for many browsers, each by itself, with a handful of statements for all of them."""
    viewers = viewers_behind(asked)
    wanted = [(viewer, request) for viewer, (_, request) in zip(viewers, asked, strict=True)]
    rows = Rows.of([(viewer, request) for viewer, request in wanted if viewer is not None])
    return [_decided(viewer, request, rows) for viewer, request in wanted]


def _decided(viewer: Viewer | None, request: SocketRequest, rows: Rows) -> SocketAccess | Refused:
    if viewer is None:
        return Refused(SIGNED_OUT)
    try:
        wanted = feeds_of(viewer, request, rows)
    except Refused as refused:
        return refused
    board = rows.boards.get((viewer.domain_id, request.board)) if viewer.screen_id is None else None
    if board is not None and board.language:
        viewer = replace(viewer, language=board.language)  # its page is in it, whoever looks
    return SocketAccess(viewer, shared(tuple(limited_feed(viewer, feed) for feed in wanted)))


def viewers_behind(asked: Sequence[Asked]) -> list[Viewer | None]:
    """Who each of them is; None where there is no living session of a linked person and no TV."""
    name = settings.SESSION_COOKIE_NAME
    # PostgreSQL cannot look for a NUL.
    sane = [all("\0" not in text for text in (*cookies.values(), request.board)) for cookies, request in asked]
    # Somebody may be signed in in the same browser; a TV shows no more than a TV may.
    keys = [
        cookies.get(name, "") if is_sane and not request.is_screen else ""
        for is_sane, (cookies, request) in zip(sane, asked, strict=True)
    ]
    wanted = set(keys) - {""}
    users = sessions.users_of(wanted) if wanted else {}
    people = viewers_of({user.pk: user for user in users.values()}.values()) if users else {}
    found = [people.get(users[key].pk) if key in users else None for key in keys]
    tokens = [
        screens.token_in(cookies) if viewer is None and is_sane else ""
        for viewer, is_sane, (cookies, _) in zip(found, sane, asked, strict=True)
    ]
    tvs = screens.viewers_by_token(tokens)
    return [viewer or tvs.get(token) for viewer, token in zip(found, tokens, strict=True)]


@lru_cache(maxsize=1024)
def shared(feeds: tuple[Feed, ...]) -> tuple[Feed, ...]:
    """The same feeds, in one copy for all browsers that follow them: thousands may look at one board."""
    return feeds


def requested_feeds(viewer: Viewer, request: SocketRequest) -> tuple[Feed, ...]:
    """The feeds of what is asked for, each as a whole. Raises Refused."""
    return feeds_of(viewer, request, Rows.of([(viewer, request)]))


def feeds_of(viewer: Viewer, request: SocketRequest, rows: Rows) -> tuple[Feed, ...]:
    """The same by rows that were read already. Raises Refused."""
    if request.page:
        return PAGES[request.page](viewer)
    if viewer.screen_id is not None:
        return tv_feeds(rows.screens.get(viewer.screen_id), request.board)
    board = rows.boards.get((viewer.domain_id, request.board))
    if board is None or not permissions.may_open(viewer, board):
        raise Refused(UNKNOWN)
    return board_page_feeds(viewer.domain_id, viewer.may(Person.Role.SUPERVISOR), [board.pk])


def desk_feeds(viewer: Viewer) -> tuple[Feed, ...]:
    """A person's own desk."""
    if not viewer.extension:
        raise Refused(FORBIDDEN)
    domain = viewer.domain_id
    return feeds.desk(domain, viewer.extension), feeds.people(domain), feeds.queues(domain)


def alert_feeds(viewer: Viewer) -> tuple[Feed, ...]:
    """The alerts of the viewer's company, for the page that lists them."""
    if not viewer.may(Person.Role.SUPERVISOR):
        raise Refused(FORBIDDEN)
    return feeds.alerts(viewer.domain_id), feeds.queues(viewer.domain_id)


def board_feeds(viewer: Viewer, slug: str) -> tuple[Feed, ...]:
    """A board of the viewer's company. Call numbers only from supervisor upwards. Raises Refused."""
    return requested_feeds(viewer, SocketRequest(slug))


def tv_feeds(screen: ShownScreen | None, slug: str) -> tuple[Feed, ...]:
    """The boards of a TV, whichever of them its page began with; numbers only where an administrator allowed them."""
    if screen is None:
        raise Refused(SIGNED_OUT)  # deleted a moment ago
    if slug not in screen.boards.values():
        raise Refused(CHANGED)  # the TV was moved to another board since its page was loaded
    return board_page_feeds(screen.domain_id, screen.shows_numbers, list(screen.boards))


def board_page_feeds(domain: int, sees_numbers: bool, board_ids: Sequence[int]) -> tuple[Feed, ...]:
    """What a page with these boards follows."""
    calls = calls_feed(domain, sees_numbers)
    shared = feeds.queues(domain), feeds.people(domain), calls, feeds.alerts(domain)
    return (*shared, *(feeds.board(domain, pk) for pk in board_ids))


def overview_feeds(viewer: Viewer) -> tuple[Feed, ...]:
    """The queues alone, by which the list of boards draws each of them."""
    if viewer.screen_id is not None:
        raise Refused(FORBIDDEN)
    return (feeds.queues(viewer.domain_id),)


def people_feeds(viewer: Viewer) -> tuple[Feed, ...]:
    """Everybody at the company, and the calls that they are on as the viewer may see them."""
    if viewer.screen_id is not None:
        raise Refused(FORBIDDEN)
    return feeds.people(viewer.domain_id), calls_feed(viewer.domain_id, viewer.may(Person.Role.SUPERVISOR))


def call_feeds(viewer: Viewer) -> tuple[Feed, ...]:
    """The calls that are up, and the queues' names."""
    if not viewer.may(Person.Role.SUPERVISOR):
        raise Refused(FORBIDDEN)
    return feeds.calls(viewer.domain_id), feeds.queues(viewer.domain_id)


def calls_feed(domain_id: int, sees_numbers: bool) -> Feed:
    """Live calls with numbers or without."""
    return feeds.calls(domain_id) if sees_numbers else feeds.wall(domain_id)


PAGES: dict[str, Callable[[Viewer], tuple[Feed, ...]]] = {
    "desk": desk_feeds,
    "alerts": alert_feeds,
    "boards": overview_feeds,
    "people": people_feeds,
    "calls": call_feeds,
}
