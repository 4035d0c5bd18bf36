"""CSV that a spreadsheet opens as figures and text, never as formulas."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import TextIO

FORMULA = "=+\\-@|%\uff1d\uff0b\uff0d\uff20"  # the last four are full-width forms, which are calculated too
BEGINS = re.compile(rf"^(?=[\t\r\n]|\s*[{FORMULA}])")
# Where lists are separated by semicolons, a spreadsheet does not take the quotes around a cell for quotes: it goes on
# cutting at semicolons, tabs and line ends within it.
SEPARATORS = frozenset(";\t\r\n")
# From where it begins only, so that a note of thousands of empty lines is looked through once.
BEFORE_FORMULA = re.compile(rf"(?<![;\s\"])[;\s\"]+(?=[{FORMULA}])")
MARK = "\ufeff"  # tells spreadsheets that the text is UTF-8


def cell(value: object) -> str:
    """One cell as text; what a spreadsheet would calculate, such as +49 30…, gets an apostrophe in front.

    That holds for the beginning of the cell and for each piece of it that a separator would make a cell of its own.
    """
    if value is None:
        return ""
    text = str(value)
    # The minus of a negative figure begins no formula.
    if isinstance(value, int | float):
        return text
    return BEGINS.sub("'", BEFORE_FORMULA.sub(_marked, text))


def _marked(found: re.Match[str]) -> str:
    return found[0] if SEPARATORS.isdisjoint(found[0]) else f"{found[0]}'"


def write(rows: Iterable[Sequence[object]], out: TextIO) -> None:
    """Write the rows as CSV text (RFC 4180)."""
    csv.writer(out).writerows([cell(value) for value in row] for row in rows)


def lines(rows: Iterable[Sequence[object]]) -> str:
    """The rows as CSV text."""
    buffer = StringIO(newline="")
    write(rows, buffer)
    return buffer.getvalue()


def with_words(rows: Iterable[Sequence[object]], words: Sequence[str]) -> Iterator[Sequence[object]]:
    """The rows with these cells at the end of the first one, the head."""
    for index, row in enumerate(rows):
        yield row if index else [*row, *words]
