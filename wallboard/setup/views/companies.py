"""The operator's pages: which companies this installation has. They show nothing of what is in them."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import domains
from accounts.companies import addresses, editing
from accounts.models import Domain
from accounts.posting import shown_once
from accounts.signin import login
from accounts.signin.operators import for_operators
from wallboard.setup import first_key, removing
from wallboard.setup.forms import CompanyForm


@never_cache
@require_http_methods(["GET", "POST"])
@for_operators
def companies(request: HttpRequest) -> HttpResponseBase:
    """All companies; a POST adds one."""
    form = CompanyForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            added = editing.add(**form.cleaned_data)
            messages.success(request, _("%(company)s is added. Invite its first administrator.") % {"company": added})
            return redirect("setup:company", added.pk)
        except ValidationError as error:
            show_errors(form, error)
    rows = [(each, state_of(each), addresses.of(each)) for each in Domain.objects.order_by("name")]
    status = 400 if form.is_bound else 200
    return render(request, "setup/companies.html", {"rows": rows, "form": form}, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
@for_operators
def company(request: HttpRequest, company_id: int) -> HttpResponseBase:
    """One company: its name and address."""
    domain = get_object_or_404(Domain, pk=company_id, removal_at=None)
    initial = {name: getattr(domain, name) for name in editing.COLUMNS}
    form = CompanyForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound and form.is_valid():
        try:
            editing.edit(domain, **form.cleaned_data | {"slug": form.cleaned_data["slug"] or initial["slug"]})
            messages.success(request, _("%(company)s is saved.") % {"company": domain})
            return redirect("setup:company", domain.pk)
        except ValidationError as error:
            show_errors(form, error)
    return show(request, Domain.objects.get(pk=domain.pk), form)


@require_POST
@for_operators
def pause(request: HttpRequest, company_id: int) -> HttpResponseBase:
    """Stop everything about a company."""
    domain = get_object_or_404(Domain, pk=company_id, removal_at=None)
    editing.pause(domain)
    messages.success(request, _("%(company)s is paused.") % {"company": domain})
    return redirect("setup:company", domain.pk)


@require_POST
@for_operators
def resume(request: HttpRequest, company_id: int) -> HttpResponseBase:
    """Let a company go on."""
    domain = get_object_or_404(Domain, pk=company_id, removal_at=None)
    editing.resume(domain)
    messages.success(request, _("%(company)s goes on by itself within a minute.") % {"company": domain})
    return redirect("setup:company", domain.pk)


@never_cache
@require_POST
@for_operators
def invite(request: HttpRequest, company_id: int) -> HttpResponseBase:
    """An address that makes the company's first administrator, shown this once."""
    domain = get_object_or_404(Domain, pk=company_id, is_active=True)
    if not first_key.is_needed(domain):
        messages.error(request, _("%(company)s has an administrator already.") % {"company": domain})
        return redirect("setup:company", domain.pk)
    return shown_once.answer(request, lambda: (reverse("setup:company", args=[domain.pk]), first_key.issue(domain)))


@never_cache
@require_http_methods(["GET", "POST"])
@for_operators
def remove(request: HttpRequest, company_id: int) -> HttpResponseBase:
    """What goes with a company; a POST with its name has the worker delete it."""
    domain = get_object_or_404(Domain, pk=company_id, removal_at=None)
    context: dict[str, Any] = {"company": domain, "counts": removing.counts(domain)}
    context["is_of_environment"] = domains.is_of_environment(domain)
    if request.method == "POST":
        try:
            editing.ask_removal(domain, request.POST.get("name", ""))
            messages.success(request, _("%(company)s is being removed.") % {"company": domain})
            return redirect("setup:companies")
        except editing.NameDiffers:
            context["error"] = _("This is not the name of the company. Nothing was removed.")
    return render(request, "setup/remove_company.html", context, status=400 if "error" in context else 200)


def show(request: HttpRequest, domain: Domain, form: CompanyForm) -> HttpResponseBase:
    """The page of a company, with the address for its first administrator where that is new."""
    context = {
        "company": domain,
        "state": state_of(domain),
        "form": form,
        "invitation": shown_once.take(request),
        "minutes": int(first_key.VALIDITY.total_seconds() // 60),
        "needs_administrator": first_key.is_needed(domain),
        "is_of_environment": domains.is_of_environment(domain),
        "sign_in": addresses.sign_in(domain),
        "redirect_uri": login.redirect_uri(domain),
    }
    return render(request, "setup/company.html", context, status=400 if form.errors else 200)


def state_of(domain: Domain) -> tuple[str, str]:
    """A word about the company and its level."""
    if domain.removal_at is not None:
        return "late", _("being removed")
    if not domain.is_active:
        return "watch", _("paused")
    return ("good", _("active")) if domain.client_id else ("watch", _("not set up"))


def show_errors(form: CompanyForm, error: ValidationError) -> None:
    """Each beside its field."""
    for name, sentences in error.message_dict.items():
        for sentence in sentences:
            form.add_error(name if name in form.fields else None, sentence)
