"""The editor's page and what its scripts ask for: save a draft, see others', publish, discard."""

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import Viewer, for_role, person_of
from accounts.languages import choosing
from accounts.limits import restrict
from accounts.models import Person
from wallboard.boards import editing, images, layout, permissions, time_zones
from wallboard.boards.cards import figures as card_figures
from wallboard.boards.cards.kinds import COLUMNS, FIGURES, FITS, KINDS, MAX_ROWS, MIN_ROWS, SIZES, WINDOWS
from wallboard.boards.cards.parsing import MAX_NOTICE, MAX_TEXT, MAX_TITLE
from wallboard.boards.editor import drafts, editors_online
from wallboard.boards.editor.drafts import Outdated
from wallboard.boards.editor.texts import editor_texts
from wallboard.boards.forms import AS_READ, AS_READ_ON_TVS, BoardForm, form_initial
from wallboard.boards.layout import BadLayout
from wallboard.boards.models import Board
from wallboard.boards.starters import STARTERS
from wallboard.boards.views.board import board_page, editable_board
from wallboard.queues.models import Queue

POSTS = ("draft", "publish", "discard", "figures", "board")
TAB = re.compile(r"[a-z0-9]{8,32}")


def editor_page(request: HttpRequest, board: Board, viewer: Viewer) -> dict[str, Any]:
    """Everything that the editor's scripts need to know of a board and its company."""
    every = Queue.objects.filter(domain_id=board.domain_id, is_hidden=False)
    queues = restrict(every, "number", viewer.limit.queues)
    everybody = Person.objects.filter(domain_id=board.domain_id, is_hidden=False).order_by("name", "extension")
    people = restrict(everybody, "extension", viewer.limit.people)
    numbers = [queue.number for queue in queues]
    return {
        **board_page(board, viewer.role)["page"],
        "state": drafts.draft_state(board).as_json(),
        "urls": urls(board),
        "csrf": get_token(request),
        "me": _name(viewer),
        "kinds": kinds(),
        "figures": {name: {**vars(figure), "name": str(figure.name)} for name, figure in FIGURES.items()},
        "choices": {"windows": WINDOWS, "sizes": SIZES, "fits": FITS, "themes": dict(Board.Theme.choices)},
        "sections": {name: str(label) for name, label in layout.SECTIONS.items()},
        "limits": limits(),
        "queues": [{"number": queue.number, "name": str(queue), "group": queue.group} for queue in queues],
        "people": [{"number": person.extension, "name": person.name or person.extension} for person in people],
        "pictures": images.image_list(board.domain_id),
        "zones": time_zones.names(),
        "languages": choosing.choices(str(AS_READ)),
        "language_hint": str(AS_READ_ON_TVS),
        "floor": STARTERS["floor"].layout(numbers).as_json(),
        "editor": editor_texts(),
    }


def urls(board: Board) -> dict[str, str]:
    """What the scripts post to."""
    own = {name: reverse(f"boards:{name}", args=[board.slug]) for name in POSTS}
    return {**own, "images": reverse("boards:images")}


def kinds() -> dict[str, Any]:
    """The kinds of cards as the palette and the settings need them."""
    return {key: {**vars(kind), "name": str(kind.name)} for key, kind in KINDS.items()}


def limits() -> dict[str, int]:
    """Numbers that layout.py holds everybody to."""
    counts = {"columns": COLUMNS, "least_rows": MIN_ROWS, "most_rows": MAX_ROWS}
    texts = {"title": MAX_TITLE, "notice": MAX_NOTICE, "text": MAX_TEXT, "name": drafts.MAX_NAME}
    return {**counts, **texts, "cards": layout.MAX_CARDS}


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR)
def edit(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponseBase:
    """The editor; without scripts a form, whose POST publishes at once."""
    board = editable_board(viewer, slug)
    board_input = editing.current_input(board)
    form = BoardForm(board.domain, request.POST or None, initial=form_initial(board_input), grid=board_input.layout)
    form.queues = [queue for queue in form.queues if viewer.limit.shows_queue(queue.number)]
    if form.is_valid():
        editing.update(board, form.board_input())
        messages.success(request, _("Saved. Open boards and TVs show it already."))
        return redirect("boards:board", board.slug)
    shown = {
        "form": form,
        "board": board,
        "page": editor_page(request, board, viewer),
    }
    return render(request, "boards/edit.html", shown)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR)
