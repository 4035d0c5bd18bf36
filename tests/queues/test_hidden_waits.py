"""Waits that are no waits of now: kept, but neither shown nor held against targets."""

from typing import Any

import pytest

from accounts.models import Domain
from tests.queues.conftest import Read, row
from wallboard.queues.models import Reading


@pytest.mark.parametrize(
    ("hidden", "shown", "level"),
    [("", (900, 400), "late"), ("longest", (None, 400), "normal"), ("average longest", (None, None), "normal")],
)
def test_a_wait_that_is_none_of_now_is_not_shown_and_calls_nobody_but_is_kept(
    domain: Domain, read: Read, hidden: str, shown: Any, level: str
) -> None:
    Domain.objects.filter(pk=domain.pk).update(hidden_waits=hidden)
    domain.refresh_from_db()

    figures = read(row("8001", 1, 900, 400)).figures["8001"][1]

    assert (figures["longest_wait"], figures["average_wait"]) == shown
    assert figures["level"] == level
    assert Reading.objects.get().figures["8001"] == [1, 900, 400, 4, 2, level]
