"""The forecast of the next hour as a sheet; the page of reports shows it."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts import audit, limits
from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from accounts.sheets import answers
from wallboard.calibration import figure_words, locks
from wallboard.figures import words
from wallboard.forecast import forecasting, page
from wallboard.queues.models import Queue


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR)
def next_hour(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The sheet; without `as=csv` or `as=xlsx`, or where nothing is proven, the page that shows what there is.

    So it is for who is limited to a team, and sees a part of each queue's calls: the forecast is about all of them.
    """
    domain = Domain.objects.get(pk=viewer.domain_id)
    is_firm = locks.ground(domain.pk, forecasting.CALL_NEEDS).is_firm
    kind = answers.kind_of(request.GET)
    if not kind or not is_firm or viewer.limit.people is not None:
        return redirect(f"{reverse('reports:reports')}#next-hour")
    shown = Queue.objects.filter(domain=domain, is_hidden=False)
    queues = list(limits.restrict(shown, "number", viewer.limit.queues))
    chosen = set(request.GET.getlist("queue"))
    now = timezone.now()
    audit.log(domain.pk, "report exported", f"forecast {now:%Y-%m-%d %H:%M}")
    wanted = [queue for queue in queues if not chosen or queue.number in chosen]
    waits = locks.ground(domain.pk, forecasting.WAIT_NEEDS)
    told = figure_words.sheet_head(domain.pk, page.FIGURES) if words.wants_words(request.GET) else ()
    name = f"next-hour-{now:%Y-%m-%d-%H%M}"
    return answers.download(kind, page.sheet(wanted, now, domain, waits), name, domain.clock, told)
