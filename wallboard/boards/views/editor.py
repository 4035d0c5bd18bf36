"""The editor's page and what its scripts ask: keep a draft, hear of others', publish, discard."""

import json
import re
from collections.abc import Callable
from typing import Any
from zoneinfo import available_timezones

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
from accounts.limits import only
from accounts.models import Person
from wallboard.boards import clocks, counted, drafts, editing, images, layout, present, reach
from wallboard.boards.cards import FITS, LEAST_ROWS, MOST_NOTICE, MOST_ROWS, MOST_TEXT, MOST_TITLE, SIZES, WINDOWS
from wallboard.boards.drafts import Outdated
from wallboard.boards.editor_words import editor_words
from wallboard.boards.forms import BoardForm, initial_of
from wallboard.boards.layout import BadLayout
from wallboard.boards.models import Board
from wallboard.boards.starters import STARTERS
from wallboard.boards.views.board import MEDIA, drawn_board, page_of
from wallboard.queues.models import Queue

POSTS = ("draft", "publish", "discard", "figures", "board")
TAB = re.compile(r"[a-z0-9]{8,32}")


def editor_of(request: HttpRequest, board: Board, viewer: Viewer) -> dict[str, Any]:
    """Everything that the editor's scripts need to know of a board and its company."""
    every = Queue.objects.filter(domain_id=board.domain_id, is_hidden=False)
    queues = only(every, "number", viewer.limit.queues)
    everybody = Person.objects.filter(domain_id=board.domain_id, is_hidden=False).order_by("name", "extension")
    people = only(everybody, "extension", viewer.limit.people)
    numbers = [queue.number for queue in queues]
    return {
        **page_of(board, viewer.role)["page"],
        "state": drafts.state_of(board).as_json(),
        "addresses": addresses(board),
        "csrf": get_token(request),
        "me": _name(viewer),
        "kinds": kinds(),
        "figures": {name: {**vars(figure), "name": str(figure.name)} for name, figure in layout.FIGURES.items()},
        "choices": {"windows": WINDOWS, "sizes": SIZES, "fits": FITS, "themes": dict(Board.Theme.choices)},
        "sections": {name: str(words) for name, words in layout.SECTIONS.items()},
        "limits": limits(),
        "queues": [{"number": queue.number, "name": str(queue), "group": queue.group} for queue in queues],
        "people": [{"number": person.extension, "name": person.name or person.extension} for person in people],
        "pictures": images.listed(board.domain_id),
        "zones": sorted(available_timezones()),
        "floor": STARTERS["floor"].layout(numbers).as_json(),
        "editor": editor_words(),
    }


def addresses(board: Board) -> dict[str, str]:
    """What the scripts post to."""
    own = {name: reverse(f"boards:{name}", args=[board.slug]) for name in POSTS}
    return {**own, "images": reverse("boards:images")}


def kinds() -> dict[str, Any]:
    """The kinds of cards as the palette and the settings need them."""
    return {key: {**vars(kind), "name": str(kind.name)} for key, kind in layout.KINDS.items()}


def limits() -> dict[str, int]:
    """Numbers that layout.py holds everybody to."""
    counts = {"columns": layout.COLUMNS, "least_rows": LEAST_ROWS, "most_rows": MOST_ROWS}
    texts = {"title": MOST_TITLE, "notice": MOST_NOTICE, "text": MOST_TEXT, "name": drafts.MOST_NAME}
    return {**counts, **texts, "cards": layout.MOST_CARDS}


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR)
def edit(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponseBase:
    """The editor; without scripts a form, whose POST publishes at once."""
    board = drawn_board(viewer, slug)
    wish = editing.wish_of(board)
    form = BoardForm(board.domain, request.POST or None, initial=initial_of(wish), kept=wish.layout)
    form.queues = [queue for queue in form.queues if viewer.limit.shows_queue(queue.number)]
    if form.is_valid():
        editing.change(board, form.wish())
        messages.success(request, _("Saved. Open boards and TVs show it already."))
        return redirect("boards:board", board.slug)
    shown = {"form": form, "board": board, "dark_media": MEDIA[board.theme], "page": editor_of(request, board, viewer)}
    return render(request, "boards/edit.html", shown)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR)
def draft(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """GET: who else edits, and the draft where it is newer than `version`. POST: keep a draft."""
    board = drawn_board(viewer, slug)
    if request.method == "POST":
        return answered(request, lambda posted: _save(board, viewer, posted).as_json())
    tab, name = request.GET.get("tab", ""), _name(viewer)
    editors: list[str] = []
    if TAB.fullmatch(tab):
        editors = [] if request.GET.get("leave") else present.others(board, tab, name)
        if request.GET.get("leave"):
            present.leave(board, tab, name)
    state = drafts.state_of(board)
    held = (request.GET.get("version"), request.GET.get("board_version"))
    is_news = held != (str(state.version), str(state.board_version))
    heard = {"editors": editors, "me": name, "csrf": get_token(request)}
    return JsonResponse({**heard, "state": state.as_json() if is_news else None})


@require_POST
@for_role(Person.Role.SUPERVISOR)
def publish(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """Put the draft of that version onto open boards and TVs."""
    board = drawn_board(viewer, slug)

    def publish_it(posted: dict[str, Any]) -> dict[str, Any]:
        drafts.publish(board, number(posted, "version"), person_of(viewer))
        return drafts.state_of(board).as_json()

    return answered(request, publish_it)


@require_POST
@for_role(Person.Role.SUPERVISOR)
def discard(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """Go back to what is published."""
    board = drawn_board(viewer, slug)

    def discard_it(posted: dict[str, Any]) -> dict[str, Any]:
        return drafts.discard(board, number(posted, "version"), person_of(viewer)).as_json()

    return answered(request, discard_it)


@require_POST
@for_role(Person.Role.SUPERVISOR)
def figures(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponse:
    """What the server counts for cards that stand in a draft only, as the feed has it for those that are published.

    As on the feed, nothing counted over all queues is told to somebody who may see only some.
    """
    board = drawn_board(viewer, slug)

    def count(posted: dict[str, Any]) -> dict[str, Any]:
        grid = layout.read(posted.get("layout"))
        now = timezone.now().replace(second=0, microsecond=0)
        found = {} if viewer.limit.is_set else counted.figures(clocks.company_of(board), grid, now)
        return {f"figure:{card_id}": figure for card_id, figure in found.items()}

    return answered(request, count, "figures")


def answered(request: HttpRequest, act: Callable[[dict[str, Any]], Any], name: str = "state") -> HttpResponse:
    """What `act` makes of the posted object; 400 with a sentence for what cannot be kept, 409 with the newest state for
    what is outdated.
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
    except (ValueError, RecursionError):
        return JsonResponse({"error": _("The request is no JSON.")}, status=400)


def _save(board: Board, viewer: Viewer, posted: dict[str, Any]) -> drafts.State:
    wish = drafts.wish_from(posted.get("content"))
    reach.refuse_beyond(viewer, wish.layout)
    return drafts.save(board, wish, number(posted, "version"), number(posted, "board_version"), person_of(viewer))


def number(posted: dict[str, Any], name: str) -> int:
    """A version as it was posted. Raises BadLayout."""
    value = posted.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**62:
        raise BadLayout(_("Say on which %(name)s this builds.") % {"name": name})
    return value


def _name(viewer: Viewer) -> str:
    person = person_of(viewer)
    return person.name or person.extension
