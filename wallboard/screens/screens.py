"""TVs: a read-only, revocable credential each. Only its hash is stored; the token lives in the TV's cookie."""

import secrets
from collections.abc import Iterable, Mapping
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from accounts import audit
from accounts.access import Viewer
from accounts.companies import addresses, hosts
from accounts.languages import choosing
from accounts.models import Domain, Person
from accounts.signin import rights
from wallboard.boards.models import Board
from wallboard.live import control
from wallboard.screens.models import Rotation, Screen

COOKIE = "screen"
COOKIE_SECONDS = 400 * 86_400  # the longest that browsers keep one; renewed whenever the page is opened
PATHS = ("/screen/", "/live/")  # the page and its socket, and nothing else, get the token
NAMES = {"/screen/": COOKIE, "/live/": "screen_live"}  # an answer of Django's holds one cookie of a name


def digest(token: str) -> str:
    """What is stored of a token; 256 random bits need no salt."""
    return sha256(token.encode()).hexdigest()


def create(board: Board, name: str, by: Person | None = None, rotation: Rotation | None = None) -> tuple[Screen, str]:
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
        audit.log(board.domain_id, "screen made", screen.name, {"shows": [None, content_name(screen)]})
    return screen, token


def new_token(screen: Screen) -> str:
    """Replace the screen's token; the one before it stops working."""
    token = secrets.token_urlsafe(32)
    screen.token_hash = digest(token)
    screen.save(update_fields=["token_hash"])
    return token


def link(domain: Domain, token: str) -> str:
    """The address to open on the TV."""
    return f"{addresses.of(domain)}/screen/{token}/"


def screen_by_token(token: str) -> Screen | None:
    """The screen with this token, unless it was revoked or its company is switched off."""
    if not token:
        return None
    live = Screen.objects.filter(revoked_at=None, domain__is_active=True)
    return live.select_related("board__domain", "domain", "rotation").filter(token_hash=digest(token)).first()


def screen_at(request: HttpRequest, token: str = "") -> Screen | None:
    """The screen of this request, or with this token; none of another company than that whose host is asked."""
    screen = screen_by_token(token or request.COOKIES.get(COOKIE, ""))
    return None if screen is None or hosts.is_elsewhere(request, screen.domain_id) else screen


def is_paused(request: HttpRequest, token: str) -> bool:
    """Whether the screen with this token may look again once its company is resumed."""
    waiting = Screen.objects.filter(revoked_at=None, domain__is_active=False, domain__removal_at=None)
    screen = waiting.filter(token_hash=digest(token)).first() if token else None
    return screen is not None and not hosts.is_elsewhere(request, screen.domain_id)


def token_in(cookies: Mapping[str, str]) -> str:
    """The token that a TV's socket brings, "" for none."""
    return cookies.get(NAMES["/live/"]) or cookies.get(COOKIE, "")


def viewers_by_token(tokens: Iterable[str]) -> dict[str, Viewer]:
    """The viewers behind these tokens, but for those that were revoked or whose company is switched off."""
    by_hash = {digest(token): token for token in tokens if token}
    if not by_hash:
        return {}
    live = Screen.objects.filter(revoked_at=None, domain__is_active=True, token_hash__in=by_hash)
    columns = ("language", "board__language", "domain__language", "domain__clock", "domain__time_zone")
    return {
        by_hash[held]: Viewer(
            domain,
            "screen",
            screen_id=pk,
            clock=clock,
            zone=zone,
            language=choosing.first_offered(own, boards, companys),
        )
        for held, domain, pk, own, boards, companys, clock, zone in live.values_list(
            "token_hash", "domain_id", "pk", *columns
        )
    }


def set_cookies(response: HttpResponseBase, token: str) -> None:
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


def delete_cookies(response: HttpResponseBase) -> None:
    """Take the token out of the browser."""
    for path in PATHS:
        response.delete_cookie(NAMES[path], path=path, samesite="Lax")


def content_name(screen: Screen) -> str:
    """What a screen shows, for the audit log."""
    return screen.rotation.name if screen.rotation is not None else screen.board.slug