def draft(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """GET: who else edits, and the draft where it is newer than `version`. POST: save a draft."""
    board = editable_board(viewer, slug)
    if request.method == "POST":
        return json_answer(request, lambda posted: _save(board, viewer, posted).as_json())
    tab, name = request.GET.get("tab", ""), _name(viewer)
    editors: list[str] = []
    if TAB.fullmatch(tab):
        editors = [] if request.GET.get("leave") else editors_online.other_editors(board, tab, name)
        if request.GET.get("leave"):
            editors_online.leave(board, tab, name)
    state = drafts.draft_state(board)
    editor_versions = (request.GET.get("version"), request.GET.get("board_version"))
    is_outdated = editor_versions != (str(state.version), str(state.board_version))
    # Signing in again in another tab changes the token; the page goes on with this one.
    presence = {"editors": editors, "me": name, "csrf": get_token(request)}
    return JsonResponse({**presence, "state": state.as_json() if is_outdated else None})


@require_POST
@for_role(Person.Role.SUPERVISOR)
def publish(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """Put the draft of that version onto open boards and TVs."""
    board = editable_board(viewer, slug)

    def publish_it(posted: dict[str, Any]) -> dict[str, Any]:
        drafts.publish(board, version_number(posted, "version"), person_of(viewer))
        return drafts.draft_state(board).as_json()

    return json_answer(request, publish_it)


@require_POST
@for_role(Person.Role.SUPERVISOR)
def discard(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """Go back to what is published."""
    board = editable_board(viewer, slug)

    def discard_it(posted: dict[str, Any]) -> dict[str, Any]:
        return drafts.discard(board, version_number(posted, "version"), person_of(viewer)).as_json()

    return json_answer(request, discard_it)


@require_POST
@for_role(Person.Role.SUPERVISOR)
def figures(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """What the server calculates for the cards of a draft, as the feed has it for published ones.

    As on the feed, somebody who may see only some queues gets no figure calculated over all of them.
    """
    board = editable_board(viewer, slug)

    def count(posted: dict[str, Any]) -> dict[str, Any]:
        grid = layout.parse(posted.get("layout"))
        now = timezone.now().replace(second=0, microsecond=0)
        found = {} if viewer.limit.is_set else card_figures.figures(time_zones.domain_in_board_zone(board), grid, now)
        return {f"figure:{card_id}": msgspec.to_builtins(figure) for card_id, figure in found.items()}

    return json_answer(request, count, "figures")


def json_answer(request: HttpRequest, act: Callable[[dict[str, Any]], Any], name: str = "state") -> HttpResponse:
    """What `act` makes of the posted object: 400 with a sentence where it is not valid, 409 with the newest state where
    it builds on an older one.
    """
    try:
        posted = json.loads(request.body)
        if not isinstance(posted, dict):
            raise BadLayout(_("The request must be a JSON object."))
        return JsonResponse({name: act(posted)})
    except Outdated as outdated:
        return JsonResponse({"state": outdated.state.as_json()}, status=409)
    except BadLayout as error:
        return JsonResponse({"error": str(error)}, status=400)
    # JSON that is nested deeply enough ends the parser's recursion.
    except (ValueError, RecursionError):
        return JsonResponse({"error": _("The request is no JSON.")}, status=400)


def _save(board: Board, viewer: Viewer, posted: dict[str, Any]) -> drafts.DraftState:
    board_input = drafts.parse_input(posted.get("content"))
    permissions.check_within_limit(viewer, board_input.layout)
    versions = version_number(posted, "version"), version_number(posted, "board_version")
    return drafts.save(board, board_input, *versions, person_of(viewer))


def version_number(posted: dict[str, Any], name: str) -> int:
    """A version as it was posted. Raises BadLayout."""
    value = posted.get(name)
    # A larger one fits into no column.
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**62:
        raise BadLayout(_("Say on which %(name)s this builds.") % {"name": name})
    return value


def _name(viewer: Viewer) -> str:
    person = person_of(viewer)
    return person.name or person.extension
