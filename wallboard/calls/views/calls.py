"""The calls of the company: those that are up now, by socket, and a log of earlier ones."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts import audit, csv_export, limits
from accounts.access import Viewer, for_role
from accounts.company_day import zone_of
from accounts.models import Domain, Person
from accounts.query_values import page_number
from wallboard.calls.forms import CallFilterForm
from wallboard.calls.log import search
from wallboard.calls.log.filters import CallFilter
from wallboard.calls.log.search import LoggedCall
from wallboard.calls.texts import live_texts
from wallboard.queues.models import Queue

PER_PAGE = 50
# Each row is read with all legs of its call; more is for the reports, which are added up by the database.
MOST_EXPORTED = 5000


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR)
def calls(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Live calls above, the log of earlier ones below, or with `?as=csv` what was found as a sheet."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = CallFilterForm(request.GET)
    wanted = form.call_filter()
    if form.is_valid() and request.GET.get("as") == "csv":
        return sheet(domain, viewer, wanted)
    # Once an hour: each page and each reload would drown who looked at what.
    audit.log(domain.pk, "calls opened", "", once=f"{timezone.now():%Y-%m-%d %H}")
    if wanted.text:
        audit.log(domain.pk, "calls searched", wanted.text, once=f"{timezone.now():%Y-%m-%d %H} {wanted.text}")
    number = page_number(request.GET.get("page", ""))
    # One more than is shown tells whether there is a next page, without counting a year of calls.
    found = search.search(domain.pk, wanted, PER_PAGE + 1, (number - 1) * PER_PAGE, viewer.limit)
    queues = limits.restrict(Queue.objects.filter(domain=domain), "number", viewer.limit.queues)
    context = {
        "form": form,
        "is_filtered": wanted != CallFilter(),
        "found": found[:PER_PAGE],
        "hanging": search.hanging(domain.pk, viewer.limit),
        "page_number": number,
        "has_more": len(found) > PER_PAGE,
        "zone": domain.time_zone,
        "queue_names": {queue.number: str(queue) for queue in queues},
        "page": {"socket": "calls=1", "zone": domain.time_zone, "texts": live_texts()},
    }
    return render(request, "calls/calls.html", context, status=200 if form.is_valid() else 400)


def sheet(domain: Domain, viewer: Viewer, wanted: CallFilter) -> HttpResponse:
    """The calls that are wanted as CSV, the newest MOST_EXPORTED at most."""
    audit.log(domain.pk, "calls exported", f"{wanted.text} {wanted.first or ''} {wanted.last or ''}".strip())
    found = search.search(domain.pk, wanted, MOST_EXPORTED, limit=viewer.limit)
    zone = zone_of(domain)
    name = f"calls-{wanted.first or timezone.now().astimezone(zone).date()}.csv"
    return csv_export.download(call_lines(found, zone), name)


def call_lines(found: tuple[LoggedCall, ...], zone: ZoneInfo) -> Iterator[tuple[object, ...]]:
    """The log as rows, with a head."""
    yield (
        f"started ({zone})",
        "direction",
        "from",
        "from name",
        "queue",
        "outcome",
        "answered by",
        "wait with greeting and menu s",
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
