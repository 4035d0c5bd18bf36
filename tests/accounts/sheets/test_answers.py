"""Sheets as answers: small ones in one piece, large ones in pieces that no process holds together."""

import tracemalloc
from collections.abc import Iterator

import pytest

from accounts.sheets import answers
from accounts.sheets.progress import CHUNK
from tests.harness.sheets import of_csv

ROWS = 30_000


def many(number: int) -> Iterator[tuple[object, ...]]:
    yield ("extension", "name", "answered", "note")
    for each in range(number):
        yield (str(each), f"Person number {each} of the company", each, "+49 30 901820")


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_large_sheet_takes_no_more_memory_than_a_part_of_it(kind: str) -> None:
    def peak(number: int) -> int:
        tracemalloc.reset_peak()
        answer = answers.download(kind, many(number), "people", "24")
        sum(map(len, answer))
        if isinstance(answer, answers.FileAnswer):
            answer.file.close()
        return tracemalloc.get_traced_memory()[1]

    tracemalloc.start()
    try:
        peak(100)
        assert peak(ROWS) < 6 * 2**20
    finally:
        tracemalloc.stop()


async def test_the_async_stack_gets_the_same_pieces() -> None:
    answer = answers.download("csv", many(ROWS), "people", "24")

    assert isinstance(answer, answers.FileAnswer)
    pieces = [piece async for piece in answer]
    assert len(of_csv(b"".join(pieces))) == ROWS + 1
    assert max(map(len, pieces)) <= CHUNK
    assert int(answer["Content-Length"]) == sum(map(len, pieces))
    answer.file.close()


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_name_has_the_ending_of_its_kind(kind: str) -> None:
    answer = answers.download(kind, many(1), "people", "24")

    assert answer["Content-Disposition"] == f'attachment; filename="people.{kind}"'
    assert answer["Cache-Control"] == "no-store"
    assert answer["Content-Type"] == answers.TYPES[kind]


def test_a_sheet_that_fails_leaves_nothing_open() -> None:
    def broken() -> Iterator[tuple[object, ...]]:
        yield ("name",)
        raise LookupError

    with pytest.raises(LookupError):
        answers.download("csv", broken(), "people", "24")


@pytest.mark.parametrize(("asked", "kind"), [("csv", "csv"), ("xlsx", "xlsx"), ("exe", ""), ("", "")])
def test_only_known_kinds_are_asked_for(asked: str, kind: str) -> None:
    assert answers.kind_of({"as": asked}) == kind
