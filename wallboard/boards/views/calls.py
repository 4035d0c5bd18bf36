"""The calls of the company: those that are up now, by socket, and a log of earlier ones."""

from collections.abc import Iterator
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts import audit, limits
from accounts.access import Viewer, for_role
from accounts.asked import page_number
from accounts.days import FIRST, LAST, zone_of
from accounts.models import Domain, Person
from wallboard.boards import reach
from wallboard.boards.models import Board
from wallboard.boards.words import board_words
from wallboard.calls import exports, log
from wallboard.queues.models import Queue

PER_PAGE = 50
MOST_EXPORTED = 5000


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR)
def calls(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Live calls above, the log of earlier ones below, found by number, name or extension and by day."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    asked = request.GET.get("day", "").strip()
    words, day = request.GET.get("q", "").strip()[:100], day_of(asked)
    is_nonsense = bool(asked) and day is None
    if is_nonsense:
        messages.error(request, _("Choose a day between %(first)s and %(last)s.") % {"first": FIRST, "last": LAST})
    elif request.GET.get("as") == "csv":
        audit.note(domain.pk, "calls exported", f"{words} {day or ''}".strip())
        found = log.search(domain.pk, words, day, MOST_EXPORTED, sight=viewer.limit)
        name = f"calls-{day or timezone.now().astimezone(zone_of(domain)).date()}.csv"
        return exports.download(call_lines(found, zone_of(domain)), name)
    audit.note(domain.pk, "calls opened", "", once=f"{timezone.now():%Y-%m-%d %H}")
    if words:
        audit.note(domain.pk, "calls searched", words, once=f"{timezone.now():%Y-%m-%d %H} {words}")
    number = page_number(request.GET.get("page", ""))
    found = log.search(domain.pk, words, day, PER_PAGE + 1, (number - 1) * PER_PAGE, viewer.limit)
    board = next(iter(reach.boards(viewer)), None)
    queues = limits.only(Queue.objects.filter(domain=domain), "number", viewer.limit.queues)
    context = {
        "words": words,
        "day": day,
        "found": found[:PER_PAGE],
        "hanging": log.hanging(domain.pk, viewer.limit),
        "page_number": number,
        "has_more": len(found) > PER_PAGE,
        "zone": domain.time_zone,
        "queue_names": {queue.number: str(queue) for queue in queues},
        "board": board,
        "page": page_of(domain, board),
    }
    return render(request, "boards/calls.html", context, status=400 if is_nonsense else 200)


def page_of(domain: Domain, board: Board | None) -> dict[str, Any]:
    """What the scripts of the page need; the live calls come over the socket of any board."""
    return {"socket": f"board={board.slug}" if board else "", "zone": domain.time_zone, "words": board_words()}


def day_of(text: str) -> date | None:
    """The day in the address; None where there is none or it is nonsense."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if FIRST <= day <= LAST else None


def call_lines(found: tuple[log.LoggedCall, ...], zone: ZoneInfo) -> Iterator[tuple[object, ...]]:
    """The log as rows, with a head."""
    yield (
        f"started ({zone})",
        "direction",
        "from",
        "from name",
        "queue",
        "outcome",
        "answered by",
        "wait s",
        "talk s",
        "legs",
    )
    for call in found:
        yield (
            f"{call.started_at.astimezone(zone):%Y-%m-%d %H:%M:%S}",
            call.direction,
            call.caller.number,
            call.caller.name,
            call.queue,
            call.outcome,
            call.answered_by,
            call.wait_seconds,
            call.talk_seconds,
            len(call.legs),
        )
