"""Routes, boards, rotations and TVs of a document: what leads to people and screens."""

from datetime import time
from typing import Any

from django.utils.translation import gettext as _

from accounts import people, validators
from accounts.languages.lists import listed
from accounts.models import Domain, Person, Team
from wallboard.alerts.kinds import KINDS
from wallboard.alerts.models import LEVEL
from wallboard.boards import editing as boards
from wallboard.boards import layout as layouts
from wallboard.boards import time_zones
from wallboard.boards.editing import BoardInput
from wallboard.boards.models import Board
from wallboard.configuration import document as d
from wallboard.configuration.places import Place, Wrong, only_one
from wallboard.notifications import destinations, routes
from wallboard.notifications.models import Destination, Route, Step
from wallboard.notifications.routes import StepInput
from wallboard.queues.models import Queue
from wallboard.screens import rotations, screens
from wallboard.screens.models import Rotation, Screen
from wallboard.screens.rotations import RotationInput


def set_routes(domain: Domain, wanted: list[d.RouteSettings], present: list[d.RouteSettings], place: Place) -> None:
    """Routes by their name; of destinations those that the company has."""
    for each in place.changed_by_name(wanted, present):
        if unknown := set(each.kinds or ()) - {*KINDS, LEVEL}:
            raise Wrong(_("There is no such kind of alert: %(name)s.") % {"name": listed(sorted(unknown))})
        if (each.from_time is None) != (each.until_time is None):
            raise Wrong(_("Say both times or none."))
        stored = Route.objects.filter(domain=domain, name=each.name).order_by("pk").first()
        known_queues(domain, each.queues, stored.queues if stored else None)
        values: dict[str, Any] = {
            name: getattr(each, name)
            for name in ("name", "is_enabled", "kinds", "queues", "groups", "level", "days", "repeat_seconds")
        }
        values |= {"tells_resolved": each.tells_resolved}
        values |= {"from_time": _time(each.from_time), "until_time": _time(each.until_time)}
        routes.save(domain, values, _steps(domain, each, stored, place), stored)


def _time(text: str | None) -> time | None:
    return None if text is None else time.fromisoformat(text)


def _steps(domain: Domain, wanted: d.RouteSettings, stored: Route | None, place: Place) -> list[StepInput]:
    before = list(stored.steps.all()) if stored else []
    return [
        StepInput(
            each.after_seconds,
            [person(domain, extension) for extension in each.people],
            [team_named(domain, name) for name in each.teams],
            _destinations(domain, each.destinations, before[index] if index < len(before) else None, place),
        )
        for index, each in enumerate(wanted.steps)
    ]


def _destinations(domain: Domain, names: list[str] | None, stored: Step | None, place: Place) -> list[Destination]:
    """The company's destinations of these names; the step's own of people stay, and all of them without names."""
    kept = list(stored.destinations.all()) if stored else []
    if names is None:
        return kept
    known = {each.name: each for each in destinations.of_company(domain)}
    if set(names) - set(known):
        place.leave_out()
    return [*(each for each in kept if each.person_id), *(known[name] for name in names if name in known)]


def person(domain: Domain, extension: str) -> Person:
    """The person with this extension, in whatever digits, made when it is new. Raises Wrong for what can be none,
    however odd a provider's are.
    """
    if not extension.isprintable() or " " in extension:
        raise Wrong(f"“{extension}”: {validators.WRONG_EXTENSION}")
    return people.get_or_create(domain, people.extension_meant(domain, extension))


def known_queues(domain: Domain, numbers: list[str] | None, before: list[str] | None) -> None:
    """Raises Wrong where one of these queues is not there, unless it stood here before and was removed since."""
    known = Queue.objects.filter(domain=domain, number__in=numbers or ()).values_list("number", flat=True)
    if unknown := sorted(set(numbers or ()) - {*known, *(before or ())}):
        raise Wrong(_("There is no queue “%(name)s”.") % {"name": unknown[0]})


def team_named(domain: Domain, name: str) -> Team:
    """The team of that name. Raises Wrong."""
    team = Team.objects.filter(domain=domain, name=name).first()
    if team is None:
        raise Wrong(_("There is no team “%(name)s”.") % {"name": name})
    return team


def set_boards(domain: Domain, wanted: list[d.BoardSettings], present: list[d.BoardSettings], place: Place) -> None:
    """Boards by the last part of their address; pictures on cards stay."""
    for each in place.changed(wanted, present):
        if each.slug in boards.RESERVED:
            raise Wrong(_("No board can have this address."))
        stored = Board.objects.filter(domain=domain, slug=each.slug).first()
        layout = layouts.parse(_with_pictures(each.layout, stored.layout if stored else {}))
        if each.language:
            validators.language(each.language)
        zone = time_zones.parse_zone(each.time_zone)
        board_input = BoardInput(each.name, each.theme, each.notice, layout, zone, each.language)
        if stored is None:
            boards.create(domain, board_input, each.slug)
        else:
            boards.update(stored, board_input)


def _with_pictures(layout: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Each card with the picture that it has: no document names one."""
    if not isinstance(layout.get("cards"), list):
        return layout
    pictures = {card["id"]: card["image"] for card in before.get("cards", ()) if "image" in card}
    return {
        **layout,
        "cards": [
            {**card, "image": pictures.get(card["id"])}
            if isinstance(card, dict) and isinstance(card.get("id"), str) and "image" in card
            else card
            for card in layout["cards"]
        ],
    }


def set_rotations(
    domain: Domain, wanted: list[d.RotationSettings], present: list[d.RotationSettings], place: Place
) -> None:
    """Rotations by their name."""
    for each in place.changed_by_name(wanted, present):
        known = {board.slug: board for board in Board.objects.filter(domain=domain).select_related("domain")}
        if unknown := sorted({step.board for step in each.steps} - set(known)):
            raise Wrong(_("There is no board “%(name)s”.") % {"name": unknown[0]})
        stored = Rotation.objects.filter(domain=domain, name=each.name).order_by("pk").first()
        steps = tuple((known[step.board], step.seconds) for step in each.steps)
        rotations.save(domain, RotationInput(each.name, steps), stored)


def set_screens(domain: Domain, wanted: list[d.ScreenSettings], present: list[d.ScreenSettings], place: Place) -> None:
    """TVs by their name, those that are paired."""
    for each in place.changed(wanted, present):
        board = Board.objects.filter(domain=domain, slug=each.board).select_related("domain").first()
        if board is None:
            raise Wrong(_("There is no board “%(name)s”.") % {"name": each.board})
        rotation = Rotation.objects.filter(domain=domain, name=each.rotation).order_by("pk").first()
        if each.rotation is not None and rotation is None:
            raise Wrong(_("There is no rotation “%(name)s”.") % {"name": each.rotation})
        if each.language:
            validators.language(each.language)
        screen = next((known for known in screens.active_screens(domain) if known.name == each.name), None)
        if screen is None:
            place.leave_out()
        else:
            only_one(each.name, wanted, present)
            _set_screen(screen, each, board, rotation)


def _set_screen(screen: Screen, wanted: d.ScreenSettings, board: Board, rotation: Rotation | None) -> None:
    if (screen.board, screen.rotation) != (board, rotation):
        screens.set_content(screen, board, rotation)
    if screen.language != wanted.language:
        screens.set_language(screen, wanted.language)
    if screen.has_sound != wanted.has_sound:
        screens.set_sound(screen, wanted.has_sound)
    if screen.shows_numbers != wanted.shows_numbers:
        screens.allow_numbers(screen, wanted.shows_numbers)
