"""The wizard's steps about the floor: its queues, people, targets, and a TV. Each may be left for later."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts import people as accounts_people
from accounts.access import Viewer, person_of
from accounts.companies import addresses
from accounts.forms import NewPersonForm
from accounts.models import Domain, Person
from accounts.signin import joining
from wallboard.boards.default_board import ensure_default_board
from wallboard.boards.models import Board
from wallboard.queues import editing
from wallboard.queues.models import Target
from wallboard.queues.queue_table import queues_of
from wallboard.screens import pairing, screens
from wallboard.screens.forms import PairForm
from wallboard.setup.forms import FirstTargetForm, QueueNamesForm
from wallboard.setup.starting import steps

MOST_SHOWN = 50
Shown = HttpResponseBase | dict[str, Any]


def first_board(domain: Domain) -> Board:
    """The board to look at."""
    return ensure_default_board(domain)


def queues(request: HttpRequest, viewer: Viewer, domain: Domain) -> Shown:
    """The queues that the provider told of, each with the name that the floor uses."""
    known = queues_of(domain)
    form = QueueNamesForm(known, request.POST if request.method == "POST" else None)
    if known and form.is_bound and form.is_valid():
        for queue, name in form.names():
            if name != queue.name:
                editing.edit(queue, name=name)
        return _go_on("queues")
    return {"form": form if known else None, "is_refused": bool(known) and form.is_bound}


def people(request: HttpRequest, viewer: Viewer, domain: Domain) -> Shown:
    """Who is known: everybody of whom a call told, and who is added here."""
    form = NewPersonForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_bound and form.is_valid() and form.cleaned_data["extension"] != joining.LOCAL_EXTENSION:
        person = accounts_people.get_or_create(domain, form.cleaned_data["extension"], form.cleaned_data["name"])
        messages.success(request, _("%(person)s is saved.") % {"person": person})
        return redirect("setup:start_step", "people")
    known = Person.objects.filter(domain=domain).exclude(extension=joining.LOCAL_EXTENSION).order_by("extension")
    return {"form": form, "people": known[:MOST_SHOWN], "count": known.count(), "is_refused": form.is_bound}


def targets(request: HttpRequest, viewer: Viewer, domain: Domain) -> Shown:
    """From when on a queue is on watch or late, for all queues that get none of their own."""
    target = Target.objects.filter(domain=domain, queue=None).first()
    form = FirstTargetForm(target, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        kept = {name: getattr(target, name) for name in editing.TARGET_FIELDS} if target else {}
        editing.set_targets(domain, None, kept | form.cleaned_data)
        return _go_on("targets")
    return {"form": form, "is_refused": form.is_bound}


def tv(request: HttpRequest, viewer: Viewer, domain: Domain) -> Shown:
    """The code that a TV shows."""
    first_board(domain)
    form = PairForm(domain, request.POST if request.method == "POST" else None, prefix="pair")
    shown = {"form": form, "pair_address": addresses.in_sentence(f"{addresses.of(domain)}/pair/")}
    if not (form.is_bound and form.is_valid()):
        return shown | {"is_refused": form.is_bound}
    values, shows = form.cleaned_data, form.shows
    try:
        screen = pairing.accept(values["code"], shows.board, values["name"], person_of(viewer), shows.rotation)
    except pairing.WrongCode:
        form.add_error("code", _("No TV shows this code now. A code is good for ten minutes; look again."))
        return shown | {"is_refused": True}
    if values["has_sound"]:
        screens.set_sound(screen, True)
    what = shows.rotation or shows.board
    messages.success(request, _("%(name)s is paired and shows %(board)s.") % {"name": screen, "board": what})
    return _go_on("tv")


def _go_on(key: str) -> HttpResponseBase:
    return redirect("setup:start_step", steps.after(key))
