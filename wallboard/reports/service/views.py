"""The page on which an administrator chooses how the service level is counted, with what each formula would show."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import company_day
from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from accounts.saving import stamps
from wallboard.queues.models import Queue
from wallboard.reports.rollups.queue_sums import OfQueues
from wallboard.reports.service import counting, previews, rules
from wallboard.reports.service.forms import ServiceForm
from wallboard.reports.service_level import Rules


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def service_level(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The choice; sent with act=save it is saved, with anything else only looked at."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    default, own = rules.stored(domain.pk)
    queues = list(Queue.objects.filter(domain=domain, is_hidden=False))
    is_sent = request.method == "POST"
    form = ServiceForm(queues, default, own, request.POST if is_sent else None)
    stamp, status = stamps.shown(request, (default, own)), 200
    if is_sent and form.is_valid():
        try:
            if request.POST.get("act") == "save":
                save(request, domain, form)
                return redirect("reports:service_level")
        except stamps.Changed as changed:
            messages.error(request, str(changed))
            stamp, status = changed.stamp, 409
        default, own = form.rule(), form.own()
    elif is_sent:
        messages.error(request, _("Nothing is saved: look at the fields that are marked."))
    is_wrong = is_sent and not form.is_valid()
    context = {
        "form": form,
        "stamp": stamp,
        "is_preview": is_sent and not is_wrong,
        **context_of(domain, form, rules.together(default, own)),
    }
    return render(request, "reports/service_level.html", context, status=400 if is_wrong else status)


def save(request: HttpRequest, domain: Domain, form: ServiceForm) -> None:
    """Save the choice. Raises Changed where somebody else saved another one since the form was made."""
    with stamps.saving(request, domain, lambda stored: rules.stored(stored.pk)):
        changed = rules.save(domain, form.rule(), form.own())
    messages.success(
        request,
        _("Saved. Reports count by it at once, boards within a minute.") if changed else _("Nothing changed."),
    )


def context_of(domain: Domain, form: ServiceForm, by: Rules) -> dict[str, Any]:
    """What each formula makes of the last days, or what is missing for that."""
    firm = counting.ground(domain.pk)
    looked = previews.Looked(0, 0, OfQueues())
    if firm.is_firm:
        looked = previews.look(domain, firm, company_day.start(domain, timezone.now()).date())
    chosen, rows = str(form["formula"].value()), list(form.rows())
    shown = previews.of_queues(looked.sums, [row[0].number for row in rows], by)
    return {
        "ground": firm,
        "looked": looked,
        "chosen": chosen,
        "formulas": previews.formulas(looked.sums, by),
        "queues": [(*row, shown[row[0].number], by.of(row[0].number)) for row in rows],
        "inherited": by.default,
        "zone": domain.time_zone,
    }
