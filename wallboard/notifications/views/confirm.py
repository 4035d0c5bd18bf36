"""The page behind the link that confirms an address: opening it changes nothing, for mail scanners open every link."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.companies import hosts
from wallboard.notifications import confirming, destinations


@never_cache
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponseBase:
    """Ask whoever reads the mailbox; a POST confirms the address, or has it forgotten."""
    destination = confirming.destination_of(token)
    if destination is None or hosts.is_elsewhere(request, destination.domain_id):
        raise Http404
    if request.method == "POST" and request.POST.get("do") == "remove":
        destinations.remove(destination)
        return _page(request, {"is_removed": True})
    if request.method == "POST":
        confirming.confirm(destination)
        return redirect("notifications:confirm", token)
    return _page(request, {"destination": destination, "company": destination.domain.name})


def _page(request: HttpRequest, context: dict[str, object]) -> HttpResponse:
    return render(request, "notifications/confirm.html", context)
