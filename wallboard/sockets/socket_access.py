"""Which feeds a browser may follow: decided from its cookies and the address, before the socket hears anything."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Protocol
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from accounts.access import Viewer, viewer_of
from accounts.models import Person
from wallboard.boards import permissions
from wallboard.boards.models import Board
from wallboard.live import feeds
from wallboard.live.feeds import Feed
from wallboard.screens import rotations, screens
from wallboard.screens.models import Screen
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
    if "\0" in "".join((*cookies.values(), request.board)):  # PostgreSQL cannot look for a NUL
        raise Refused(SIGNED_OUT)
    # Somebody may be signed in in the same browser; a TV shows no more than a TV may.
    viewer = None if request.is_screen else session_viewer(cookies)
    viewer = viewer or screens.screen_viewer(cookies)
    if viewer is None:
        raise Refused(SIGNED_OUT)
    wanted = requested_feeds(viewer, request)
    return SocketAccess(viewer, shared(tuple(limited_feed(viewer, feed) for feed in wanted)))


@lru_cache(maxsize=1024)
def shared(feeds: tuple[Feed, ...]) -> tuple[Feed, ...]:
    """The same feeds, in one copy for all browsers that follow them: thousands may look at one board."""
    return feeds


def requested_feeds(viewer: Viewer, request: SocketRequest) -> tuple[Feed, ...]:
    """The feeds of what is asked for, each as a whole. Raises Refused."""
    return PAGES[request.page](viewer) if request.page else board_feeds(viewer, request.board)


def session_viewer(cookies: Mapping[str, str]) -> Viewer | None:
    """The viewer behind the session cookie; None where there is no living session of a linked person."""
    key = cookies.get(settings.SESSION_COOKIE_NAME)
    if not key:
        return None
    # get_user() wants a request, and checks the hash that ends sessions, too.
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return viewer_of(get_user(request))


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
    """A board of the viewer's company. Call numbers only from supervisor upwards."""
    if viewer.screen_id is not None:
        return tv_feeds(viewer.screen_id, slug)
    board = permissions.visible_board(viewer, slug)
    if board is None:
        raise Refused(UNKNOWN)
    return board_page_feeds(viewer.domain_id, viewer.may(Person.Role.SUPERVISOR), [board])


def tv_feeds(screen_id: int, slug: str) -> tuple[Feed, ...]:
    """The boards of a TV, whichever of them its page began with; numbers only where an administrator allowed them."""
    screen = Screen.objects.select_related("board", "rotation").get(pk=screen_id)
    boards = [board for board, _ in rotations.screen_steps(screen)]
    if slug not in {board.slug for board in boards}:
        raise Refused(CHANGED)  # the TV was moved to another board since its page was loaded
    return board_page_feeds(screen.domain_id, screen.shows_numbers, boards)


def board_page_feeds(domain: int, sees_numbers: bool, boards: Sequence[Board]) -> tuple[Feed, ...]:
    """What a page with these boards follows."""
    calls = calls_feed(domain, sees_numbers)
    shared = feeds.queues(domain), feeds.people(domain), calls, feeds.alerts(domain)
    return (*shared, *(feeds.board(domain, pk) for pk in dict.fromkeys(board.pk for board in boards)))


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
