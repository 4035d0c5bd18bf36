"""The TVs of a company, for supervisors: add, pair, watch, change, revoke."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.access import Viewer, for_role, person_of
from accounts.companies import addresses
from accounts.models import Domain, Person
from accounts.posting import shown_once
from accounts.saving import stamps
from wallboard.boards.models import Board
from wallboard.live.release import release
from wallboard.screens import heartbeats, pairing, rotations, screens
from wallboard.screens.forms import PairForm, ScreenForm, SettingsForm, content_choices
from wallboard.screens.models import Screen


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def listing(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All screens with what they show and how they are doing; `?code=` comes from the QR code on a waiting TV."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    # It only fills in the form: a link that somebody is sent must not pair a TV.
    code = pairing.normalized_code(request.GET.get("code", ""))[: pairing.LENGTH]
    return page(request, viewer, pair=PairForm(domain, prefix="pair", initial={"code": code}), has_code=bool(code))


def page(
    request: HttpRequest,
    viewer: Viewer,
    pair: PairForm | None = None,
    make: ScreenForm | None = None,
    settings: SettingsForm | None = None,
    *,
    has_code: bool = False,
    status: int = 200,
) -> HttpResponse:
    """The page of the screens, with the address of one that was just made; refused forms hold what was typed."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    found, offered = screens.active_screens(domain), content_choices(domain)
    states = {each["id"]: each for each in screen_states(domain, found)}
    refused = {settings.screen.pk: settings} if settings is not None else {}
    forms = [refused.get(screen.pk) or SettingsForm(screen, offered=offered) for screen in found]
    context = {
        "rows": [(form.screen, form, states[form.screen.pk]) for form in forms],
        "pair": pair or PairForm(domain, prefix="pair", offered=offered),
        "make": make or ScreenForm(domain, prefix="make", offered=offered),
        "rotations": rotations.all_rotations(domain),
        "link": shown_once.take(request),
        "has_code": has_code,
        "may_allow_numbers": viewer.may(Person.Role.ADMINISTRATOR),
        "pair_address": addresses.in_sentence(f"{addresses.of(domain)}/pair/"),
        "is_secure": addresses.of(domain).startswith("https:"),
        "page": {"texts": {"stale": _("This page cannot reach the server; what it says is old.")}},
    }
    is_bad = any(form is not None and form.is_bound and form.errors for form in (pair, make, settings))
    return render(request, "screens/screens.html", context, status=400 if is_bad else status)


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def state(request: HttpRequest, viewer: Viewer) -> JsonResponse:
    """How every TV is doing now; the page asks every few seconds."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    return JsonResponse({"screens": screen_states(domain, screens.active_screens(domain))})


def screen_states(domain: Domain, found: list[Screen]) -> list[dict[str, Any]]:
    """Each screen's state, word and facts, as the page and its script show them."""
    now, ours = timezone.now(), release()
    boards = dict(Board.objects.filter(domain=domain).values_list("pk", "name"))
    rows = []
    for screen in found:
        level, word = heartbeats.status_of(screen, now)
        facts = [vars(fact) for fact in heartbeats.facts(screen, boards, ours, now)]
        rows.append({"id": screen.pk, "name": screen.name, "state": level, "word": word, "facts": facts})
    return rows


@never_cache
@require_POST
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def create(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Make a screen, whose address the page shows once: the token is stored nowhere."""
    form = ScreenForm(Domain.objects.get(pk=viewer.domain_id), request.POST, prefix="make")
    if not form.is_valid():
        return page(request, viewer, make=form)
    name, shows, person = form.cleaned_data["name"], form.shows, person_of(viewer)

    def make() -> tuple[str, str]:
        screen, token = screens.create(shows.board, name, person, shows.rotation)
        return reverse("screens:screens"), screens.link(screen.domain, token)

    return shown_once.answer(request, make)


@require_POST
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def pair(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Take the code that a TV shows."""
    form = PairForm(Domain.objects.get(pk=viewer.domain_id), request.POST, prefix="pair")
    if not form.is_valid():
        return page(request, viewer, pair=form)
    values, shows = form.cleaned_data, form.shows
    try:
        screen = pairing.accept(values["code"], shows.board, values["name"], person_of(viewer), shows.rotation)
    except pairing.WrongCode:
        form.add_error("code", _("No TV shows this code now. A code is good for ten minutes; look again."))
        return page(request, viewer, pair=form)
    if values["has_sound"]:
        screens.set_sound(screen, True)
    what = shows.rotation or shows.board
    messages.success(request, _("%(name)s is paired and shows %(board)s.") % {"name": screen, "board": what})
    return redirect("screens:screens")


@require_POST
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def change(request: HttpRequest, viewer: Viewer, screen_id: int) -> HttpResponseBase:
    """Rename a screen, let it show something else, be heard, or (administrators) show phone numbers."""
    screen = own_screen(viewer, screen_id)
    form = SettingsForm(screen, request.POST)
    if not form.is_valid():
        messages.error(request, _("Give the screen a name and one of your boards."))
        return page(request, viewer, settings=form)
    try:
        with stamps.saving(request, screen, SettingsForm.initial_of) as stored:
            apply(stored, form, may_allow_numbers=viewer.may(Person.Role.ADMINISTRATOR))
    except stamps.Changed as changed:
        messages.error(request, str(changed))
        form.stamp = changed.stamp
        return page(request, viewer, settings=form, status=409)
    messages.success(request, _("Saved."))
    return redirect("screens:screens")


def apply(screen: Screen, form: SettingsForm, *, may_allow_numbers: bool) -> None:
    """Change what differs from the screen as it is."""
    values, shows = form.cleaned_data, form.shows
    if values["name"] != screen.name:
        screens.rename(screen, values["name"])
    if values["has_sound"] != screen.has_sound:
        screens.set_sound(screen, values["has_sound"])
    if values["language"] != screen.language:
        screens.set_language(screen, values["language"])
    # A supervisor's form lacks this box: left out must not mean taken away.
    if may_allow_numbers and values["has_numbers"] != screen.shows_numbers:
        screens.allow_numbers(screen, values["has_numbers"])
    if (shows.rotation, shows.board) != (screen.rotation, screen.board):
        screens.set_content(screen, shows.board, shows.rotation)


@require_POST
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def order(request: HttpRequest, viewer: Viewer, screen_id: int, what: str) -> HttpResponseBase:
    """Let the TV load its page again, or show its name large so that it is found."""
    screen = own_screen(viewer, screen_id)
    if screens.send_order(screen, what):
        text = _("%(name)s shows its name for ten seconds.") if what == "flash" else _("%(name)s loads its page again.")
        messages.success(request, text % {"name": screen.name})
    else:
        messages.error(request, _("The TV could not be told. Try again in a moment."))
    return redirect("screens:screens")


@require_POST
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def revoke(request: HttpRequest, viewer: Viewer, screen_id: int) -> HttpResponseBase:
    """End a screen's right to look."""
    screen = own_screen(viewer, screen_id)
    screens.revoke(screen)
    messages.success(request, _("%(name)s may not look any more.") % {"name": screen.name})
    return redirect("screens:screens")


def own_screen(viewer: Viewer, screen_id: int) -> Screen:
    """The viewer's company's screen. Raises Http404."""
    live = Screen.objects.filter(revoked_at=None).select_related("board", "domain", "rotation")
    return get_object_or_404(live, pk=screen_id, domain_id=viewer.domain_id)
