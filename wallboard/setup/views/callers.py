"""The setting of caller records, for administrators, and what the desk asks for."""

import msgspec
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import Viewer, for_role
from accounts.forms import WithoutColons
from accounts.models import Domain, Person
from accounts.payloads import Id, parse
from accounts.posting import shown_once
from wallboard.calls import numbers
from wallboard.desk.card.caller import swap_ends
from wallboard.desk.permissions import is_dialled, reachable_legs
from wallboard.notifications import outbound
from wallboard.setup.callers import records
from wallboard.setup.callers.answers import Record

TRIED = "+15550100"  # reserved: nobody has it


class RecordRequest(msgspec.Struct):
    leg: Id


class CallerSourceForm(WithoutColons, forms.Form):
    """Where to ask, and whether. An empty address is the stored one."""

    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=1000,
        required=False,
        widget=forms.URLInput({"placeholder": "https://crm.example.com/caller", "autocomplete": "off", "dir": "ltr"}),
    )
    is_on = forms.BooleanField(label=gettext_lazy("Ask it for every call at a desk"), required=False)
    new_secret = forms.BooleanField(label=gettext_lazy("Make a new secret"), required=False)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def callers(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page of the setting: kept by a POST, tried with `act=test`; a new secret is shown this once."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form, tried = CallerSourceForm(request.POST or None), None
    if request.POST.get("act") == "test":
        form, tried = CallerSourceForm(), try_out(request, domain, viewer)
    elif form.is_valid() and (kept := keep(request, domain, form)):
        return kept
    source = records.source_of(domain)
    if not form.is_bound or not form.errors:
        form = CallerSourceForm(initial={"is_on": source is None or source.is_on})
    host = records.origin_of(source) if source is not None else ""
    context = {"form": form, "source": source, "host": host, "secret": shown_once.take(request), "tried": tried}
    context |= {"clock": domain.clock, "zone": domain.time_zone}
    return render(request, "setup/callers.html", context, status=400 if form.errors else 200)


def keep(request: HttpRequest, domain: Domain, form: CallerSourceForm) -> HttpResponse | None:
    """Save what was posted, and lead back to the page; None where the address is refused, as the form then says."""
    values, source = form.cleaned_data, records.source_of(domain)
    url = values["url"].strip() or (source.url.open() if source is not None else "")

    def save() -> tuple[str, str]:
        _source, secret = records.save(domain, url, is_on=values["is_on"], new_secret=values["new_secret"])
        messages.success(request, _("Saved."))
        return request.path, secret

    try:
        return shown_once.answer(request, save)
    except outbound.Refused as refusal:
        form.add_error("url", str(refusal))
        return None


def try_out(request: HttpRequest, domain: Domain, viewer: Viewer) -> Record | None:
    """Ask for a number that nobody has, now and whatever is kept; the answer as a card would show it."""
    source = records.source_of(domain)
    if source is None:
        return None
    try:
        record = records.ask(source, TRIED, viewer.extension)
    except records.Failed as failure:
        records.tell(source, str(failure))
        return None
    records.tell(source, "")
    if record.is_empty:
        messages.success(request, _("It answered that it knows nothing of %(number)s.") % {"number": TRIED})
    return record


@require_POST
@for_role(Person.Role.AGENT)
def record(request: HttpRequest, viewer: Viewer) -> JsonResponse:
    """The record of whoever is at the other end of one's own call, null for none."""
    leg = get_object_or_404(reachable_legs(viewer), pk=parse(request, RecordRequest).leg)
    seen = swap_ends(leg) if is_dialled(viewer, leg) else leg
    is_hidden = numbers.is_withheld(seen.from_number) or numbers.is_removed(seen.from_number)
    found = None if is_hidden else records.record_of(viewer.domain_id, leg.caller_e164, viewer.extension)
    return JsonResponse({"record": msgspec.to_builtins(found)})
