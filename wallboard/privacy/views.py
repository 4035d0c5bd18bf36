"""How long things are kept, and everything about one number: looked at, handed out, erased."""

from contextlib import suppress
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from kombu.exceptions import OperationalError

from accounts import audit, domains, validators
from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from accounts.saving import stamps
from wallboard.calls import numbers, sweeping
from wallboard.calls.retention import retention as calls
from wallboard.calls.retention import traces
from wallboard.calls.retention.retention import NotNow
from wallboard.calls.retention.traces import Trace
from wallboard.live.broker import send_now
from wallboard.privacy import erasures, number_report, tasks

LONGEST_DAYS = 3650
LOOK_AGAIN_SECONDS = 2
KEPT = {  # the fields of the form, and their columns
    "calls": "calls_kept_days",
    "notes": "notes_kept_days",
    "boards": "replay_kept_days",
    "log": "log_kept_days",
    "samples": "samples_kept_days",
}
NO_NUMBER = gettext_lazy(
    "That is neither a phone number nor a SIP address. Write a number as you would dial it, or with + and its country."
)


class RetentionForm(forms.Form):
    """Days; an empty field is for ever with callers and notes, and changes nothing with the rest."""

    calls = forms.IntegerField(
        label=gettext_lazy("Numbers and names of callers"), required=False, min_value=1, max_value=LONGEST_DAYS
    )
    notes = forms.IntegerField(label=gettext_lazy("Notes"), required=False, min_value=1, max_value=LONGEST_DAYS)
    boards = forms.IntegerField(
        label=gettext_lazy("Boards as they were"), required=False, min_value=0, max_value=LONGEST_DAYS
    )
    log = forms.IntegerField(
        label=gettext_lazy("Calls"), required=False, min_value=validators.LEAST_KEPT, max_value=validators.MOST_KEPT
    )
    samples = forms.IntegerField(
        label=gettext_lazy("Minutes of queues"),
        required=False,
        min_value=validators.LEAST_KEPT,
        max_value=validators.MOST_KEPT,
    )


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def settings_page(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Look at, or change, how long things are kept."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = RetentionForm(request.POST or None, initial=_kept(domain))
    if request.method == "POST" and form.is_valid():
        kept = form.cleaned_data
        others = {KEPT[name]: kept[name] for name in ("boards", "log", "samples")}
        try:
            with stamps.saving(request, domain, _kept) as stored:
                domains.set_retention(stored, kept["calls"], kept["notes"], **others)
        except stamps.Changed as changed:
            messages.error(request, str(changed))
            return _page(request, domain, {"form": form, "stamp": changed.stamp}, status=409)
        messages.success(request, _("Saved. What is past its time goes within the hour."))
        return redirect("privacy:privacy")
    return _page(request, domain, {"form": form})


@never_cache
@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def number(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What is kept about a number. By POST, so that the number stands in no address and no log."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    wanted = request.POST.get("number", "")[:200]
    if (trace := traces.of(wanted, domain.country)) is None:
        messages.error(request, NO_NUMBER)
        return _page(request, domain, {"wanted": wanted})
    audit.log(domain.pk, "number looked for", numbers.masked(trace.number))
    return _found(request, domain, trace)


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def export_number(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Everything about a number as a file."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    trace = _trace(request, domain)
    audit.log(domain.pk, "number exported", numbers.masked(trace.number))
    answer = HttpResponse(number_report.as_zip(number_report.collect(domain, trace)), content_type="application/zip")
    # Two digits tell files apart; the whole number would stand in every list of downloads.
    hint = "sip" if "@" in trace.number else trace.number[-2:]
    answer["Content-Disposition"] = f'attachment; filename="number-{hint}.zip"'
    answer["Cache-Control"] = "no-store"
    return answer


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def erase_number(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Take a number out of everything, once somebody has said that they mean it."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    trace = _trace(request, domain)
    if request.POST.get("sure") != "1":
        messages.error(request, _("Nothing was erased: tick that you are sure first."))
        return _found(request, domain, trace)
    try:
        erasure = erasures.create(domain, trace)
    except NotNow as reason:
        messages.error(request, _("Nothing was erased. %(reason)s") % {"reason": reason})
        return _found(request, domain, trace)
    # Where the broker does not answer, the worker finds it by itself within seconds.
    with suppress(OperationalError):
        send_now(tasks.erase_number, erasure.pk)
    return redirect("privacy:privacy")


def _trace(request: HttpRequest, domain: Domain) -> Trace:
    found = traces.of(request.POST.get("number", ""), domain.country)
    if found is None:
        raise BadRequest("That is neither a phone number nor a SIP address.")
    return found


def _found(request: HttpRequest, domain: Domain, trace: Trace) -> HttpResponse:
    """The page with what is kept about the number."""
    shown = numbers.shown(trace.number, domain.country)
    context = {"kinds": number_report.collect(domain, trace), "number": trace.number, "shown": shown, "wanted": shown}
    return _page(request, domain, context)


def _kept(domain: Domain) -> dict[str, int | None]:
    return {name: getattr(domain, column) for name, column in KEPT.items()}


def _page(request: HttpRequest, domain: Domain, context: dict[str, Any], status: int = 200) -> HttpResponse:
    recent = erasures.recent(domain)
    usual = {
        "form": RetentionForm(initial=_kept(domain)),
        "stamp": stamps.shown(request, _kept(domain)),
        "domain": domain,
        "erasures": [(each, erasures.is_busy(each), erasures.lacks_worker(each)) for each in recent],
        "done_until": calls.done_until(domain) if domain.calls_kept_days else None,
        "deliveries_days": sweeping.KEEP_DELIVERIES.days,
    }
    answer = render(request, "privacy/privacy.html", usual | context, status=status)
    # Not while somebody fills in a form or reads what was found; a header, so that the page needs no script.
    if request.method == "GET" and any(map(erasures.is_busy, recent)):
        answer["Refresh"] = str(LOOK_AGAIN_SECONDS)
    return answer
