"""A board on a desk: the page is a shell, the socket fills it. Beside it the list of boards and their editor."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from wallboard.alerts.words import words
from wallboard.boards import drafts, editing, layout, reach
from wallboard.boards.forms import NewBoardForm
from wallboard.boards.models import Board
from wallboard.boards.templatetags.looks import dark_media
from wallboard.boards.words import board_words

MEDIA = {theme: dark_media(theme) for theme in Board.Theme.values}


def page_of(board: Board, role: str, screen_name: str = "") -> dict[str, Any]:
    """What the template and the scripts of a board page need; `role` is the viewer's, "screen" for a TV."""
    is_tv = role == "screen"
    sees_numbers = role in (Person.Role.SUPERVISOR, Person.Role.ADMINISTRATOR)
    return {
        "board": board,
        "is_tv": is_tv,
        "may_edit": sees_numbers,
        "dark_media": MEDIA[board.theme],
        "page": {
            "board": layout.board_document(board)[1],
            "feeds": {"board": f"board:{board.pk}", "calls": "calls" if sees_numbers else "wall"},
            "socket": f"board={board.slug}&screen=1" if is_tv else f"board={board.slug}",
            "zone": board.domain.time_zone,
            "images": "/screen/images/" if is_tv else "/boards/images/",
            "isTv": is_tv,
            "screen": screen_name,
            "words": board_words(),
            "alerts": {"may": sees_numbers, "sound": False, "words": words()},
        },
    }


def board_of(viewer: Viewer, slug: str) -> Board:
    """The board of that slug that this viewer may open. Raises Http404."""
    found = reach.board(viewer, slug)
    if found is None:
        raise Http404
    return found


def drawn_board(viewer: Viewer, slug: str) -> Board:
    """As board_of(), for an editor of it, who sees its draft too."""
    board = board_of(viewer, slug)
    if not reach.may_draw(viewer, board):
        raise Http404
    return board


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def show(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """The board page for people who are signed in."""
    board = board_of(viewer, slug)
    is_editor = viewer.may(Person.Role.SUPERVISOR) and reach.may_draw(viewer, board)
    draft = drafts.waiting([board]).get(board.pk) if is_editor else None
    return render(request, "boards/board.html", {**page_of(board, viewer.role), "draft": draft})


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def home(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Where a person starts: an agent at the desk, everyone else at the list of boards."""
    if not viewer.may(Person.Role.SUPERVISOR):
        return redirect("/desk/")
    boards = reach.boards(viewer)
    waiting = drafts.waiting(boards)
    rows = [(board, waiting.get(board.pk) if reach.may_draw(viewer, board) else None) for board in boards]
    return render(request, "boards/home.html", {"rows": rows})


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR)
def new(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Make a board from a starter, and go on in the editor."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = NewBoardForm(domain, request.POST or None)
    form.numbers = [number for number in form.numbers if viewer.limit.shows_queue(number)]
    if form.is_valid():
        board = editing.make(domain, form.wish())
        return redirect("boards:edit", board.slug)
    return render(request, "boards/new.html", {"form": form})


@require_POST
@for_role(Person.Role.SUPERVISOR)
def remove(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponseBase:
    """Delete a board that no screen and no rotation shows."""
    try:
        editing.remove(board_of(viewer, slug))
    except editing.StillShown as refusal:
        messages.error(request, str(refusal))
        return redirect("boards:edit", slug)
    messages.success(request, _("The board is deleted."))
    return redirect("boards:home")
