"""Where an administrator says what every card offers: outcomes, and links into other programs."""

from itertools import zip_longest
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import Viewer, for_role
from accounts.models import Domain
from accounts.saving import stamps
from wallboard.contacts import crm_links
from wallboard.contacts.address_book import InvalidInput
from wallboard.contacts.models import Link, LinkHost
from wallboard.desk import outcomes
from wallboard.desk.outcomes import LinkInput


@never_cache
@require_http_methods(["GET", "POST"])
@for_role("administrator")
def offered(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page with both lists; what cannot be kept is said, and stays in its field."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    if request.method == "GET":
        return render(request, "desk/offers.html", _shown(domain))
    try:
        _save(domain, request)
    except InvalidInput as error:
        messages.error(request, str(error))
        # Not redirected, so that nobody has to write it again.
        return render(request, "desk/offers.html", _shown(domain) | _written(request))
    except stamps.Changed as changed:
        messages.error(request, str(changed))
        return render(request, "desk/offers.html", _shown(domain) | _written(request, changed.stamp), status=409)
    messages.success(request, _("Saved; cards show it from the next call on."))
    return redirect("desk:offers")


def _save(domain: Domain, request: HttpRequest) -> None:
    # Two forms on one page, and each saves only its own list.
    if "outcomes" in request.POST:
        with stamps.saving(request, domain, _stored_outcomes):
            outcomes.save_outcomes(domain, request.POST["outcomes"].splitlines())
    else:
        with stamps.saving(request, domain, _stored_links):
            outcomes.save_links(domain, request.POST.get("hosts", "").splitlines(), _link_inputs(request))


def _stored_outcomes(domain: Domain) -> str:
    return "\n".join(str(outcome["name"]) for outcome in outcomes.outcomes(domain.pk))


def _stored_links(domain: Domain) -> tuple[list[str], list[dict[str, Any]]]:
    hosts = list(LinkHost.objects.filter(domain=domain).order_by("host").values_list("host", flat=True))
    return hosts, [
        {"id": link.pk, "name": link.name, "template": link.template} for link in Link.objects.filter(domain=domain)
    ]


def _link_inputs(request: HttpRequest) -> list[LinkInput]:
    columns = (request.POST.getlist(name) for name in ("link-id", "link-name", "link-template"))
    rows = zip_longest(*columns, fillvalue="")
    # Longer numbers do not fit the column, and would be an error of the database.
    return [LinkInput(int(pk) if pk.isdecimal() and len(pk) < 19 else None, *further) for pk, *further in rows]


def _shown(domain: Domain) -> dict[str, Any]:
    offered, (hosts, stored) = _stored_outcomes(domain), _stored_links(domain)
    links = [link | {"example": _example(link["template"], hosts)} for link in stored]
    return {
        "outcomes": offered,
        "outcomes_stamp": stamps.of(offered),
        "links_stamp": stamps.of((hosts, stored)),
        "hosts": "\n".join(hosts),
        # An empty row for a new one.
        "links": [*links, {}],
        "placeholders": [f"{{{name}}}" for name in crm_links.EXAMPLE],
    }


def _example(template: str, hosts: list[str]) -> str:
    """Where the link leads with an example; "" where it may lead nowhere any more."""
    return crm_links.fill(template, crm_links.EXAMPLE) if crm_links.is_allowed(template, hosts) else ""


def _written(request: HttpRequest, stamp: str = "") -> dict[str, Any]:
    """What was sent and could not be kept; with the stamp that it was sent with, where there is no other."""
    stamp = stamp or request.POST.get("stamp", "")
    if "outcomes" in request.POST:
        return {"outcomes": request.POST["outcomes"], "outcomes_stamp": stamp}
    links = [{"id": entry.id or "", "name": entry.name, "template": entry.template} for entry in _link_inputs(request)]
    return {"hosts": request.POST.get("hosts", ""), "links": links, "links_stamp": stamp}
