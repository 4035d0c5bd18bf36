"""TVs: a read-only, revocable credential each. Only its hash is kept; the token lives in the TV's cookie."""

import secrets
from collections.abc import Mapping
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.http import HttpResponseBase
from django.utils import timezone

from accounts import audit
from accounts.access import Viewer
from accounts.models import Domain, Person
from wallboard.boards.models import Board, Rotation, Screen
from wallboard.live import control

COOKIE = "screen"
COOKIE_SECONDS = 400 * 86_400  # the longest that browsers keep one; renewed whenever the page is opened
PATHS = ("/screen/", "/live/")  # the page and its socket, and nothing else, get the token
NAMES = {"/screen/": COOKIE, "/live/": "screen_live"}  # an answer of Django's holds one cookie of a name


def digest(token: str) -> str:
    """What is kept of a token; 256 random bits need no salt."""
    return sha256(token.encode()).hexdigest()


def make(board: Board, name: str, by: Person | None = None, rotation: Rotation | None = None) -> tuple[Screen, str]:
    """A new screen and its token, which is shown this once."""
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        screen = Screen.objects.create(
            domain_id=board.domain_id,
            board=board,
            rotation=rotation,
            name=name or board.name,
            token_hash=digest(token),
            created_by=by,
        )
        audit.note(board.domain_id, "screen made", screen.name, {"shows": [None, shown(screen)]})
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
    return live.select_related("board__domain", "domain", "rotation").filter(token_hash=digest(token)).first()


def screen_viewer(cookies: Mapping[str, str]) -> Viewer | None:
    """The viewer behind a TV's cookie: its own board, no phone numbers."""
    screen = screen_of(cookies.get(NAMES["/live/"]) or cookies.get(COOKIE, ""))
    if screen is None:
        return None
    return Viewer(screen.domain_id, "screen", screen_id=screen.pk)


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


def shown(screen: Screen) -> str:
    """What a screen shows, for the audit log."""
    return screen.rotation.name if screen.rotation is not None else screen.board.slug


def rename(screen: Screen, name: str) -> None:
    """Give the screen another name; the TV shows it at once."""
    with transaction.atomic():
        before = kept(screen).name
        screen.name = name
        audit.note(screen.domain_id, "screen renamed", before, {"name": [before, name]})
        tell_after(screen, ["name"])


def turn_sound(screen: Screen, is_on: bool) -> None:
    """Let the TV be heard when something needs attention, or not; it follows at once."""
    with transaction.atomic():
        audit.note(screen.domain_id, "screen sound", screen.name, {"sound": [kept(screen).has_sound, is_on]})
        screen.has_sound = is_on
        tell_after(screen, ["has_sound"])


def switch(screen: Screen, board: Board, rotation: Rotation | None = None) -> None:
    """Show another board, or a rotation that begins with it; the TV comes back with it within seconds."""
    if board.domain_id != screen.domain_id or (rotation is not None and rotation.domain_id != screen.domain_id):
        raise ValueError("a screen shows boards of its own company only")
    with transaction.atomic():
        before = shown(kept(screen))
        screen.board, screen.rotation = board, rotation
        audit.note(screen.domain_id, "screen switched", screen.name, {"shows": [before, shown(screen)]})
        close_after(screen, ["board", "rotation"])


def allow_numbers(screen: Screen, is_allowed: bool) -> None:
    """Let the TV show phone numbers, or not any more; whoever calls this is an administrator."""
    with transaction.atomic():
        before = kept(screen).shows_numbers
        audit.note(screen.domain_id, "screen numbers", screen.name, {"numbers": [before, is_allowed]})
        screen.shows_numbers = is_allowed
        close_after(screen, ["shows_numbers"])


def order(screen: Screen, what: str) -> bool:
    """Let the TV `reload` its page or `flash` its name; False where it could not be told."""
    audit.note(screen.domain_id, f"screen {what}", screen.name)
    return control.order_screen(screen.pk, what)


def revoke(screen: Screen) -> None:
    """End the screen's right to look, now; open sockets end within seconds."""
    with transaction.atomic():
        audit.note(screen.domain_id, "screen revoked", screen.name)
        screen.revoked_at = screen.revoked_at or timezone.now()
        close_after(screen, ["revoked_at"])


def kept(screen: Screen) -> Screen:
    """The screen as the database has it: a form may have written its wish into the row already."""
    return Screen.objects.select_related("board", "rotation").get(pk=screen.pk)


def close_after(screen: Screen, fields: list[str]) -> None:
    """Keep these fields and let the TV come back. Inside the caller's transaction."""
    screen.save(update_fields=fields)
    transaction.on_commit(lambda: control.close_screen(screen.pk), robust=True)


def tell_after(screen: Screen, fields: list[str]) -> None:
    """Keep these fields and tell the TV. Inside the caller's transaction."""
    screen.save(update_fields=fields)
    told = {"name": screen.name, "sound": screen.has_sound}
    transaction.on_commit(lambda: control.order_screen(screen.pk, "settings", **told), robust=True)


def listed(domain: Domain) -> list[Screen]:
    """The company's screens that may look, newest last."""
    live = domain.screens.filter(revoked_at=None).select_related("board", "rotation", "domain")
    return list(live.order_by("name", "pk"))
