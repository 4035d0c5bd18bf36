"""A provider whose answers are the opposite of the usual, and one that changes on the way: nothing wrong is shown."""

from datetime import timedelta

import pytest

from accounts.company_day import zone_named
from accounts.models import Domain
from tests.calibration.test_findings import START, Recording, watch
from tests.desk.conftest import Company
from wallboard.calibration import findings
from wallboard.queues import figures
from wallboard.queues.figures import QueueDocument
from wallboard.queues.models import Reading
from wallboard.queues.targets.levels import Standards, Targets
from wallboard.reports.service import counting
from wallboard.setup import status_checks
from wallboard.telephony.resources import QueueStats

STANDARDS = Standards(Targets(longest_wait=(60, 120)), {})


@pytest.fixture
def domain(company: Company) -> Domain:
    company.domain.call_time_zone = "UTC"
    company.domain.save()
    return company.domain


def shown(domain: Domain) -> dict[str, QueueDocument]:
    """What boards are told after the newest reading, as the company's settings are now."""
    domain.refresh_from_db()
    raw = Reading.objects.filter(domain=domain).latest("read_at").raw
    answer = [QueueStats(number, *rest) for number, rest in raw.items()]
    hidden = domain.hidden_waits.split()
    newest = figures.merged({}, answer, domain.wait_unit, STANDARDS, 1, 0, hidden_waits=hidden)
    return {number: document for number, (_version, document) in newest.held.items()}


def test_waits_in_milliseconds_and_of_a_period_without_queue_legs_are_no_waits_of_now(domain: Domain) -> None:
    opposite = {"wait_unit": "ms", "max_wait_of": "period", "avg_wait_of": "period"}
    recording = Recording(domain, **opposite, call_time_zone="Europe/Berlin", queue_legs="hidden")

    watch(recording, 30, runs=6)

    told = shown(domain)
    assert len(told) > 3
    assert {(each.longest_wait, each.average_wait, each.level) for each in told.values()} == {(None, None, "normal")}
    assert domain.call_time_zone == "Europe/Berlin"
    assert "queue_legs" in {lock.question for lock in counting.ground(domain.pk).locks}


def test_a_clock_that_is_set_wrong_on_the_way_is_said_and_nothing_kept_is_lost(domain: Domain) -> None:
    recording = Recording(domain)
    watch(recording, 10, runs=2)
    before = findings.standings(domain.pk)["call_zone"]
    recording.stream.dialect.call_time_zone = "Asia/Tokyo"

    watch(recording, 3, runs=3)
    said = [check.summary for check in status_checks.contradictions(domain)]
    readings = Reading.objects.count()
    watch(recording, 10, runs=2)

    domain.refresh_from_db()
    assert before.is_certain
    assert len(said) == 1
    assert "Clock of the call times" in said[0]
    assert START.astimezone(zone_named(domain.call_time_zone)).utcoffset() == timedelta(hours=9)
    assert Reading.objects.count() > readings
