"""A TV that goes dark while people work is an alert; at night, after a restart, and one that was never on are none."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Domain
from wallboard.alerts import wording
from wallboard.alerts.models import Alert
from wallboard.boards.models import Board
from wallboard.queues.models import Hours
from wallboard.screens import screens, tasks
from wallboard.screens.models import Screen

CLOSED: list[Any] = [[]] * 6 + [[[0, 1]]]


@pytest.fixture
def screen(board: Board) -> Screen:
    made, _ = screens.create(board, "North wall")
    Screen.objects.update(seen_at=timezone.now())
    return made


def reported(domain: Domain, minutes: int) -> list[Alert]:
    """The open alerts after so many minutes of a report each."""
    began = timezone.now()
    for minute in range(minutes + 1):
        with time_machine.travel(began + timedelta(minutes=minute), tick=False):
            tasks.report_offline()
    return list(Alert.objects.filter(kind="screen", ended_at=None))


def test_a_tv_that_is_gone_calls_and_is_named(domain: Domain, screen: Screen) -> None:
    assert reported(domain, 6) == []

    [alert] = reported(domain, 8)
    assert (wording.title(alert), alert.subject) == ("TV is offline: North wall", str(screen.pk))

    Screen.objects.update(seen_at=timezone.now() + timedelta(minutes=9))
    assert reported(domain, 9) == []


def test_a_tv_that_is_off_at_night_calls_nobody(domain: Domain, screen: Screen) -> None:
    Hours.objects.create(domain=domain, week=CLOSED)
    assert reported(domain, 20) == []


def test_a_revoked_tv_and_one_that_was_never_on_are_not_missed(domain: Domain, screen: Screen) -> None:
    screens.create(screen.board, "Never opened")
    Screen.objects.filter(pk=screen.pk).update(revoked_at=timezone.now())
    assert reported(domain, 20) == []


def test_a_restart_of_everything_calls_nobody(domain: Domain, screen: Screen) -> None:
    Screen.objects.update(seen_at=timezone.now() - timedelta(hours=2))
    assert reported(domain, 1) == []
    Screen.objects.update(seen_at=timezone.now() + timedelta(minutes=2))
    assert reported(domain, 2) == []
