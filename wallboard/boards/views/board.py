"""A board on a desk: the page is a shell, the socket fills it. Beside it the list of boards and their editor."""

from typing import Any
from urllib.parse import quote

import msgspec
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import Viewer, for_role
from accounts.languages import choosing
from accounts.models import Domain, Person
from wallboard.alerts import sound
from wallboard.alerts import texts as alert_texts
from wallboard.boards import editing, layout, overview, permissions, queue_board
from wallboard.boards.editor import drafts
from wallboard.boards.forms import NewBoardForm
from wallboard.boards.models import Board
from wallboard.boards.texts import board_texts, overview_texts
from wallboard.queues.models import Queue


def board_page(board: Board, role: str, screen_name: str = "", *, is_limited: bool = False) -> dict[str, Any]:
    """The context of a board page and its scripts' settings; `role` is the viewer's, "screen" for a TV.

    `is_limited`: the viewer sees some queues or people only, and nothing that is counted over all of them.
    """
    is_tv = role == "screen"
    sees_numbers = role in (Person.Role.SUPERVISOR, Person.Role.ADMINISTRATOR)
    return {
        "board": board,
        "is_tv": is_tv,
        "may_edit": sees_numbers,
        "page": {
            "board": msgspec.to_builtins(layout.board_document(board)[1]),
            # `wall` holds the same calls without numbers; the socket checks the right once more.
            "feeds": {"board": f"board:{board.pk}", "calls": "calls" if sees_numbers else "wall"},
            "socket": f"board={board.slug}&screen=1" if is_tv else f"board={board.slug}",
            "zone": board.domain.time_zone,
            "images": "/screen/images/" if is_tv else "/boards/images/",
            "isTv": is_tv,
            "isLimited": is_limited,
            "screen": screen_name,
            "texts": board_texts(),
            "alerts": {"may": sees_numbers, "sound": False, "texts": alert_texts.texts(has_advice=sees_numbers)},
        },
    }


def visible_board(viewer: Viewer, slug: str) -> Board:
    """The board of that slug that this viewer may open. Raises Http404."""
    found = permissions.visible_board(viewer, slug)
    if found is None:
        raise Http404
    return found


def editable_board(viewer: Viewer, slug: str) -> Board:
    """As visible_board(), for an editor of it, who sees its draft too."""
    board = visible_board(viewer, slug)
    if not permissions.may_edit(viewer, board):
        raise Http404
    return board


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def show(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """The board page for people who are signed in."""
    board = visible_board(viewer, slug)
    is_editor = viewer.may(Person.Role.SUPERVISOR) and permissions.may_edit(viewer, board)
    draft = drafts.unpublished([board]).get(board.pk) if is_editor else None
    with choosing.page_in(request, board.language):
        page = board_page(board, viewer.role, is_limited=viewer.limit.is_set)
        page["page"]["alerts"]["sound"] = sound.is_wanted(viewer)
        return render(request, "boards/board.html", {**page, "draft": draft})


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def home(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Where a person starts: an agent at the desk, everyone else at the list of boards."""
    if not viewer.may(Person.Role.SUPERVISOR):
        return redirect("/desk/")
    return _list(request, viewer)


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def list_boards(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The boards that an agent may open; whoever edits boards has them at home."""
    if viewer.may(Person.Role.SUPERVISOR):
        return redirect("boards:home")
    return _list(request, viewer)


def _list(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    rows = overview.rows(viewer)
    page = {
        "socket": "boards=1",
        "boards": [{"id": row.board.pk, "layout": layout.layout_of(row.board).as_json()} for row in rows],
        "zone": rows[0].board.domain.time_zone if rows else "",
        "texts": overview_texts(),
    }
    may_edit = viewer.may(Person.Role.SUPERVISOR)
    context = {"rows": rows, "page": page, "may_edit": may_edit, "sees_screens": overview.sees_screens(viewer)}
    return render(request, "boards/home.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR)
def new(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Make a board from a starter, and go on in the editor."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = NewBoardForm(domain, request.POST or None)
    # Starters name queues: only those that the viewer may see.
    form.numbers = [number for number in form.numbers if viewer.limit.shows_queue(number)]
    if form.is_valid():
        board = editing.create(domain, form.board_input())
        return redirect("boards:edit", board.slug)
    return render(request, "boards/new.html", {"form": form})


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def queue(request: HttpRequest, viewer: Viewer, number: str) -> HttpResponseBase:
    """A queue where it is drawn; the fragment has the page mark it (static/js/pages/board-desktop.js)."""
    if not viewer.limit.shows_queue(number):
        raise Http404
    get_object_or_404(Queue, domain_id=viewer.domain_id, number=number)
    board = queue_board.board_of(viewer, number)
    if board is None:
        return redirect("boards:list")
    return redirect(reverse("boards:board", args=[board.slug]) + f"#queue-{quote(number)}")


@require_POST
@for_role(Person.Role.SUPERVISOR)
def delete(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponseBase:
    """Delete a board that no screen and no rotation shows."""
    try:
        editing.delete(editable_board(viewer, slug))
    except editing.BoardInUse as refusal:
        # TVs and rotations can show what a limited viewer may not know of.
        hidden = _("The board is shown on a TV or in a rotation. Ask an administrator to take it out there first.")
        messages.error(request, hidden if viewer.limit.is_set else str(refusal))
        return redirect("boards:edit", slug)
    messages.success(request, _("The board is deleted."))
    return redirect("boards:home")
