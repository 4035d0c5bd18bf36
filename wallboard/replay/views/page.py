"""The page on which a board is replayed, and the ways to it."""

from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import quote

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts import company_day
from accounts.access import Viewer, for_role
from accounts.languages import choosing
from accounts.models import Domain, Person
from wallboard.alerts import visibility
from wallboard.alerts.models import Alert
from wallboard.boards import images, permissions, queue_board, time_zones
from wallboard.boards.editor import drafts
from wallboard.boards.models import Board
from wallboard.boards.views.board import board_page, visible_board
from wallboard.live.feeds import milliseconds
from wallboard.replay import moments
from wallboard.replay.texts import replay_texts, texts_of_then

SPEEDS = (1, 10, 60)
SHOWN_AFTER = timedelta(seconds=2)  # from being raised until an alert stands on boards, and was recorded (timeline.js)


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def show(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """The board at the moment of `?at=`, on the day of `?day=`, or as it was last recorded.

    With `?draft=1` it is drawn as its draft has it, yesterday unless another moment is asked for.
    """
    board = visible_board(viewer, slug)
    domain = time_zones.domain_in_board_zone(board)
    at = moments.parse(request.GET.get("at", ""), domain)
    with choosing.page_in(request, board.language):
        context = board_page(board, viewer.role, is_limited=viewer.limit.is_set)
        draft = draft_document(viewer, board) if request.GET.get("draft") else None
        day = moments.parse_day(request.GET.get("day", "")) or (yesterday(domain) if draft else None)
        context["page"] |= {"texts": texts_of_then(), "replay": replay_settings(board, domain, at, day)}
        context["page"]["replay"]["draft"] = draft
        shown = {"may_edit": False, "speeds": SPEEDS, "company": domain.name, "has_draft": draft is not None}
        return render(request, "replay/replay.html", {**context, **shown})


def replay_settings(board: Board, domain: Domain, at: datetime | None, day: date | None) -> dict[str, Any]:
    """What the page's script needs beside that of the live board; the server says what it lacks of moment and day."""
    day = company_day.start(domain, at).date() if at else day
    return {
        "at": milliseconds(at),
        "day": day.isoformat() if day else "",
        "days": reverse("replay:day", args=[board.slug]),
        "stretches": reverse("replay:frames", args=[board.slug]),
        "texts": replay_texts(),
    }


def yesterday(domain: Domain) -> date:
    """The company's day before this one."""
    return company_day.start(domain, timezone.now()).date() - timedelta(days=1)


def draft_document(viewer: Viewer, board: Board) -> dict[str, Any] | None:
    """The board as its draft has it, in the form of the feed's document, for those who edit it; None without."""
    if not viewer.may(Person.Role.SUPERVISOR) or not permissions.may_edit(viewer, board):
        return None
    state = drafts.draft_state(board)
    content = state.content
    wanted = {name: content[name] for name in ("name", "theme", "notice", "layout")}
    pictures = images.paths(board.domain_id, content["layout"])
    document = {"id": board.pk, **wanted, "zone": content["time_zone"], "images": pictures, "version": state.version}
    found: dict[str, Any] = msgspec.to_builtins(document)
    return found


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def of_day(request: HttpRequest, viewer: Viewer, day: str) -> HttpResponseBase:
    """To a day on the first board of the viewer; with `?queue=` on one that shows that queue."""
    board = _board(viewer, request.GET.get("queue", ""))
    wanted = moments.parse_day(day)
    if wanted is None:
        raise Http404
    return redirect(f"{reverse('replay:page', args=[board.slug])}?day={wanted.isoformat()}")


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def alert(request: HttpRequest, viewer: Viewer, alert_id: int) -> HttpResponseBase:
    """To the moment at which an alert stood on the board, on one that shows its queue."""
    every = Alert.objects.filter(domain_id=viewer.domain_id).select_related("queue")
    if not viewer.may(Person.Role.SUPERVISOR):
        every = every.exclude(queue=None)  # as on their boards
    found = get_object_or_404(visibility.restrict(every, viewer.limit), pk=alert_id)
    return redirect(address(_board(viewer, found.queue.number if found.queue else ""), found.raised_at + SHOWN_AFTER))


def _board(viewer: Viewer, number: str) -> Board:
    """A board for this viewer that draws the queue, or any other. Raises Http404."""
    board = queue_board.board_of(viewer, number) if number and viewer.limit.shows_queue(number) else None
    board = board or next(iter(permissions.visible_boards(viewer)), None)
    if board is None:
        raise Http404
    return board


def address(board: Board, moment: datetime) -> str:
    """Where the board is replayed at that moment."""
    at = quote(moments.written(moment, time_zones.domain_in_board_zone(board)), safe=":")
    return f"{reverse('replay:page', args=[board.slug])}?at={at}"
