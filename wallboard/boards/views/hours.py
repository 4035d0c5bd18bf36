"""The business hours of the company and of single queues."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from wallboard.queues import hours, timetables
from wallboard.queues.models import Hours, Queue
from wallboard.queues.timetables import BadHours, Timetable

INHERITED, OWN, ALWAYS = "inherited", "own", "always"


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def business_hours(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The hours of the queue in the address, or without one those of every queue."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    number = (request.POST if request.method == "POST" else request.GET).get("queue", "").replace("\0", "")
    queue = get_object_or_404(Queue, domain=domain, number=number) if number else None
    row = Hours.objects.filter(domain=domain, queue=queue).first()
    fields = fields_of(row, queue)
    status = 200
    if request.method == "POST":
        fields |= {name: str(value) for name, value in request.POST.items() if name in fields}
        fields["keeps_closed_days"], fields["counts_outside"] = (
            name in request.POST for name in ("keeps_closed_days", "counts_outside")
        )
        errors = keep(domain, queue, fields)
        if not errors:
            messages.success(request, _("Saved. Boards follow with the next reading of the queues."))
            return redirect(reverse("boards:hours") + ("?" + urlencode({"queue": number}) if number else ""))
        fields["errors"], status = errors, 400
    return render(request, "boards/hours.html", context_of(domain, queue, fields), status=status)


def fields_of(row: Hours | None, queue: Queue | None) -> dict[str, Any]:
    """What stands in the form."""
    known = timetables.timetable_of(row) if row else Timetable()
    week = known.week or ((),) * 7
    is_open_always = row is not None and not any(known.week) and queue is not None
    return {
        "kind": INHERITED if row is None else ALWAYS if is_open_always else OWN,
        **{f"day{index}": timetables.shown_ranges(ranges) for index, ranges in enumerate(week)},
        "closed_days": timetables.shown_days(known.closed_days),
        "keeps_closed_days": known.keeps_closed_days,
        "counts_outside": known.counts_outside,
        "errors": {},
    }


def keep(domain: Domain, queue: Queue | None, fields: dict[str, Any]) -> dict[str, str]:
    """Save what stands in the form; gives sentences by field where something is wrong, and saves nothing then."""
    if fields["kind"] == INHERITED and queue is not None:
        timetables.drop_hours(domain, queue)
        return {}
    errors: dict[str, str] = {}
    week = [()] * 7 if fields["kind"] == ALWAYS else [_day(fields, index, errors) for index in range(7)]
    try:
        days = timetables.read_days(fields["closed_days"])
    except BadHours as refusal:
        errors["closed_days"] = str(refusal)
        days = ()
    if queue is not None and fields["kind"] == OWN and not any(week) and not errors:
        errors["day0"] = _("Write when the queue is open on at least one day, or choose “always open”.")
    if errors:
        return errors
    if queue is None and not any(week) and not days:
        timetables.drop_hours(domain, None)
        return {}
    keeps, counts = bool(fields["keeps_closed_days"]), queue is None and bool(fields["counts_outside"])
    timetables.set_hours(domain, queue, Timetable(tuple(week), days, keeps, counts))
    return {}


def _day(fields: dict[str, Any], index: int, errors: dict[str, str]) -> tuple[tuple[int, int], ...]:
    try:
        return timetables.read_ranges(fields[f"day{index}"])
    except BadHours as refusal:
        errors[f"day{index}"] = str(refusal)
        return ()


def context_of(domain: Domain, queue: Queue | None, fields: dict[str, Any]) -> dict[str, Any]:
    """The form, and beside it whose hours there are."""
    now, schedule = timezone.now(), hours.schedule(domain)
    own = set(Hours.objects.filter(domain=domain, queue__isnull=False).values_list("queue_id", flat=True))
    queues = Queue.objects.filter(domain=domain, is_hidden=False)
    return {
        "queue": queue,
        "fields": fields,
        "days": [
            (f"day{index}", WEEKDAYS[index], fields[f"day{index}"], fields["errors"].get(f"day{index}"))
            for index in range(7)
        ],
        "days_error": fields["errors"].get("closed_days"),
        "queues": [(each, each.pk in own) for each in queues],
        "zone": domain.time_zone,
        "is_open": schedule.is_open(queue.number if queue else "", now),
        "choices": [
            (INHERITED, _("as every queue")),
            (OWN, _("hours of its own, as below")),
            (ALWAYS, _("always open")),
        ],
    }
