"""Rotations: boards that a screen shows one after the other; the one place that changes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.db import transaction

from accounts import audit
from accounts.models import Domain
from accounts.signin import rights
from wallboard.boards.models import Board
from wallboard.live import control
from wallboard.screens.models import Rotation, Screen, Step

MAX_STEPS = 12  # a screen follows a feed for each of them
MIN_SECONDS, MAX_SECONDS, DEFAULT_SECONDS = 5, 3600, 30


@dataclass(frozen=True)
class RotationInput:
    """All that can be changed about a rotation: its name, and (board, seconds) in order."""

    name: str
    steps: tuple[tuple[Board, int], ...]


class BadRotation(ValueError):
    """The rotation cannot be saved; the text says why."""


def all_rotations(domain: Domain) -> list[Rotation]:
    """The company's rotations with their steps, by name."""
    return list(domain.rotations.prefetch_related("steps__board"))


def save(domain: Domain, rotation_input: RotationInput, rotation: Rotation | None = None) -> Rotation:
    """Make a rotation or change one; screens that show it follow within seconds, and begin with its first board.

    Raises BadRotation.
    """
    check(domain, rotation_input.steps)
    with transaction.atomic():
        is_new = rotation is None
        rotation = rotation or Rotation(domain=domain)
        before = {} if is_new else {"name": rotation.name, "steps": steps_text(steps_of(rotation))}
        rotation.name = rotation_input.name
        rotation.save()
        rotation.steps.all().delete()
        Step.objects.bulk_create(
            Step(rotation=rotation, board=board, place=place, seconds=seconds)
            for place, (board, seconds) in enumerate(rotation_input.steps)
        )
        changes = audit.differences(before, {"name": rotation_input.name, "steps": steps_text(rotation_input.steps)})
        audit.log(domain.pk, "rotation made" if is_new else "rotation changed", rotation_input.name, changes)
        rotation.screens.update(board=rotation_input.steps[0][0])
        reconnect_screens(rotation)
    return rotation


def check(domain: Domain, steps: Sequence[tuple[Board, int]]) -> None:
    """Whether these steps can be shown. Raises BadRotation."""
    if not 1 <= len(steps) <= MAX_STEPS:
        raise BadRotation(f"a rotation has 1 to {MAX_STEPS} boards")
    for board, seconds in steps:
        if board.domain_id != domain.pk:
            raise BadRotation("a rotation shows boards of its own company only")
        if not MIN_SECONDS <= seconds <= MAX_SECONDS:
            raise BadRotation(f"a board stays {MIN_SECONDS} to {MAX_SECONDS} seconds")


def delete(rotation: Rotation) -> None:
    """Delete a rotation; screens that showed it go on with the board that it began with."""
    with transaction.atomic():
        # Screens first: once the rotation is gone nobody knows which ones showed it.
        audit.log(rotation.domain_id, "rotation removed", rotation.name)
        reconnect_screens(rotation)
        rotation.delete()


def reconnect_screens(rotation: Rotation) -> None:
    """Make the screens of this rotation connect again after the commit."""
    ids = list(rotation.screens.filter(revoked_at=None).values_list("pk", flat=True))
    for screen_id in ids:
        rights.changed(screen_id=screen_id)
    transaction.on_commit(partial(_close_all, ids), robust=True)


def _close_all(screen_ids: list[int]) -> None:
    # Where Redis does not answer the first, it is not asked for the rest: each would hold the request for a second.
    all(map(control.close_screen, screen_ids))


def steps_of(rotation: Rotation) -> list[tuple[Board, int]]:
    """Its boards with their seconds, in order."""
    return [(step.board, step.seconds) for step in rotation.steps.select_related("board", "board__domain")]


def screen_steps(screen: Screen) -> list[tuple[Board, int]]:
    """What a screen shows: the steps of its rotation, or for ever its board (then the seconds are 0)."""
    steps = steps_of(screen.rotation) if screen.rotation is not None else []
    return steps or [(screen.board, 0)]


def steps_text(steps: Sequence[tuple[Board, int]]) -> str:
    """The steps in a line, for the audit log."""
    return ", ".join(f"{board.slug} {seconds} s" for board, seconds in steps)
