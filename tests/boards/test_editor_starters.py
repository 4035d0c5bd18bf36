"""Every starter is a good board for any number of queues."""

import pytest

from wallboard.boards import layout
from wallboard.boards.cards.kinds import COLUMNS, KINDS
from wallboard.boards.starters import STARTERS

MANY = [str(number) for number in range(501, 541)]


@pytest.mark.parametrize("numbers", [[], ["501"], MANY[:6], MANY])
@pytest.mark.parametrize("name", STARTERS)
def test_a_starter_is_a_valid_layout(name: str, numbers: list[str]) -> None:
    made = STARTERS[name].layout(numbers)

    assert layout.parse(made.as_json()) == made


@pytest.mark.parametrize("name", [name for name in STARTERS if name not in ("automatic", "empty")])
def test_a_starter_fills_the_screen(name: str) -> None:
    made = STARTERS[name].layout(MANY)

    assert made.cards is not None
    assert sum(card.w * card.h for card in made.cards) == COLUMNS * made.rows


def test_a_starter_for_one_queue_needs_one() -> None:
    kinds = {card.kind for card in STARTERS["queue"].layout([]).cards or ()}

    assert "queue" not in kinds
    assert kinds <= set(KINDS)
