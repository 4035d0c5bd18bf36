"""Layouts are read, checked and kept in one form."""

import pytest

from wallboard.boards import layout
from wallboard.boards.layout import BadLayout, Layout


@pytest.mark.parametrize("nothing", [None, {}, []])
def test_nothing_means_all_sections_and_all_queues(nothing: object) -> None:
    assert layout.read(nothing) == Layout(("totals", "queues", "people", "calls"), None)


def test_what_is_read_is_what_was_kept() -> None:
    chosen = Layout(("queues", "calls"), ("502", "501"))

    assert layout.read(chosen.as_json()) == chosen


def test_sections_stand_in_one_order_and_once() -> None:
    assert layout.read({"sections": ["calls", "totals", "calls"]}).sections == ("totals", "calls")


def test_queues_keep_their_order() -> None:
    assert layout.read({"queues": ["9", "1", "9"]}).queues == ("9", "1")


@pytest.mark.parametrize(
    "bad",
    [
        "text",
        {"sections": "queues"},
        {"sections": ["cellar"]},
        {"queues": [501]},
        {"queues": [""]},
        {"queues": ["1"] * 401},
    ],
)
def test_nonsense_is_refused(bad: object) -> None:
    with pytest.raises(BadLayout):
        layout.read(bad)
