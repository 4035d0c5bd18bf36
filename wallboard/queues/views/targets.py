"""Targets of all queues in one table, with a look at what today would have shown; and the hours of queues."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import audit, company_day
from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from accounts.saving import tables
from accounts.sheets import answers
from wallboard.queues.hours import calendar
from wallboard.queues.models import Hours
from wallboard.queues.targets import levels, previews, table
from wallboard.queues.targets.previews import Shown
from wallboard.queues.targets.table import Row


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def targets(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The table; sent with act=preview it is only looked at, with act=save it is saved."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    if kind := answers.kind_of(request.GET):
        audit.log(domain.pk, "targets exported", "")
        return answers.download(kind, table.sheet(domain), "targets", domain.clock)
    posted = {name: str(value) for name, value in request.POST.items()} if request.method == "POST" else None
    is_old = posted is not None and posted.get("stamp") != table.stamp(domain)
    if posted is not None and is_old:
        posted = tables.merged(posted, table.cells_of(domain))
    rows = table.rows_of(domain, posted)
    is_wrong = any(row.is_wrong for row in rows)
    if posted is not None and posted.get("act") == "save" and not is_wrong and not is_old:
        changed = table.save(domain, rows)
        summary = ngettext("Saved: %(n)s row changed.", "Saved: %(n)s rows changed.", changed) % {"n": changed}
        messages.success(
            request, " ".join((summary, _("Open boards show it already."))) if changed else _("Nothing changed.")
        )
        return redirect("queues:targets")
    if is_wrong:
        messages.error(request, _("Nothing is saved: look at the cells that are marked."))
    elif is_old:
        messages.error(
            request, _("Somebody else changed targets meanwhile. Look at the table again; it holds what you wrote.")
        )
    return render(request, "queues/targets.html", context_of(domain, rows, posted), status=400 if is_wrong else 200)


def context_of(domain: Domain, rows: list[Row], posted: dict[str, str] | None) -> dict[str, Any]:
    """The rows with what today showed and would have shown."""
    now = timezone.now()
    # Without changes both columns are the same figures, not two estimates that nearly agree.
    was = then = previews.counted_today(domain, now)
    if posted is not None:
        then = previews.estimated_today(domain, levels.standards(domain.pk), table.standards_of(rows), now)
    stored_hours = {row.queue.number if row.queue else None: row for row in Hours.objects.filter(domain=domain)}
    schedule = calendar.schedule(domain)
    for row in rows[1:]:
        assert row.queue is not None
        number = row.queue.number
        row.was, row.then = was.get(number, Shown()), then.get(number, Shown())
        row.hours = _("open now") if schedule.is_open(number, now) else _("closed now")
        row.hours += ", " + (_("own hours") if number in stored_hours else _("as every queue"))
    totals = [sum((getattr(row, name) for row in rows[1:]), Shown()) for name in ("was", "then")]
    return {
        "rows": rows,
        "was": totals[0],
        "then": totals[1],
        "unjudged": table.unjudged(domain),
        "is_preview": posted is not None,
        "stamp": table.stamp(domain),
        "made_from": tables.carried(table.cells_of(domain)),
        "zone": domain.time_zone,
        "began": company_day.clock_text(domain.clock, company_day.start(domain, now)),
        "has_hours": bool(stored_hours),
        "counts_outside": schedule.counts_outside,
    }