def rename(screen: Screen, name: str) -> None:
    """Give the screen another name; the TV shows it at once."""
    with transaction.atomic():
        before = stored(screen).name
        screen.name = name
        audit.log(screen.domain_id, "screen renamed", before, {"name": [before, name]})
        save_and_send_settings(screen, ["name"])


def set_sound(screen: Screen, is_on: bool) -> None:
    """Turn the TV's alert sound on or off; it follows at once."""
    with transaction.atomic():
        audit.log(screen.domain_id, "screen sound", screen.name, {"sound": [stored(screen).has_sound, is_on]})
        screen.has_sound = is_on
        save_and_send_settings(screen, ["has_sound"])


def set_content(screen: Screen, board: Board, rotation: Rotation | None = None) -> None:
    """Show another board, or a rotation that begins with it; the TV comes back with it within seconds."""
    if board.domain_id != screen.domain_id or (rotation is not None and rotation.domain_id != screen.domain_id):
        raise ValueError("a screen shows boards of its own company only")
    with transaction.atomic():
        before = content_name(stored(screen))
        screen.board, screen.rotation = board, rotation
        audit.log(screen.domain_id, "screen switched", screen.name, {"shows": [before, content_name(screen)]})
        # A socket follows the feeds of its boards: other boards need another connection.
        save_and_reconnect(screen, ["board", "rotation"])


def language_of(screen: Screen) -> str:
    """What the TV's page is written in: its own language, else its board's, else the company's."""
    return choosing.first_offered(screen.language, screen.board.language, screen.domain.language)


def set_language(screen: Screen, code: str) -> None:
    """Let the TV speak a language, "" for that of its board; it comes back in it within seconds."""
    with transaction.atomic():
        audit.log(screen.domain_id, "screen language", screen.name, {"language": [stored(screen).language, code]})
        screen.language = code
        save_and_reconnect(screen, ["language"])


def allow_numbers(screen: Screen, is_allowed: bool) -> None:
    """Let the TV show phone numbers, or not any more; whoever calls this is an administrator."""
    with transaction.atomic():
        before = stored(screen).shows_numbers
        audit.log(screen.domain_id, "screen numbers", screen.name, {"numbers": [before, is_allowed]})
        screen.shows_numbers = is_allowed
        save_and_reconnect(screen, ["shows_numbers"])


def send_order(screen: Screen, what: str) -> bool:
    """Let the TV `reload` its page or `flash` its name; False where it could not be told."""
    audit.log(screen.domain_id, f"screen {what}", screen.name)
    return control.order_screen(screen.pk, what)


def revoke(screen: Screen) -> None:
    """End the screen's right to look, now; open sockets end within seconds."""
    with transaction.atomic():
        audit.log(screen.domain_id, "screen revoked", screen.name)
        # Revoked twice, it ended at the first time.
        screen.revoked_at = screen.revoked_at or timezone.now()
        save_and_reconnect(screen, ["revoked_at"])


def stored(screen: Screen) -> Screen:
    """The screen as the database has it: a form may have written the new values into the object already."""
    return Screen.objects.select_related("board", "rotation").get(pk=screen.pk)


def save_and_reconnect(screen: Screen, fields: list[str]) -> None:
    """Save these fields and make the TV connect again. Inside the caller's transaction."""
    screen.save(update_fields=fields)
    # Every server process reads this within seconds, also while Redis, which is faster, is away.
    rights.changed(screen_id=screen.pk)
    transaction.on_commit(lambda: control.close_screen(screen.pk), robust=True)


def save_and_send_settings(screen: Screen, fields: list[str]) -> None:
    """Save these fields and tell the TV. Inside the caller's transaction."""
    screen.save(update_fields=fields)
    # No reconnecting: the page takes both over while it runs.
    told = page_settings(screen)
    transaction.on_commit(lambda: control.order_screen(screen.pk, "settings", **told), robust=True)


def page_settings(screen: Screen) -> dict[str, object]:
    """What a TV's page takes over while it runs."""
    return {"name": screen.name, "sound": screen.has_sound}


def active_screens(domain: Domain) -> list[Screen]:
    """The company's screens that may look, newest last."""
    live = domain.screens.filter(revoked_at=None).select_related("board", "rotation", "domain")
    return list(live.order_by("name", "pk"))
