"""TVs: a read-only, revocable credential each. Only its hash is kept; the token lives in the TV's cookie."""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.http import HttpResponseBase
from django.utils import timezone

from accounts import audit
from accounts.access import Viewer
from accounts.models import Domain, Person
from wallboard.boards.models import Board, Screen
from wallboard.live import control

COOKIE = "screen"
COOKIE_SECONDS = 400 * 86_400  # the longest that browsers keep one; renewed whenever the page is opened
PATHS = ("/screen/", "/live/")  # the page and its socket, and nothing else, get the token
NAMES = {"/screen/": COOKIE, "/live/": "screen_live"}  # an answer of Django's holds one cookie of a name
SEEN_EVERY = timedelta(seconds=30)


def digest(token: str) -> str:
    """What is kept of a token; 256 random bits need no salt."""
    return sha256(token.encode()).hexdigest()


def make(board: Board, name: str, by: Person | None = None) -> tuple[Screen, str]:
    """A new screen and its token, which is shown this once."""
    token = secrets.token_urlsafe(32)
    screen = Screen.objects.create(
        domain_id=board.domain_id, board=board, name=name or board.name, token_hash=digest(token), created_by=by
    )
    audit.note(board.domain_id, "screen made", screen.name, {"board": [None, board.slug]})
    return screen, token


def new_token(screen: Screen) -> str:
    """Replace the screen's token; the one before it stops working."""
    token = secrets.token_urlsafe(32)
    screen.token_hash = digest(token)
    screen.save(update_fields=["token_hash"])
    return token


def link(token: str) -> str:
    """The address to open on the TV."""
    return f"{settings.PUBLIC_URL}/screen/{token}/"


def screen_of(token: str) -> Screen | None:
    """The screen with this token, unless it was revoked or its company is switched off."""
    if not token:
        return None
    live = Screen.objects.filter(revoked_at=None, domain__is_active=True)
    return live.select_related("board", "domain").filter(token_hash=digest(token)).first()


def screen_viewer(cookies: Mapping[str, str]) -> Viewer | None:
    """The viewer behind a TV's cookie: its own board, no phone numbers."""
    screen = screen_of(cookies.get(NAMES["/live/"]) or cookies.get(COOKIE, ""))
    if screen is None:
        return None
    return Viewer(screen.domain_id, "screen", screen_id=screen.pk, board_id=screen.board_id)


def keep(response: HttpResponseBase, token: str) -> None:
    """Put the token into the cookies that the page and its socket get."""
    for path in PATHS:
        response.set_cookie(
            NAMES[path],
            token,
            max_age=COOKIE_SECONDS,
            path=path,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def forget(response: HttpResponseBase) -> None:
    """Take the token out of the browser."""
    for path in PATHS:
        response.delete_cookie(NAMES[path], path=path, samesite="Lax")


def seen(screen: Screen, engine: str = "") -> None:
    """Note that the TV is there, at most every half minute."""
    now = timezone.now()
    long_ago = Q(seen_at=None) | Q(seen_at__lt=now - SEEN_EVERY)
    Screen.objects.filter(long_ago, pk=screen.pk).update(seen_at=now, engine=engine[:200] or screen.engine)


def rename(screen: Screen, name: str) -> None:
    """Give the screen another name."""
    audit.note(screen.domain_id, "screen renamed", screen.name, {"name": [screen.name, name]})
    screen.name = name
    screen.save(update_fields=["name"])


def switch(screen: Screen, board: Board) -> None:
    """Show another board of the same company; the TV's socket is closed and its page comes back with the new board."""
    if board.domain_id != screen.domain_id:
        raise ValueError("a screen shows boards of its own company only")
    audit.note(screen.domain_id, "screen switched", screen.name, {"board": [None, board.slug]})
    screen.board = board
    close_after(screen, ["board"])


def revoke(screen: Screen) -> None:
    """End the screen's right to look, now; open sockets end within seconds."""
    audit.note(screen.domain_id, "screen revoked", screen.name)
    screen.revoked_at = screen.revoked_at or timezone.now()
    close_after(screen, ["revoked_at"])


def close_after(screen: Screen, fields: list[str]) -> None:
    with transaction.atomic():
        screen.save(update_fields=fields)
        transaction.on_commit(lambda: control.close_screen(screen.pk), robust=True)


def listed(domain: Domain) -> list[Screen]:
    """The company's screens that may look, newest last."""
    return list(domain.screens.filter(revoked_at=None).select_related("board").order_by("name", "pk"))
