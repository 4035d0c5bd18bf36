"""XLSX in which numbers, moments and lengths of time are what they are, and no text is ever a formula."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import IO, Any

from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from accounts.models import Domain
from accounts.sheets.cells import MINUTE, SECOND, TIME, Lasting, Stamp

MOST_ROWS = 1_048_576  # of one sheet, by the format; what is more goes on in another
MOST_CHARACTERS = 32_767  # of one cell
LENGTH, DAY = "[h]:mm:ss", "yyyy-mm-dd"
CLOCKS = {
    Domain.Clock.H24.value: {SECOND: "yyyy-mm-dd hh:mm:ss", MINUTE: "yyyy-mm-dd hh:mm", TIME: "hh:mm"},
    Domain.Clock.H12.value: {SECOND: "yyyy-mm-dd h:mm:ss AM/PM", MINUTE: "yyyy-mm-dd h:mm AM/PM", TIME: "h:mm AM/PM"},
}
NARROWEST, WIDEST = 8, 50  # columns, in characters
Row = Sequence[object]


class PlainSheet(Worksheet):  # type: ignore[misc]
    """A sheet whose texts are all escaped: the library takes those within <r> and </r> for markup of its own."""

    def _xml_rich_inline_string(self, string: str, attributes: Any = ()) -> None:
        self._xml_inline_string(string, True, attributes)


class Writer:
    """Writes rows to the sheets of one file, holding one of them at a time."""

    def __init__(self, book: Any, clock: str) -> None:
        self._book = book
        self._formats: dict[tuple[object, ...], Any] = {}
        self._clock = CLOCKS.get(clock, CLOCKS[Domain.Clock.H24.value])

    def sheet(self, head: Row, rows: Iterable[Row], words: Sequence[str]) -> None:
        """A sheet of these rows below their head, which stays in view and ends with `words`."""
        page = self._book.add_worksheet(worksheet_class=PlainSheet)
        page.freeze_panes(1, 0)
        page.ignore_errors({"number_stored_as_text": f"A1:XFD{MOST_ROWS}"})  # extensions are texts
        renamed = {f"{each}: ": f"{each.name}: " for each in head if isinstance(each, Lasting)}
        titles = [each.name if isinstance(each, Lasting) else each for each in head]
        told = [next((new + each[len(old) :] for old, new in renamed.items() if each.startswith(old)), each)
                for each in words]  # fmt: skip
        for column, each in enumerate([*titles, *told]):
            self._text(page, 0, column, str(each), bold=True)
        widths = [len(str(each)) for each in titles]
        for number, row in enumerate(rows, 1):
            for column, value in enumerate(row):
                is_length = column < len(head) and isinstance(head[column], Lasting)
                self._cell(page, number, column, value, is_length=is_length)
                if column < len(widths):
                    widths[column] = max(widths[column], len(str(value)))
        for column, width in enumerate(widths):
            page.set_column(column, column, min(max(width + 2, NARROWEST), WIDEST))

    def _cell(self, page: Any, row: int, column: int, value: object, *, is_length: bool) -> None:
        if value is None or value == "":
            return
        if isinstance(value, int | float):
            number = value / timedelta(days=1).total_seconds() if is_length else value
            shape = LENGTH if is_length else "0" if isinstance(value, int) else "0.0"
            page.write_number(row, column, number, self._format(num_format=shape))
        elif isinstance(value, Stamp):
            page.write_datetime(row, column, value.at, self._format(num_format=self._clock[value.pattern]))
        elif isinstance(value, date):
            page.write_datetime(row, column, value, self._format(num_format=DAY))
        else:
            self._text(page, row, column, str(value))

    def _text(self, page: Any, row: int, column: int, text: str, **more: object) -> None:
        # Marked as a text: somebody who opens the cell for editing and leaves it makes no formula of it either.
        page.write_string(row, column, text[:MOST_CHARACTERS], self._format(quote_prefix=True, **more))

    def _format(self, **properties: object) -> Any:
        key = tuple(properties.items())
        if key not in self._formats:
            self._formats[key] = self._book.add_format(properties)
        return self._formats[key]


def write(rows: Iterable[Row], out: IO[bytes], clock: str, words: Sequence[str] = (), most: int = MOST_ROWS) -> None:
    """Write the rows, of which the first is the head; times of day as `clock` (Domain.clock) writes them."""
    left = iter(rows)
    head = next(left, ())
    with Workbook(out, {"constant_memory": True}) as book:
        writer = Writer(book, clock)
        for part in _parts(left, most - 1):
            writer.sheet(head, part, words)
        if not book.worksheets():
            writer.sheet(head, (), words)


def _parts(rows: Iterator[Row], size: int) -> Iterator[Iterator[Row]]:
    for first in rows:
        yield _with(first, islice(rows, size - 1))


def _with(first: Row, others: Iterator[Row]) -> Iterator[Row]:
    yield first
    yield from others
