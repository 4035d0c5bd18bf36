"""What a board showed, as JSON: a day of it, the state of a second, and every change of a stretch."""

import gzip
import hashlib
import re
from datetime import date

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified, JsonResponse
from django.views.decorators.http import require_GET

from accounts import company_day
from accounts.access import Viewer, for_role
from accounts.models import Person
from wallboard.boards import permissions
from wallboard.replay import answers, cutting
from wallboard.replay import day as days
from wallboard.replay.reading import Passage
from wallboard.sockets.socket_access import Refused

LONGEST_SECONDS = 600
MOMENT = re.compile(r"[0-9]{1,15}")  # milliseconds
LEVEL = 5  # of compression: more takes longer than it saves
PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Accept-Encoding, Cookie"}


class BadAddress(ValueError):
    """The address asks for nothing that makes sense; the text says why."""


@require_GET
@for_role(Person.Role.AGENT)
def day(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponseBase:
    """What is kept of a day, and what happened on it."""
    board = permissions.visible_board(viewer, slug)
    if board is None:
        raise Http404
    try:
        wanted = _day(request.GET.get("day", ""))
    except BadAddress as refusal:
        return _refused(refusal)
    text = msgspec.json.encode(days.of(viewer, board, wanted))
    return _answer(request, text, _tag(text))


@require_GET
@for_role(Person.Role.AGENT)
def frames(request: HttpRequest, viewer: Viewer, slug: str) -> HttpResponseBase:
    """The documents of a second (`?at=`), or of a stretch with all changes (`?from=&until=`), times in ms."""
    try:
        feeds = cutting.feeds_for(viewer, slug)
        begin, end = _stretch(request)
    except Refused as refusal:
        raise Http404 from refusal
    except BadAddress as refusal:
        return _refused(refusal)
    passage = Passage(viewer.domain_id, [feed.name for feed in feeds], begin, end)
    # Whatever it depends on, so that nobody has to read the recording to know that it is the same.
    tag = _tag(repr([cutting.mark(viewer, feeds), passage.mark]).encode())
    if tag in request.headers.get("If-None-Match", ""):
        return _unchanged(tag)
    return _answer(request, answers.stretch(feeds, passage).encode(), tag)


def _stretch(request: HttpRequest) -> tuple[int, int]:
    """The seconds that are asked for. Raises BadAddress."""
    if "at" in request.GET:
        at = _second(request, "at")
        return at, at + 1
    begin, end = _second(request, "from"), _second(request, "until")
    if begin >= end:
        raise BadAddress("“until” has to be at least a second after “from”.")
    return begin, min(end, begin + LONGEST_SECONDS)


def _second(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "")
    if not MOMENT.fullmatch(text):
        raise BadAddress(f"“{name}” has to be a moment in milliseconds since 1970.")
    return int(text) // 1000


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or not company_day.FIRST <= found <= company_day.LAST:
        raise BadAddress("“day” has to be a day such as 2026-11-22.")
    return found


def _refused(refusal: BadAddress) -> JsonResponse:
    return JsonResponse({"error": str(refusal)}, status=400, headers={"Cache-Control": "no-store"})


def _tag(text: bytes) -> str:
    return f'"{hashlib.sha256(text).hexdigest()[:32]}"'


def _unchanged(tag: str) -> HttpResponse:
    return HttpResponseNotModified(headers=PRIVATE | {"ETag": tag})


def _answer(request: HttpRequest, text: bytes, tag: str) -> HttpResponse:
    if tag in request.headers.get("If-None-Match", ""):
        return _unchanged(tag)
    headers = PRIVATE | {"ETag": tag}
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        text, headers = gzip.compress(text, LEVEL, mtime=0), headers | {"Content-Encoding": "gzip"}
    return HttpResponse(text, content_type="application/json", headers=headers)
