"""Embed links for supervisors: make one, see who used it last, revoke it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import Viewer, for_role, person_of
from accounts.models import Domain, Person
from accounts.posting import shown_once
from wallboard.screens.embeds import links
from wallboard.screens.forms import EmbedForm
from wallboard.screens.models import Embed


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def embeds(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All links of the company; a POST makes one and shows it this once, `?board=` chooses the board."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    may_allow_numbers = viewer.may(Person.Role.ADMINISTRATOR)
    posted = request.POST if request.method == "POST" else None
    form = EmbedForm(domain, posted, initial=initial_of(domain, request), may_allow_numbers=may_allow_numbers)
    if form.is_bound and links.alive(domain).count() >= links.MOST_LINKS:
        form.add_error(None, _("There are as many links as there can be. Revoke one first."))
    if form.is_valid():
        wanted, person = form.wanted(), person_of(viewer)
        return shown_once.answer(request, lambda: (request.path, links.make(domain, wanted, person)[1]))
    token = shown_once.take(request)
    context = {
        "form": form,
        "made": links.find(token) if token else None,
        "address": links.address(domain, token),
        "rows": [(each, links.card_name(each.board, each.card)) for each in links.alive(domain)],
        "clock": domain.clock,
        "zone": domain.time_zone,
    }
    return render(request, "screens/embeds.html", context, status=400 if form.is_bound and form.errors else 200)


def initial_of(domain: Domain, request: HttpRequest) -> dict[str, str]:
    """The board that the page was opened for."""
    board = domain.boards.filter(slug=request.GET.get("board", "")).first()
    return {"shows": str(board.pk)} if board is not None else {}


@require_POST
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def revoke(request: HttpRequest, viewer: Viewer, embed_id: int) -> HttpResponseBase:
    """End a link: what frames it goes dark."""
    embed = get_object_or_404(Embed, pk=embed_id, domain_id=viewer.domain_id)
    if links.revoke(embed):
        messages.success(request, _("%(name)s is revoked. Its frames go dark at once.") % {"name": embed})
    return redirect("screens:embeds")
