"""What stands in the tables of a report by mail, and what only in the sheets beside it."""

import re
from datetime import timedelta

import pytest

from tests.harness.mail import MailServer
from tests.harness.sheets import of_xlsx
from tests.notifications.conftest import Work
from tests.reports.mails.test_choices import measured
from tests.reports.mails.test_making import MONDAY, parts_of, weekly
from tests.reports.test_day_figures import leg, sample
from wallboard.calibration import findings
from wallboard.calibration.locks import Ground
from wallboard.queues.models import Queue
from wallboard.reports.mails import content, making
from wallboard.reports.models import ReportMail
from wallboard.reports.service.by_queue import Levels, Row, Standing
from wallboard.reports.service_level import ServiceFigures

__all__ = ["weekly"]
pytestmark = pytest.mark.django_db


def figures_of(number: str, offered: int) -> ServiceFigures:
    return ServiceFigures(number, offered, 0, 0, 0, 0, offered, None)


def test_of_many_queues_the_worst_stand_in_the_mail_and_all_in_the_sheet(
    weekly: ReportMail, support: Queue, work: Work, mail_server: MailServer
) -> None:
    ReportMail.objects.update(parts=["queues"])
    others = [Queue(domain=weekly.domain, number=str(7000 + place), order=place - 99) for place in range(42)]
    Queue.objects.bulk_create(others)
    measured(support)
    for queue in others:
        sample(queue, MONDAY - timedelta(days=3, minutes=1))
    making.make_due(MONDAY)
    work()

    found = parts_of(mail_server.taken[0].letter)
    table = found["text/html"].get_content().partition(">Queues</h2>")[2]
    assert [number in table for number in ("7000", "7038", "7039", "Support")] == [True, True, False, True]
    assert "3 more rows stand in the sheet." in table
    assert len(list(of_xlsx(found["queue-totals-2026-03-02-2026-03-08.xlsx"].get_content()))) == 1 + 43


def test_all_of_the_queues_stay_in_the_table_of_the_service_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MOST_LINES", 2)
    queues = [Queue(pk=place + 1, number=str(place)) for place in range(3)]
    rows: list[Row] = [(queue, figures_of(queue.number, 10 + queue.pk), Standing()) for queue in queues]
    levels = Levels(Ground([], {}, []), [*rows, (None, figures_of("", 36), Standing())])

    told = content.tables({"totals": [], "service": levels})["service"]

    assert ([str(queue) for queue, *_rest in told.rows], told.left_out) == (["1", "2", "None"], 1)


def test_a_day_before_call_events_came_has_no_calls_to_tell(
    weekly: ReportMail, work: Work, mail_server: MailServer
) -> None:
    ReportMail.objects.update(parts=["calls"], every="day")
    leg(weekly.domain, "the first", MONDAY)
    making.make_due(MONDAY)
    work()

    table = parts_of(mail_server.taken[0].letter)["text/html"].get_content().partition("Calls from outside")[2]
    assert re.findall(r">([^<>\s]+)</td>", table) == ["–", "–", "–"]


def test_missed_calls_that_cannot_be_told_are_a_dash(weekly: ReportMail, work: Work, mail_server: MailServer) -> None:
    ReportMail.objects.update(parts=["people"], every="day")
    leg(weekly.domain, "one", MONDAY - timedelta(hours=12), to_user="101")
    findings.overrule(weekly.domain, "caller_ids", "per_leg", None)
    making.make_due(MONDAY)
    work()

    table = parts_of(mail_server.taken[0].letter)["text/html"].get_content().partition(">People</h2>")[2]
    assert re.findall(r">([^<>\s]+)</td>", table) == ["0", "–", "0:00"]
