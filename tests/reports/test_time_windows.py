"""Figures over a window of time: of single queues where calls show their queue, also after days without any call."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from accounts.models import Domain
from tests.reports.test_day_figures import leg, sample
from wallboard.calibration import findings
from wallboard.queues.models import Queue
from wallboard.reports import day_figures, time_windows
from wallboard.reports.period_parts import Period

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


@pytest.mark.parametrize(("seconds", "minutes"), [(29, 0), (45, 1), (59, 1)])
def test_a_card_has_as_many_minutes_as_the_report(domain: Domain, seconds: int, minutes: int) -> None:
    domain.time_zone = "Europe/Berlin"
    domain.save()
    queue = Queue.objects.create(domain=domain, number="501")
    sample(queue, FRIDAY, late=seconds, nobody=seconds)
    today = Period(FRIDAY.date(), FRIDAY.date(), ZoneInfo("Europe/Berlin"))

    found = [
        time_windows.window_figure(domain, figure, "today", ("501",), FRIDAY + timedelta(minutes=5)).number
        for figure in ("late_minutes", "nobody_minutes")
    ]
    [row] = day_figures.by_queue(domain, today)

    assert found == [row.late_minutes, row.nobody_minutes] == [minutes, minutes]
