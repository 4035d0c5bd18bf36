"""CSV that a spreadsheet opens as text and figures."""

import csv

import pytest

from wallboard.calls import exports


@pytest.mark.parametrize("text", ["+49 30 901820", "=1+1", "-1", "@SUM(A1)", "\t=1", "  =1", "|calc", "%0"])
def test_what_a_spreadsheet_would_calculate_is_marked_as_text(text: str) -> None:
    assert exports.cell(text) == f"'{text}"


@pytest.mark.parametrize(("value", "text"), [("Ana", "Ana"), (-3, "-3"), (2.5, "2.5"), (None, ""), ("", "")])
def test_everything_else_stays_as_it_is(value: object, text: str) -> None:
    assert exports.cell(value) == text


def test_quotes_commas_and_line_ends_survive() -> None:
    row = ['say "hi"', "a,b", "two\nlines"]

    assert list(csv.reader([exports.lines([row])])) != []
    assert next(iter(csv.reader(exports.lines([row]).splitlines(keepends=True)))) == row
