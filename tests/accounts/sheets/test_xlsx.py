"""XLSX: real numbers, moments and lengths; texts that stay texts; as many rows as there are."""

from datetime import UTC, date, datetime, time, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook

from accounts.sheets import xlsx
from accounts.sheets.cells import TIME, Lasting, stamp
from tests.harness.sheets import of_xlsx
from tests.security.hostile import CORPUS, LONG

BERLIN = ZoneInfo("Europe/Berlin")
BREAKING_OUT = '<r></t></is></c><c r="B9"><f>1+1</f></c></r>'


def written(*rows: tuple[object, ...], clock: str = "24", words: tuple[str, ...] = ()) -> bytes:
    out = BytesIO()
    xlsx.write(rows, out, clock, words)
    return out.getvalue()


def only_cell(value: object, head: str = "head", clock: str = "24") -> Any:
    return of_xlsx(written((head,), (value,), clock=clock))[1][0]


@pytest.mark.parametrize("text", [*CORPUS, *LONG, "=1+1\x00\x07", "\x1b[2J", "_x003D_1+1", "\ufffe", BREAKING_OUT])
def test_a_text_is_a_text_and_stays_one(text: str) -> None:
    content = written(("name",), (text,))

    place = of_xlsx(content)[1][0]
    assert (place.data_type, place.quotePrefix) == ("inlineStr", True) or place.data_type == "s"
    assert place.quotePrefix
    assert b"<f>" not in b"".join(ZipFile(BytesIO(content)).read(name) for name in ZipFile(BytesIO(content)).namelist())


@pytest.mark.parametrize("text", ["+49 30 901820", "007", " x ", "two\nlines", BREAKING_OUT, "<b>&amp;"])
def test_a_text_reads_as_it_was_written(text: str) -> None:
    assert only_cell(text).value == text


@pytest.mark.parametrize(("clock", "shape"), [("24", "yyyy-mm-dd hh:mm:ss"), ("12", "yyyy-mm-dd h:mm:ss AM/PM")])
def test_a_moment_is_one_by_the_companys_clock(clock: str, shape: str) -> None:
    place = only_cell(stamp(datetime(2026, 7, 1, 22, 30, 5, tzinfo=UTC), BERLIN), clock=clock)

    assert (f"{place.value}", place.number_format) == ("2026-07-02 00:30:05", shape)


def test_a_day_and_a_time_of_day_are_such() -> None:
    assert only_cell(date(2026, 7, 1)).is_date
    assert only_cell(stamp(datetime(2026, 7, 1, 6, tzinfo=UTC), BERLIN, TIME)).value == time(8)


def test_seconds_are_a_length_and_the_head_says_so() -> None:
    head, (place, _) = of_xlsx(written((Lasting("talk s", "talk"),), (90_061,), words=("talk s: measured.",)))

    assert [each.value for each in head] == ["talk", "talk: measured."]
    assert (place.value, place.number_format) == (timedelta(seconds=90_061), "[h]:mm:ss")


@pytest.mark.parametrize(("value", "shape"), [(7, "0"), (-2, "0"), (2.5, "0.0")])
def test_numbers_are_numbers(value: float, shape: str) -> None:
    place = only_cell(value)

    assert (place.value, place.number_format) == (value, shape)


def test_what_is_too_much_for_a_sheet_goes_on_in_another() -> None:
    out = BytesIO()

    xlsx.write([("n",), *((each,) for each in range(5))], out, "24", most=3)

    pages = load_workbook(out).worksheets
    assert [[row[0] for row in page.values] for page in pages] == [["n", 0, 1], ["n", 2, 3], ["n", 4]]


def test_a_sheet_without_rows_has_its_head() -> None:
    assert [each.value for each in of_xlsx(written(("queue", "name")))[0]] == ["queue", "name"]
