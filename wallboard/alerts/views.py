"""The page of the attentions: those that are open, those that were, and the rules."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import audit, limits
from accounts.access import Viewer, for_role, person_of
from accounts.asked import page_number
from accounts.models import Domain, Person
from wallboard.alerts import episodes, news, rules, sheet
from wallboard.alerts.forms import RuleForms
from wallboard.alerts.models import Episode
from wallboard.alerts.words import words
from wallboard.calls import exports

PER_PAGE = 50
MOST_EXPORTED = 5000


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR)
def listing(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Open attentions (live), past ones with who took care and when, and the rules."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    if request.GET.get("as") == "csv":
        audit.note(domain.pk, "alerts exported", "")
        return exports.download(sheet.lines(past_of(viewer)[:MOST_EXPORTED], domain), "alerts.csv")
    return page(request, viewer, domain, RuleForms(domain, viewer.limit))


def past_of(viewer: Viewer) -> QuerySet[Episode]:
    """The attentions that are over, newest first, as far as the viewer may see them."""
    past = Episode.objects.filter(domain_id=viewer.domain_id).exclude(ended_at=None).select_related("queue")
    return limits.only(past, "queue__number", viewer.limit.queues)


def page(request: HttpRequest, viewer: Viewer, domain: Domain, forms: RuleForms, status: int = 200) -> HttpResponse:
    """The page with these forms of the rules."""
    number = page_number(request.GET.get("page", ""))
    past = past_of(viewer)
    begin = (number - 1) * PER_PAGE
    found = list(past[begin : begin + PER_PAGE + 1])
    context = {
        "past": found[:PER_PAGE],
        "has_more": len(found) > PER_PAGE,
        "page_number": number,
        "forms": forms.forms,
        "zone": domain.time_zone,
        "page": {"zone": domain.time_zone, "words": words()},
    }
    return render(request, "alerts/alerts.html", context, status=status)


@require_POST
@for_role(Person.Role.SUPERVISOR)
def save_rules(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Keep the rules; they hold from the next reading on."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    forms = RuleForms(domain, viewer.limit, request.POST)
    if not forms.are_valid():
        return page(request, viewer, domain, forms, status=400)
    rules.save(domain, forms.wanted())
    messages.success(request, _("Saved. The rules hold from the next reading on."))
    return redirect("alerts:alerts")


@require_POST
@for_role(Person.Role.SUPERVISOR)
def acknowledge(request: HttpRequest, viewer: Viewer, episode_id: int) -> HttpResponseBase:
    """Quiet an attention for everybody; the answer is the attention, or null where it has ended meanwhile."""
    wanted = get_object_or_404(Episode.objects.select_related("queue"), pk=episode_id, domain_id=viewer.domain_id)
    if not viewer.limit.shows_queue(wanted.queue.number):
        raise Http404
    person = person_of(viewer)
    episode = episodes.acknowledge(viewer.domain_id, episode_id, person)
    return JsonResponse({"alert": None if episode is None else news.document(episode)})
