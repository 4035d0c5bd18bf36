"""Sheets as files that a browser saves: the same rows as CSV or as XLSX, with flat memory however many they are."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from io import TextIOWrapper
from tempfile import SpooledTemporaryFile
from typing import IO

from asgiref.sync import sync_to_async
from django.http import HttpResponse, StreamingHttpResponse

from accounts import csv_export
from accounts.sheets import xlsx

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
IN_MEMORY = 2**20  # a smaller sheet goes out in one piece
CHUNK = 2**16
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


def write(kind: str, rows: Rows, out: IO[bytes], clock: str, words: Sequence[str] = ()) -> None:
    """Write the rows as that kind of file; `words` end the head, and `clock` (Domain.clock) is how times look."""
    if kind == "xlsx":
        xlsx.write(rows, out, clock, words)
        return
    text = TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
    text.write(csv_export.MARK)
    csv_export.write(csv_export.with_words(rows, words), text)
    text.detach()


def download(kind: str, rows: Rows, name: str, clock: str, words: Sequence[str] = ()) -> HttpResponse | FileAnswer:
    """An answer that the browser saves under this name, which gets the ending of the kind."""
    file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - the answer closes it
    try:
        write(kind, rows, file, clock, words)
        size = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    answer: HttpResponse | FileAnswer
    if size <= IN_MEMORY:
        with file:
            answer = HttpResponse(file.read(), content_type=TYPES[kind])
    else:
        answer = FileAnswer(file, content_type=TYPES[kind])
        answer["Content-Length"] = str(size)
    answer["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    answer["Cache-Control"] = "no-store"
    return answer
