"""Figures over a window of time: of single queues where calls show their queue, also after days without any call."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from accounts.models import Domain
from tests.reports.test_day_figures import leg
from wallboard.calibration import findings
from wallboard.reports import time_windows

FRIDAY = datetime(2026, 3, 6, 16, 0, tzinfo=ZoneInfo("Europe/Berlin"))
MONDAY = datetime(2026, 3, 9, 8, 30, tzinfo=ZoneInfo("Europe/Berlin"))


def test_calls_show_their_queue_on_the_first_day_after_a_weekend(domain: Domain) -> None:
    leg(domain, "one", FRIDAY, queue="501", to_user="501")

    figure = time_windows.window_figure(domain, "unanswered", "today", ("501",), MONDAY)

    assert (figure.number, figure.is_known, figure.why) == (0, True, "")
    assert not time_windows.calls_name_queues(domain, FRIDAY + timedelta(days=15))


@pytest.mark.parametrize(("answer", "is_shown"), [("user", True), ("id", True), ("hidden", False)])
def test_what_calibration_is_certain_of_counts(domain: Domain, answer: str, is_shown: bool) -> None:
    findings.overrule(domain, "queue_legs", answer, None)

    assert time_windows.calls_name_queues(domain, MONDAY) == is_shown
