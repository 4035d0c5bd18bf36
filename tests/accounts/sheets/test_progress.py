"""A sheet whose making is told: lines of how many rows of how many, then the very file; nobody there ends it."""

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from accounts.sheets import answers, progress
from accounts.sheets.progress import Counted, ToldSheet
from tests.harness.sheets import of_csv, of_xlsx

ROWS = 300


def some(number: int = ROWS) -> Iterator[tuple[object, ...]]:
    yield ("extension", "name")
    for each in range(number):
        yield (str(each), f"Person {each}")


def told(rows: Any, kind: str = "csv") -> ToldSheet:
    answer = answers.download(kind, rows, "people", "24", is_told=True)
    assert isinstance(answer, ToldSheet)
    return answer


async def whole(answer: ToldSheet) -> tuple[list[dict[str, Any]], bytes]:
    """The lines, and what comes after the last one."""
    lines: list[dict[str, Any]] = []
    content = b"".join([piece async for piece in answer])
    while not lines or not {"bytes", "failed"} & lines[-1].keys():
        line, _end, content = content.partition(b"\n")
        lines.append(json.loads(line))
    answer.close()
    return lines, content


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
async def test_the_lines_end_with_the_file_itself(kind: str) -> None:
    lines, content = await whole(told(Counted(some(), ROWS), kind))

    assert lines[-1] == {"name": f"people.{kind}", "type": answers.TYPES[kind], "rows": ROWS, "bytes": len(content)}
    assert len(of_csv(content) if kind == "csv" else of_xlsx(content)) == ROWS + 1


async def test_lines_say_how_many_rows_of_how_many_while_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "TELL_SECONDS", 0.01)
    go_on = threading.Event()

    def slow() -> Iterator[tuple[object, ...]]:
        for row in some():
            if row[0] == "100":
                go_on.wait(10)
            yield row

    lines = []
    answer = told(Counted(slow(), ROWS))
    async for piece in answer:
        lines.append(json.loads(piece.partition(b"\n")[0]) if piece.startswith(b"{") else {})
        if lines[-1] == {"rows": 100, "of": ROWS}:
            go_on.set()

    assert {"rows": 100, "of": ROWS} in lines
    assert lines[-2]["rows"] == ROWS
    answer.close()


async def test_rows_that_do_not_know_their_number_yet_are_looked_for() -> None:
    lines, _content = await whole(told(some()))

    assert lines[0] == {"rows": 0, "of": None}


async def test_a_making_that_fails_says_so_and_gives_no_file() -> None:
    def broken() -> Iterator[tuple[object, ...]]:
        yield ("name",)
        raise LookupError

    lines, content = await whole(told(broken()))

    assert (lines[-1], content) == ({"failed": True}, b"")


async def test_a_reader_who_goes_ends_the_making(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "TELL_SECONDS", 0.01)
    answer = told(("name",) for _each in iter(int, 1))
    reading = aiter(answer)
    for _line in range(3):
        await anext(reading)
    was_making = answer.is_making

    await reading.aclose()  # type: ignore[attr-defined]
    answer.close()

    for _look in range(500):
        await asyncio.sleep(0.01)
        if not answer.is_making:
            break
    assert (was_making, answer.is_making) == (True, False)


@pytest.mark.django_db(transaction=True)
async def test_a_persons_second_sheet_waits_for_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "TELL_SECONDS", 0.01)
    is_over = threading.Event()

    def endless() -> Iterator[tuple[object, ...]]:
        while not is_over.wait(0.001):
            yield ("name",)

    sheets: list[Any] = [
        answers.download("csv", endless(), "calls", "24", is_told=True, reader=reader) for reader in (1, 1, 2)
    ]
    readings = [aiter(each) for each in sheets]

    async def is_making(number: int) -> bool:
        for _line in range(60):
            await asyncio.wait_for(anext(readings[number]), 5)
            if sheets[number].is_making:
                return True
        return False

    try:
        at_first = [await is_making(0), await is_making(2), await is_making(1)]
        await readings[0].aclose()
        assert (at_first, await is_making(1)) == ([True, True, False], True)
    finally:
        is_over.set()
        for reading in readings:
            await reading.aclose()


@pytest.mark.django_db  # the end of an answer is the end of a request
def test_without_a_loop_the_same_is_told_at_the_end() -> None:
    answer = told(some())
    line, _end, content = b"".join(answer).partition(b"\n")
    answer.close()

    assert json.loads(line)["bytes"] == len(content)
    assert len(of_csv(content)) == ROWS + 1
