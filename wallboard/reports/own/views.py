"""One's own days on a page: for everybody whose phone rings, agents as well."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts import company_day
from accounts.access import Viewer, for_role, person_of
from accounts.models import Person
from wallboard.calls.gaps import coverage, sentences
from wallboard.reports import period_parts
from wallboard.reports.own import days
from wallboard.reports.reading import replica
from wallboard.reports.rollups import days as rolled_days
from wallboard.reports.rollups import still_missing


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
@replica.read_there
def mine(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """What rang the viewer's own phone: today, yesterday, or over the last 7 or 30 days."""
    person = person_of(viewer)
    domain = person.domain
    today = company_day.start(domain, timezone.now()).date()
    name = request.GET.get("days", "")
    name = name if name in days.RANGES else "today"
    period = days.period(domain, name, today)
    with rolled_days.for_page() as waiting:
        found = days.of(person, period)
    told = coverage.of(domain.pk, period.begin, period.end)
    labels = {"today": _("Today"), "yesterday": _("Yesterday"), "7": _("Last 7 days"), "30": _("Last 30 days")}
    context = {
        "person": person,
        "figures": found.whole,
        "by_day": found.days if not period.is_one_day else [],
        "days": period_parts.written(period),
        "ranges": [(label, key, key == name) for key, label in labels.items()],
        "missing": sentences.sentences(told, domain, is_one_day=period.is_one_day),
        "being_added": still_missing.sentences(waiting, period),
    }
    return render(request, "reports/mine.html", context)
