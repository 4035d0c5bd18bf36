"""What is said of a figure that rests on nothing, and the cells at the end of a sheet's head."""

import pytest

from accounts.sheets import answers
from tests.harness.sheets import of_csv
from wallboard.figures import words
from wallboard.figures.registry import FIGURES


def test_the_words_of_a_figure_are_its_own() -> None:
    told = words.plain(FIGURES["calls.talk"])

    assert (told.name, told.kind, told.window) == ("Talk", "measured", "one call")
    assert words.sentence(told).startswith("measured. From the answer to the end")
    assert words.sentence(told).endswith("From: the provider's call events, by the clock of their receipt.")


def test_the_head_of_a_sheet_ends_with_a_cell_for_each_figure() -> None:
    cells = words.head_cells({"talk s": "calls.talk"})

    answer = answers.download("csv", [("from", "talk s"), ("101", 9), ("102", 8)], "calls", "24", cells)

    rows = of_csv(b"".join(answer))
    assert rows[0][:2] == ["from", "talk s"]
    assert rows[0][2].startswith("talk s: measured. From the answer")
    assert rows[1:] == [["101", "9"], ["102", "8"]]


def test_without_words_a_sheet_is_as_it_was() -> None:
    answer = answers.download("csv", [("from", "talk s"), ("101", 9)], "calls", "24")

    assert b"".join(answer).decode("utf-8-sig") == "from,talk s\r\n101,9\r\n"
    assert not words.wants_words({"head": "plain"})
    assert words.wants_words({})


def test_a_figure_that_rests_on_calibration_is_never_told_without_it() -> None:
    with pytest.raises(AssertionError, match=r"reports\.longest"):
        words.head_cells({"longest wait in seconds": "reports.longest"})
