"""Who may sit at which feeds: decided from the cookies and the address, before a socket hears anything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from accounts.access import Viewer, viewer_of
from accounts.models import Person
from wallboard.boards import reach, rotations, screens
from wallboard.boards.models import Board, Screen
from wallboard.boards.sight import narrowed
from wallboard.live import feeds
from wallboard.live.feeds import Feed

SIGNED_OUT, FORBIDDEN, UNKNOWN, CHANGED = 4401, 4403, 4404, 4409
MANY_FEEDS = 4 + rotations.MOST_STEPS


@dataclass(frozen=True, slots=True)
class Wish:
    """What a browser asks for: a board by its slug, its own desk, or the attentions.

    `held` has the entry ids it knows, by feed.
    """

    board: str = ""
    is_desk: bool = False
    is_screen: bool = False
    is_alerts: bool = False
    held: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Seat:
    """What a browser gets: who it is, and the feeds it may follow."""

    viewer: Viewer
    feeds: tuple[Feed, ...]


class Refused(Exception):
    """No seat; `code` is the close code that says why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def wish_of(query: bytes) -> Wish:
    """Read the address: `board`, `desk`, `screen`, `alerts` and some of `last=<feed>:<entry id>`. Raises Refused."""
    try:
        values = parse_qs(query.decode("ascii", "replace"), max_num_fields=4 + MANY_FEEDS, errors="replace")
    except ValueError:  # more fields than any page of ours sends
        raise Refused(UNKNOWN) from None
    held = dict(last.rpartition(":")[::2] for last in values.get("last", []))
    board = values.get("board", [""])[0]
    is_desk, is_screen, is_alerts = (bool(values.get(name)) for name in ("desk", "screen", "alerts"))
    return Wish(board, is_desk, is_screen, is_alerts, held)


def seat_for(cookies: Mapping[str, str], wish: Wish) -> Seat:
    """The seat that these cookies allow now, by the database. Raises Refused."""
    if "\0" in "".join((*cookies.values(), wish.board)):  # PostgreSQL cannot look for a NUL
        raise Refused(SIGNED_OUT)
    viewer = None if wish.is_screen else signed_in(cookies)
    viewer = viewer or screens.screen_viewer(cookies)
    if viewer is None:
        raise Refused(SIGNED_OUT)
    wanted = wanted_feeds(viewer, wish)
    return Seat(viewer, shared(tuple(narrowed(viewer, feed) for feed in wanted)))


@lru_cache(maxsize=1024)
def shared(feeds: tuple[Feed, ...]) -> tuple[Feed, ...]:
    """The same feeds, in one copy for all browsers that follow them: thousands may look at one board."""
    return feeds


def wanted_feeds(viewer: Viewer, wish: Wish) -> tuple[Feed, ...]:
    if wish.is_alerts:
        return alert_feeds(viewer)
    return desk_feeds(viewer) if wish.is_desk else board_feeds(viewer, wish.board)


def signed_in(cookies: Mapping[str, str]) -> Viewer | None:
    """The viewer behind the session cookie; None where there is no living session of a linked person."""
    key = cookies.get(settings.SESSION_COOKIE_NAME)
    if not key:
        return None
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
    """The attentions of the viewer's company, for the page that lists them."""
    if not viewer.may(Person.Role.SUPERVISOR):
        raise Refused(FORBIDDEN)
    return feeds.alerts(viewer.domain_id), feeds.queues(viewer.domain_id)


def board_feeds(viewer: Viewer, slug: str) -> tuple[Feed, ...]:
    """A board of the viewer's company. Call numbers only from supervisor upwards."""
    if viewer.screen_id is not None:
        return tv_feeds(viewer.screen_id, slug)
    board = reach.board(viewer, slug)
    if board is None:
        raise Refused(UNKNOWN)
    return of_boards(viewer.domain_id, viewer.may(Person.Role.SUPERVISOR), [board])


def tv_feeds(screen_id: int, slug: str) -> tuple[Feed, ...]:
    """The boards of a TV, whichever of them its page began with; numbers only where an administrator allowed them."""
    screen = Screen.objects.select_related("board", "rotation").get(pk=screen_id)
    boards = [board for board, _ in rotations.shown_by(screen)]
    if slug not in {board.slug for board in boards}:
        raise Refused(CHANGED)  # the TV was moved to another board since its page was loaded
    return of_boards(screen.domain_id, screen.shows_numbers, boards)


def of_boards(domain: int, sees_numbers: bool, boards: Sequence[Board]) -> tuple[Feed, ...]:
    """What a page with these boards follows."""
    calls = feeds.calls(domain) if sees_numbers else feeds.wall(domain)
    shared = feeds.queues(domain), feeds.people(domain), calls, feeds.alerts(domain)
    return (*shared, *(feeds.board(domain, pk) for pk in dict.fromkeys(board.pk for board in boards)))
