"""A TV without a keyboard: it shows a short code, a supervisor enters it, and the TV becomes a screen."""

import secrets
from dataclasses import dataclass
from datetime import timedelta

import segno
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import Person
from accounts.signin.start_throttle import StartThrottle
from wallboard.boards.models import Board
from wallboard.screens import screens
from wallboard.screens.models import Pairing, Rotation, Screen

COOKIE = "pairing"
PATH = "/pair/"
VALID = timedelta(minutes=10)
LETTERS = "ABCDEFGHJKLMNPQRTUVWXY346789"  # without those that look alike from afar
LENGTH = 6  # 28 ** 6 codes, of which at most MAX_WAITING are good at a time
MAX_WAITING = 1000  # nobody is signed in here, so the table must not grow without bound
starts = StartThrottle(
    200, "pairing"
)  # per address, far more than TVs are put up at once; what one sender may cost all others


class TooMany(Exception):
    """So many TVs of one address ask for codes that this must be an attack or a mistake."""


class WrongCode(ValueError):
    """No TV waits with this code (any more)."""


@dataclass(frozen=True)
class Waiting:
    """A pairing as its TV knows it: the code for people, the device's secret for its cookie."""

    code: str
    device: str


def begin(address: str = "", domain_id: int | None = None) -> Waiting:
    """A new code for a TV at this address; "" where nobody asks from outside. Raises TooMany, which only it is told.

    Shown at a company's own host, the code is good for that company alone.
    """
    if address and starts.is_exceeded(address):
        raise TooMany
    now = timezone.now()
    # No task clears these away: whoever asks for a code does.
    Pairing.objects.filter(until__lt=now).delete()
    _make_room()
    device = secrets.token_urlsafe(32)
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        try:
            # A savepoint: PostgreSQL refuses everything after a failed insert otherwise.
            with transaction.atomic():
                Pairing.objects.create(
                    code=code, device_hash=screens.digest(device), until=now + VALID, domain_id=domain_id
                )
        except IntegrityError:
            continue  # another TV has this code just now
        return Waiting(code, device)


def _make_room() -> None:
    """Where too many wait, the oldest codes go: whoever floods the table from many addresses stops nobody for long."""
    waiting = Pairing.objects.filter(screen=None)
    too_old = waiting.order_by("-pk").values_list("pk", flat=True)[MAX_WAITING - 1 :]
    # Django deletes no slice of a query.
    waiting.filter(pk__in=list(too_old)).delete()


def of_device(device: str) -> Pairing | None:
    """The pairing that this TV began, while it is valid."""
    if not device:
        return None
    waiting = Pairing.objects.filter(until__gt=timezone.now()).select_related("screen")
    return waiting.filter(device_hash=screens.digest(device)).first()


def normalized_code(code: str) -> str:
    """A code as it is stored, however it was typed."""
    return "".join(letter for letter in code.upper() if letter.isalnum())


def qr_code(address: str) -> str:
    """The address as a QR code, to be shown as an image."""
    return str(segno.make(address, error="m", micro=False).svg_data_uri(scale=8, border=3, dark="#000", light="#fff"))


def accept(code: str, board: Board, name: str, by: Person | None, rotation: Rotation | None = None) -> Screen:
    """Make the TV with this code a screen of the board, or of a rotation that begins with it. Raises WrongCode."""
    with transaction.atomic():
        # Two supervisors may enter one code: the second finds it taken.
        found = Pairing.objects.select_for_update().filter(
            Q(domain=None) | Q(domain=board.domain_id),
            code=normalized_code(code),
            screen=None,
            until__gt=timezone.now(),
        )
        pairing = found.first()
        if pairing is None:
            raise WrongCode(code)
        # Nobody gets this token: finish() makes another, which only the TV ever sees.
        pairing.screen, _ = screens.create(board, name, by, rotation)
        pairing.save(update_fields=["screen"])
    return pairing.screen


def finish(pairing: Pairing) -> str | None:
    """The token for the TV once somebody accepted it, given once; None while it still waits."""
    if pairing.screen is None or pairing.screen.revoked_at is not None:
        return None
    with transaction.atomic():
        # Deleted first: of two requests with one cookie, one gets a token.
        if not Pairing.objects.filter(pk=pairing.pk).delete()[0]:
            return None
        return screens.new_token(pairing.screen)
