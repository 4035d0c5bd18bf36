"""A board on a desk or on the wall: the page is a shell, the socket fills it."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.access import Viewer, for_role
from accounts.models import Person
from wallboard.boards import layout
from wallboard.boards.models import Board
from wallboard.boards.words import board_words

MEDIA = {"dark": "all", "light": "not all", "system": "(prefers-color-scheme: dark)"}


def page_of(board: Board, role: str, screen_name: str = "") -> dict[str, Any]:
    """What the template and the scripts of a board page need; `role` is the viewer's, "screen" for a TV."""
    is_tv = role == "screen"
    sees_numbers = role in (Person.Role.SUPERVISOR, Person.Role.ADMINISTRATOR)
    return {
        "board": board,
        "is_tv": is_tv,
        "may_edit": sees_numbers,
        "dark_media": MEDIA[board.theme],
        "sections": layout.SECTIONS,
        "page": {
            "board": layout.board_document(board)[1],
            "feeds": {"board": f"board:{board.pk}", "calls": "calls" if sees_numbers else "wall"},
            "socket": f"board={board.slug}",
            "zone": board.domain.time_zone,
            "isTv": is_tv,
            "screen": screen_name,
            "words": board_words(),
        },
    }


@never_cache
@for_role(Person.Role.AGENT)
def show(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """The board page for people who are signed in."""
    board = get_object_or_404(Board.objects.select_related("domain"), domain_id=viewer.domain_id, slug=slug)
    return render(request, "boards/board.html", page_of(board, viewer.role))


@never_cache
@for_role(Person.Role.AGENT)
def home(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Where a person starts: an agent at the desk, everyone else at the list of boards."""
    if not viewer.may(Person.Role.SUPERVISOR):
        return redirect("/desk/")
    boards = list(Board.objects.filter(domain_id=viewer.domain_id))
    return render(request, "boards/home.html", {"boards": boards, "title": _("Boards")})
