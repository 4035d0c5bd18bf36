"""The alerts page: those that are open, all that there were, and the rules."""

import msgspec
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import audit, payloads
from accounts.access import Viewer, for_role, person_of
from accounts.models import Domain, Person
from accounts.query_values import page_number
from accounts.saving import stamps
from accounts.sheets import answers
from wallboard.alerts import documents, lifecycle, rules, sheet, sound, visibility, wording
from wallboard.alerts.forms import KindForms, RuleForms
from wallboard.alerts.models import Alert
from wallboard.alerts.ruling import kind_rules, preview
from wallboard.alerts.texts import texts
from wallboard.figures import words

PER_PAGE = 50
MOST_EXPORTED = 5000


class SoundInput(msgspec.Struct, frozen=True):
    """What a page sends when somebody turns the sound on or off."""

    on: bool


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR)
def alerts_page(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Open alerts (live), all of them with who acknowledged them and when, and the rules."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    if kind := answers.kind_of(request.GET):
        audit.log(domain.pk, "alerts exported", "")
        told = words.head_cells(sheet.FIGURES) if words.wants_words(request.GET) else ()
        lines = sheet.lines(history_of(viewer)[:MOST_EXPORTED], domain)
        return answers.download(kind, lines, "alerts", domain.clock, told)
    return page(request, viewer, domain, RuleForms(domain, viewer.limit))


def history_of(viewer: Viewer) -> QuerySet[Alert]:
    """Every alert that there was, newest first, those that are open among them, as far as the viewer may see them."""
    found = Alert.objects.filter(domain_id=viewer.domain_id).select_related("queue")
    return visibility.restrict(found, viewer.limit)


def page(
    request: HttpRequest,
    viewer: Viewer,
    domain: Domain,
    forms: RuleForms,
    kinds: KindForms | None = None,
    status: int = 200,
    **stamped: str,
) -> HttpResponse:
    """The page with these forms of the rules; those of the company as a whole only for whoever sees all of it."""
    number = page_number(request.GET.get("page", ""))
    history = history_of(viewer)
    kinds = kinds or KindForms(domain)
    begin = (number - 1) * PER_PAGE
    # One more than a page tells whether there is another, without counting them all.
    found = list(history[begin : begin + PER_PAGE + 1])
    context = {
        "history": [(each, wording.what(each)) for each in found[:PER_PAGE]],
        "has_more": len(found) > PER_PAGE,
        "page_number": number,
        "forms": forms.forms,
        "kinds": [] if viewer.limit.is_set else kinds.forms,
        "rules_stamp": stamps.of(forms.stored()),
        "kinds_stamp": stamps.of(kinds.stored()),
        "days": preview.DAYS,
        "zone": domain.time_zone,
        "page": {"zone": domain.time_zone, "sound": sound.is_wanted(viewer), "texts": texts(has_advice=True)},
    }
    return render(request, "alerts/alerts.html", context | stamped, status=status)


@require_POST
@for_role(Person.Role.SUPERVISOR)
def save_rules(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Store the rules; they hold from the next reading on."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    forms = RuleForms(domain, viewer.limit, request.POST)
    stamp = stamps.shown(request, forms.stored())
    if not forms.are_valid():
        return page(request, viewer, domain, forms, status=400, rules_stamp=stamp)
    if "preview" in request.POST:
        forms.count(preview.of_levels(domain, rules.effective(forms.numbered_inputs(domain))))
        return page(request, viewer, domain, forms, rules_stamp=stamp)
    try:
        with stamps.saving(request, domain, lambda stored: RuleForms(stored, viewer.limit).stored()):
            rules.save(domain, forms.inputs())
    except stamps.Changed as changed:
        messages.error(request, str(changed))
        return page(request, viewer, domain, forms, status=409, rules_stamp=changed.stamp)
    messages.success(request, _("Saved. The rules hold from the next reading on."))
    return redirect("alerts:alerts")


@require_POST
@for_role(Person.Role.SUPERVISOR)
def save_kinds(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Store the rules of the other kinds; they hold from the next look on. With a limit nobody sets them."""
    if viewer.limit.is_set:
        raise Http404
    domain = Domain.objects.get(pk=viewer.domain_id)
    kinds, forms = KindForms(domain, request.POST), RuleForms(domain, viewer.limit)
    stamp = stamps.shown(request, kinds.stored())
    if not kinds.are_valid():
        return page(request, viewer, domain, forms, kinds, status=400, kinds_stamp=stamp)
    if "preview" in request.POST:
        kinds.count(preview.of_kinds(domain, kinds.effective()))
        return page(request, viewer, domain, forms, kinds, kinds_stamp=stamp)
    try:
        with stamps.saving(request, domain, lambda stored: KindForms(stored).stored()):
            kind_rules.save(domain, kinds.inputs())
    except stamps.Changed as changed:
        messages.error(request, str(changed))
        return page(request, viewer, domain, forms, kinds, status=409, kinds_stamp=changed.stamp)
    messages.success(request, _("Saved. The rules hold from now on."))
    return redirect("alerts:alerts")


@require_POST
@for_role(Person.Role.AGENT)
def switch_sound(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Switch the sound of alerts on or off for all pages of this person."""
    sound.switch(viewer, on=payloads.parse(request, SoundInput).on)
    return HttpResponse(status=204)


@require_POST
@for_role(Person.Role.SUPERVISOR)
def acknowledge(request: HttpRequest, viewer: Viewer, alert_id: int) -> HttpResponseBase:
    """Acknowledge an alert for everybody; the answer is the alert, or null where it has ended meanwhile."""
    wanted = get_object_or_404(Alert.objects.select_related("queue"), pk=alert_id, domain_id=viewer.domain_id)
    if not visibility.shows_alert(viewer.limit, wanted):
        raise Http404  # not 403: that would tell that there is such an alert
    person = person_of(viewer)
    alert = lifecycle.acknowledge(viewer.domain_id, alert_id, person)
    return JsonResponse({"alert": alert and msgspec.to_builtins(documents.document(alert))})
