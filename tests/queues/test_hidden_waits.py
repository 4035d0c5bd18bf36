"""Waits that are no waits of now: kept, but neither shown nor held against targets."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Domain
from tests.queues.conftest import Read, row
from wallboard.queues import editing, samples
from wallboard.queues.models import Reading, Sample
from wallboard.reports import day_figures, time_windows
from wallboard.reports.period_parts import Period

WAITS = ("longest", "average")


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
    reading = Reading.objects.get()
    assert reading.figures["8001"] == [1, *shown, 4, 2, level]
    assert reading.raw is not None
    assert reading.raw["8001"][1:3] == [900, 400]


def test_no_sample_report_or_card_tells_a_wait_that_is_hidden(domain: Domain, read: Read) -> None:
    Domain.objects.filter(pk=domain.pk).update(hidden_waits="average longest")
    domain.refresh_from_db()
    read(row("8001", 1, 900, 400))
    now = timezone.now()

    with time_machine.travel(now + timedelta(minutes=2), tick=False):
        samples.roll(domain)
        sample = Sample.objects.filter(most_waiting__gt=0).first()
        figures = [time_windows.window_figure(domain, figure, "60", None, timezone.now()) for figure in WAITS]
        period = Period(now.date() - timedelta(days=1), now.date() + timedelta(days=1), ZoneInfo("UTC"))
        [line] = day_figures.by_queue(domain, period)

    assert sample is not None
    assert (sample.longest_wait_seconds, sample.average_wait_seconds) == (None, None)
    assert [(each.number, each.is_known) for each in figures] == [(None, False), (None, False)]
    assert (line.longest_wait_seconds, line.average_wait_seconds) == (None, None)


@pytest.mark.parametrize(
    ("period", "lately"), [("", (None, None)), ("longest", (900, None)), ("average longest", (900, 400))]
)
def test_a_wait_of_a_period_is_told_as_such_and_judged_by_nothing(
    domain: Domain, read: Read, period: str, lately: Any
) -> None:
    Domain.objects.filter(pk=domain.pk).update(hidden_waits="average longest", period_waits=period)
    domain.refresh_from_db()

    figures = read(row("8001", 0, 900, 400)).figures["8001"][1]

    assert (figures["longest_wait"], figures["average_wait"], figures["level"]) == (None, None, "normal")
    assert (figures.get("longest_lately"), figures.get("average_lately")) == lately
    assert ("average_lately" in figures) == ("average" in period)  # no byte of it where it says nothing


@pytest.mark.parametrize(
    ("hidden", "level", "reason"),
    [("", "late", "average_wait"), ("longest", "late", "average_wait"), ("average", "normal", "")],
)
def test_a_target_for_the_average_wait_judges_only_a_wait_of_now(
    domain: Domain, read: Read, hidden: str, level: str, reason: str
) -> None:
    editing.set_targets(domain, None, {"average_wait_watch_seconds": 60, "average_wait_late_seconds": 90})
    Domain.objects.filter(pk=domain.pk).update(hidden_waits=hidden)
    domain.refresh_from_db()

    figures = read(row("8001", 3, 200, 95)).figures["8001"][1]

    assert (figures["level"], figures["reason"]) == (level, reason)


def test_a_queue_is_normal_again_once_the_average_wait_is_below_its_target(domain: Domain, read: Read) -> None:
    editing.set_targets(domain, None, {"average_wait_watch_seconds": 60, "average_wait_late_seconds": 90})

    seen = [read(row("8001", 3, 200, average)).figures["8001"][1]["level"] for average in (95, 70, 59)]

    assert seen == ["late", "watch", "normal"]
