"""The board that an installation starts with."""

from django.utils.translation import gettext as _

from accounts.models import Domain
from wallboard.boards import editing
from wallboard.boards.models import Board

SLUG = "main"


def ensure_default_board(domain: Domain) -> Board:
    """The domain's first board, made only when it has none: all queues, all sections."""
    board = Board.objects.filter(domain=domain, slug=SLUG).first() or Board.objects.filter(domain=domain).first()
    return board or editing.create(domain, editing.BoardInput(name=domain.name or _("Calls")), slug=SLUG)
