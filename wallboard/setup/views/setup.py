"""The set-up page of administrators: what is connected, and what to do about the rest."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import domains
from accounts.access import Viewer, for_role
from accounts.company_day import zone_of
from accounts.models import Domain, Person, User
from accounts.saving import stamps
from accounts.signin import pkce
from wallboard.calls.subscriptions import maintenance
from wallboard.queues import polling
from wallboard.queues.models import PollState
from wallboard.setup import address_check, failures, message_checks, regions, status_checks
from wallboard.setup.forms import RegionForm
from wallboard.setup.starting import steps


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def setup(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Everything at a glance, and where the company is, to be changed."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    stamp, status = stamps.shown(request, regions.values(domain)), 200
    form = RegionForm(domain, request.POST if request.method == "POST" else None)
    if form.is_bound:
        status = 400
        if form.is_valid():
            try:
                with stamps.saving(request, domain, regions.values) as stored:
                    domains.set_region(stored, form.cleaned_data["time_zone"], form.cleaned_data["country"])
            except stamps.Changed as changed:
                messages.error(request, str(changed))
                stamp, status = changed.stamp, 409
            else:
                messages.success(request, _("Saved."))
                return redirect("setup:setup")
    checks = [*status_checks.checks(domain), *message_checks.checks(domain), address_check.of(request, domain)]
    context = {"domain": domain, "checks": checks, "zone": zone_of(domain), "form": form, "stamp": stamp}
    context["is_unfinished"] = isinstance(request.user, User) and steps.is_unfinished(domain, request.user)
    return render(request, "setup/setup.html", context, status=status)


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def poll_now(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Read the queues at once."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    polling.poll_now(domain)
    state = PollState.objects.filter(domain=domain).first()
    if state is None or state.failure or state.read_at is None:
        messages.error(request, failures.advice_for(state.failure if state else "unreachable")[0])
    else:
        messages.success(request, _("The queues were read."))
    return redirect("setup:setup")


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def check_now(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Have the subscriptions looked at and repaired at once."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    # Marked first: a check by itself leaves out what is not due yet.
    maintenance.check_now(domain)
    maintenance.check(domain)
    if pkce.learn(domain):
        messages.warning(request, _("Sign-ins go on without PKCE: the provider refuses it."))
    messages.success(request, _("The subscriptions were checked."))
    return redirect("setup:setup")
