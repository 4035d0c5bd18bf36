"""The calibration page of administrators: what is proven about the provider, by what, and what they say instead."""

import msgspec
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.access import Viewer, for_role
from accounts.company_day import zone_of
from accounts.models import Domain, Person
from wallboard.calibration import engine, figure_words, findings, page, picture
from wallboard.calibration.models import Progress


@never_cache
@require_GET
@for_role(Person.Role.ADMINISTRATOR)
def calibration(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Every question with its evidence."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    rows = page.rows(domain)
    context = {
        "domain": domain,
        "zone": zone_of(domain),
        "rows": rows,
        "proven": sum(row.state == "good" for row in rows),
        "progress": Progress.objects.filter(domain=domain).defer("view").first(),
        "picture": picture.of(domain, timezone.now()),
    }
    return render(request, "calibration/calibration.html", context)


@never_cache
@require_GET
@for_role("agent")
def figures(request: HttpRequest, viewer: Viewer) -> JsonResponse:
    """What is said of every figure: no data, only its words and what it rests on at this company."""
    told = figure_words.words(viewer.domain_id)
    figures = {key: msgspec.structs.asdict(each) for key, each in told.items()}
    return JsonResponse({"figures": figures, "texts": figure_words.texts_of_box()})


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def overrule(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Say what counts instead of what is measured, or take that back."""
    question, answer = request.POST.get("question", ""), request.POST.get("answer", "")
    if question not in engine.BY_NAME or (answer and answer not in dict(page.choices(question))):
        raise BadRequest("No such question or answer.")
    domain = Domain.objects.get(pk=viewer.domain_id)
    by = Person.objects.filter(pk=viewer.person_id or 0).first()
    findings.overrule(domain, question, answer, by)
    messages.success(request, _("Your answer counts now.") if answer else _("What is measured counts again."))
    return redirect("calibration:calibration")
