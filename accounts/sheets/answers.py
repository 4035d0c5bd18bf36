"""Sheets as files that a browser saves: the same rows as CSV or as XLSX, with flat memory however many they are.

A page that shows how far the making is asks for it (`told=1`); all others get the file itself.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from io import TextIOWrapper
from tempfile import SpooledTemporaryFile
from typing import IO

from asgiref.sync import sync_to_async
from django.http import HttpResponse, StreamingHttpResponse

from accounts import csv_export
from accounts.sheets import xlsx
from accounts.sheets.progress import CHUNK, IN_MEMORY, ToldSheet

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
Rows = Iterable[Sequence[object]]


class FileAnswer(StreamingHttpResponse):
    """A file in pieces, for both of Django's stacks: on the async one it is read in threads, never as a whole."""

    def __init__(self, file: IO[bytes], **more: str) -> None:
        super().__init__(iter(lambda: file.read(CHUNK), b""), **more)
        self.file = file
        self._resource_closers.append(file.close)  # type: ignore[attr-defined]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while piece := await sync_to_async(self.file.read, thread_sensitive=False)(CHUNK):
            yield piece


def kind_of(asked: Mapping[str, str]) -> str:
    """The kind of sheet that is asked for (`as`): csv, xlsx, or nothing for the page itself."""
    return asked.get("as", "") if asked.get("as") in TYPES else ""


def wants_progress(asked: Mapping[str, str]) -> bool:
    """Whether the making is to be told while it goes on, as accounts.sheets.progress does."""
    return asked.get("told") == "1"


def write(kind: str, rows: Rows, out: IO[bytes], clock: str, words: Sequence[str] = ()) -> None:
    """Write the rows as that kind of file; `words` end the head, and `clock` (Domain.clock) is how times look."""
    if kind == "xlsx":
        xlsx.write(rows, out, clock, words)
        return
    text = TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
    try:
        text.write(csv_export.MARK)
        csv_export.write(csv_export.with_words(rows, words), text)
    finally:
        text.detach()


def download(
    kind: str,
    rows: Rows,
    name: str,
    clock: str,
    words: Sequence[str] = (),
    *,
    is_told: bool = False,
    reader: int | None = None,
) -> HttpResponse | FileAnswer | ToldSheet:
    """An answer that the browser saves under this name, which gets the ending of the kind; `reader` is whose user."""
    if is_told:
        about = {"name": f"{name}.{kind}", "type": TYPES[kind]}
        return ToldSheet(rows, lambda told, out: write(kind, told, out, clock, words), reader, **about)
    file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - the answer closes it
    try:
        write(kind, rows, file, clock, words)
        size = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    answer: HttpResponse | FileAnswer
    if size <= IN_MEMORY:  # in one piece
        with file:
            answer = HttpResponse(file.read(), content_type=TYPES[kind])
    else:
        answer = FileAnswer(file, content_type=TYPES[kind])
        answer["Content-Length"] = str(size)
    answer["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    answer["Cache-Control"] = "no-store"
    return answer
