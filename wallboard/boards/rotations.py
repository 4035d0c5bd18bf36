"""Rotations: boards that a screen shows one after the other. Changed, kept and told in one place."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import Q

from accounts import audit
from accounts.models import Domain
from wallboard.boards.models import Board, Rotation, Screen, Step
from wallboard.live import control

MOST_STEPS = 12  # a screen follows a feed for each of them
SHORTEST_SECONDS, LONGEST_SECONDS, USUAL_SECONDS = 5, 3600, 30


@dataclass(frozen=True)
class Wish:
    """A rotation as somebody wants it: its name, and (board, seconds) in order."""

    name: str
    steps: tuple[tuple[Board, int], ...]


class BadRotation(ValueError):
    """The rotation cannot be kept; the text says why."""


def listed(domain: Domain) -> list[Rotation]:
    """The company's rotations with their steps, by name."""
    return list(domain.rotations.prefetch_related("steps__board"))


def save(domain: Domain, wish: Wish, rotation: Rotation | None = None) -> Rotation:
    """Make a rotation or change one; screens that show it follow within seconds, and begin with its first board.

    Raises BadRotation.
    """
    check(domain, wish.steps)
    with transaction.atomic():
        is_new = rotation is None
        rotation = rotation or Rotation(domain=domain)
        before = {} if is_new else {"name": rotation.name, "steps": described(of(rotation))}
        rotation.name = wish.name
        rotation.save()
        rotation.steps.all().delete()
        Step.objects.bulk_create(
            Step(rotation=rotation, board=board, place=place, seconds=seconds)
            for place, (board, seconds) in enumerate(wish.steps)
        )
        changes = audit.differences(before, {"name": wish.name, "steps": described(wish.steps)})
        audit.note(domain.pk, "rotation made" if is_new else "rotation changed", wish.name, changes)
        rotation.screens.update(board=wish.steps[0][0])
        close_screens(rotation)
    return rotation


def check(domain: Domain, steps: Sequence[tuple[Board, int]]) -> None:
    """Whether these steps can be shown. Raises BadRotation."""
    if not 1 <= len(steps) <= MOST_STEPS:
        raise BadRotation(f"a rotation has 1 to {MOST_STEPS} boards")
    for board, seconds in steps:
        if board.domain_id != domain.pk:
            raise BadRotation("a rotation shows boards of its own company only")
        if not SHORTEST_SECONDS <= seconds <= LONGEST_SECONDS:
            raise BadRotation(f"a board stays {SHORTEST_SECONDS} to {LONGEST_SECONDS} seconds")


def remove(rotation: Rotation) -> None:
    """Forget a rotation; screens that showed it go on with the board that it began with."""
    with transaction.atomic():
        audit.note(rotation.domain_id, "rotation removed", rotation.name)
        close_screens(rotation)
        rotation.delete()


def close_screens(rotation: Rotation) -> None:
    """Let the screens of this rotation come back with what it is after the commit."""
    for screen_id in rotation.screens.filter(revoked_at=None).values_list("pk", flat=True):
        transaction.on_commit(partial(control.close_screen, screen_id), robust=True)


def showing(board: Board) -> list[str]:
    """The names of the live screens and of the rotations that show this board."""
    screens = Screen.objects.filter(Q(board=board) | Q(rotation__steps__board=board), revoked_at=None)
    cycles = Rotation.objects.filter(steps__board=board)
    return sorted({*screens.values_list("name", flat=True), *cycles.values_list("name", flat=True)})


def of(rotation: Rotation) -> list[tuple[Board, int]]:
    """Its boards with their seconds, in order."""
    return [(step.board, step.seconds) for step in rotation.steps.select_related("board", "board__domain")]


def shown_by(screen: Screen) -> list[tuple[Board, int]]:
    """What a screen shows: the steps of its rotation, or for ever its board (then the seconds are 0)."""
    steps = of(screen.rotation) if screen.rotation is not None else []
    return steps or [(screen.board, 0)]


def described(steps: Sequence[tuple[Board, int]]) -> str:
    """The steps in a line, for the audit log."""
    return ", ".join(f"{board.slug} {seconds} s" for board, seconds in steps)
