"""The TVs of a company, for supervisors: make, pair, rename, switch, revoke."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from wallboard.boards import pairing, screens
from wallboard.boards.forms import PairForm, ScreenForm
from wallboard.boards.models import Screen


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def listing(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All screens with what they show and when they were last seen."""
    return page(request, Domain.objects.get(pk=viewer.domain_id))


def page(
    request: HttpRequest, domain: Domain, link: str = "", pair: PairForm | None = None, make: ScreenForm | None = None
) -> HttpResponse:
    """The page of the screens; `link` is a fresh address that is shown only this once."""
    rows = [
        (screen, ScreenForm(domain, initial={"name": screen.name, "board": screen.board_id}, prefix=f"s{screen.pk}"))
        for screen in screens.listed(domain)
    ]
    context = {
        "rows": rows,
        "pair": pair or PairForm(domain, prefix="pair"),
        "make": make or ScreenForm(domain, prefix="make"),
        "link": link,
        "pair_address": f"{settings.PUBLIC_URL}/pair/",
        "is_secure": settings.PUBLIC_URL.startswith("https:"),
    }
    is_bad = any(form is not None and form.errors for form in (pair, make))
    return render(request, "boards/screens.html", context, status=400 if is_bad else 200)


@never_cache
@require_POST
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def make(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Make a screen and show its address once."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = ScreenForm(domain, request.POST, prefix="make")
    if not form.is_valid():
        return page(request, domain, make=form)
    _screen, token = screens.make(form.cleaned_data["board"], form.cleaned_data["name"], person(viewer))
    return page(request, domain, link=screens.link(token))


@require_POST
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def pair(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Take the code that a TV shows."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = PairForm(domain, request.POST, prefix="pair")
    if not form.is_valid():
        return page(request, domain, pair=form)
    values = form.cleaned_data
    try:
        screen = pairing.accept(values["code"], values["board"], values["name"], person(viewer))
    except pairing.WrongCode:
        form.add_error("code", _("No TV shows this code now. A code is good for ten minutes; look again."))
        return page(request, domain, pair=form)
    messages.success(request, _("%(name)s is paired and shows %(board)s.") % {"name": screen, "board": screen.board})
    return redirect("boards:screens")


@require_POST
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def change(request: HttpRequest, viewer: Viewer, screen_id: int) -> HttpResponseBase:
    """Rename a screen or let it show another board."""
    screen = own(viewer, screen_id)
    form = ScreenForm(screen.domain, request.POST, prefix=f"s{screen.pk}")
    if not form.is_valid():
        messages.error(request, _("Give the screen a name and one of your boards."))
        return redirect("boards:screens")
    if form.cleaned_data["name"] != screen.name:
        screens.rename(screen, form.cleaned_data["name"])
    if form.cleaned_data["board"] != screen.board:
        screens.switch(screen, form.cleaned_data["board"])
    messages.success(request, _("Saved."))
    return redirect("boards:screens")


@require_POST
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def revoke(request: HttpRequest, viewer: Viewer, screen_id: int) -> HttpResponseBase:
    """End a screen's right to look."""
    screen = own(viewer, screen_id)
    screens.revoke(screen)
    messages.success(request, _("%(name)s may not look any more.") % {"name": screen.name})
    return redirect("boards:screens")


def own(viewer: Viewer, screen_id: int) -> Screen:
    """The viewer's company's screen. Raises Http404."""
    live = Screen.objects.filter(revoked_at=None).select_related("board", "domain")
    return get_object_or_404(live, pk=screen_id, domain_id=viewer.domain_id)


def person(viewer: Viewer) -> Person | None:
    """The person behind the viewer."""
    return Person.objects.filter(pk=viewer.person_id or 0).first()
