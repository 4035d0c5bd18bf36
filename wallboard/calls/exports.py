"""CSV that a spreadsheet opens as figures and text, never as formulas."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from django.http import HttpResponse

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
MARK = "\ufeff"  # tells spreadsheets that the text is UTF-8


def cell(value: object) -> str:
    """One cell as text; text that a spreadsheet would calculate, such as +49 30…, gets an apostrophe in front."""
    if value is None:
        return ""
    text = str(value)
    if isinstance(value, int | float):
        return text
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def lines(rows: Iterable[Sequence[object]]) -> str:
    """The rows as CSV text (RFC 4180)."""
    buffer = StringIO(newline="")
    csv.writer(buffer).writerows([cell(value) for value in row] for row in rows)
    return buffer.getvalue()


def download(rows: Iterable[Sequence[object]], name: str) -> HttpResponse:
    """An answer that the browser saves under this name."""
    response = HttpResponse(MARK + lines(rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response
