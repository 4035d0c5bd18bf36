"""Sheets as a spreadsheet program opens them, beside the same rows as CSV."""

import csv
from datetime import date, datetime, time, timedelta
from io import BytesIO, StringIO
from typing import Any

from openpyxl import load_workbook

from accounts.csv_export import cell


def of_csv(content: bytes) -> list[list[str]]:
    """The rows of a CSV file."""
    return list(csv.reader(StringIO(content.decode("utf-8-sig"), newline="")))


def of_xlsx(content: bytes) -> list[list[Any]]:
    """The cells of a file's first sheet; the head has been checked to stay in view."""
    book = load_workbook(BytesIO(content))
    page = book.worksheets[0]
    assert page.freeze_panes == "A2"
    return [list(row) for row in page.iter_rows()]


def differences(content: bytes, as_csv: bytes) -> list[str]:
    """Where the cells of an XLSX file say something else than those of the CSV, or are formulas."""
    rows, lines = of_xlsx(content), of_csv(as_csv)
    wrong = [] if len(rows) == len(lines) else [f"{len(rows)} rows, {len(lines)} lines"]
    for number, (row, line) in enumerate(zip(rows, lines, strict=False)):
        for place, text in zip(row, line, strict=False):
            if place.data_type == "f" or not (said(place) == text or (number == 0 and is_head(place.value, text))):
                wrong.append(f"{place.coordinate}: {place.value!r} is not {text!r}")
        wrong += [f"{place.coordinate} is too much" for place in row[len(line) :] if place.value is not None]
    return wrong


def is_head(name: str, text: str) -> bool:
    """Whether a head means this one of the CSV, which names seconds where a cell of XLSX is a length by itself."""
    ends = (" in seconds", " s", "")
    shorter = {text.removesuffix(end) for end in ends} | {text.replace(" s ", " ", 1)}
    words = text.replace(" in seconds:", ":", 1).replace(" s:", ":", 1).replace("median seconds", "median time", 1)
    return name in shorter | {words}


def said(place: Any) -> str:
    """What a cell says, as CSV writes it."""
    value, shape = place.value, place.number_format
    if value is None:
        return ""
    if isinstance(value, timedelta):
        assert shape == "[h]:mm:ss"
        seconds = round(value.total_seconds(), 3)
        return cell(int(seconds) if seconds.is_integer() else seconds)
    if isinstance(value, datetime) and "h" in shape:
        return f"{value:%Y-%m-%d %H:%M:%S}" if "ss" in shape else f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, time):
        return f"{value:%H:%M}"
    return f"{value:%Y-%m-%d}" if isinstance(value, date) else cell(value)
