"""Work for several companies in one piece: where it fails, nobody pays for another one's fault."""

import logging

import pytest

from accounts.spreading import companies


def test_a_crowd_is_worked_on_in_pieces_of_at_most_so_many() -> None:
    done: list[list[int]] = []

    companies.together("roll", 20, done.append, range(1, 8), 3)

    assert done == [[1, 2, 3], [4, 5, 6], [7]]


def test_of_a_piece_that_fails_each_goes_on_by_itself(caplog: pytest.LogCaptureFixture) -> None:
    done: list[int] = []

    def work(domain_ids: list[int]) -> None:
        if 2 in domain_ids:
            raise ValueError("the figures of 2 cannot be read")
        done.extend(domain_ids)

    with caplog.at_level(logging.WARNING):
        companies.together("roll", 20, work, [1, 2, 3], 8)

    assert done == [1, 3]
    assert [each.getMessage() for each in caplog.records] == [
        "roll: 3 together failed (ValueError); each goes on by itself",
        "roll failed for 2",
    ]
