"""CSV that a spreadsheet opens as text and figures."""

import csv

import pytest

from accounts import csv_export


@pytest.mark.parametrize(
    "text",
    ["+49 30 901820", "=1+1", "-1", "@SUM(A1)", "\tAna", "  =1", "|calc", "%0", "\u00a0=1", "\uff1d1+1"],
)
def test_what_a_spreadsheet_would_calculate_is_marked_as_text(text: str) -> None:
    assert csv_export.cell(text) == f"'{text}"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ana;=1+1", "Ana;'=1+1"),
        ("Ana\t=1+1", "Ana\t'=1+1"),
        ("Ana; +1", "Ana; '+1"),
        ('Ana;"@SUM(A1)', "Ana;\"'@SUM(A1)"),
        ("two\n-1", "two\n'-1"),
        ("\t=1", "'\t'=1"),
        ("=1;=2", "'=1;'=2"),
        ("Ana; Ben", "Ana; Ben"),
        ("2 + 2", "2 + 2"),
    ],
)
def test_so_is_what_becomes_a_cell_after_another_separator(text: str, kept: str) -> None:
    assert csv_export.cell(text) == kept


@pytest.mark.parametrize(("value", "text"), [("Ana", "Ana"), (-3, "-3"), (2.5, "2.5"), (None, ""), ("", "")])
def test_everything_else_stays_as_it_is(value: object, text: str) -> None:
    assert csv_export.cell(value) == text


def test_a_text_of_nothing_but_separators_takes_no_time() -> None:
    text = "-\n" + "\n" * 400_000 + "-"

    assert csv_export.cell(text) == f"'{text[:-1]}'-"


def test_quotes_commas_and_line_ends_survive() -> None:
    row = ['say "hi"', "a,b", "two\nlines"]

    assert list(csv.reader([csv_export.lines([row])])) != []
    assert next(iter(csv.reader(csv_export.lines([row]).splitlines(keepends=True)))) == row
