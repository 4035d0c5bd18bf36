"""From stored readings and deliveries to findings: each taken in once, judged, applied, overruled."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import msgspec
import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry, Domain, Person
from tests.calibration.floor_runs import Case, observations
from tests.calls.conftest import make_subscription
from tests.desk.conftest import Company
from wallboard.alerts import wording
from wallboard.alerts.models import Alert
from wallboard.calibration import alerting, feeding, findings, page
from wallboard.calibration.models import Finding, Progress
from wallboard.calls.models import Delivery
from wallboard.queues.models import Reading
from wallboard.setup import status_checks
from wallboard.simulator.options import Options
from wallboard.simulator.stream import Stream
from wallboard.telephony import resources

START = datetime(2026, 1, 5, 10, tzinfo=UTC)
Feed = Iterator[None]


class Recording:
    """A provider whose figures and events are stored as an installation stores them, without asking or waiting."""

    def __init__(self, domain: Domain, **dialect: object) -> None:
        self.domain, self.subscription = domain, make_subscription(domain, "calls", f"secret-of-{domain.slug}")
        self.stream = Stream(Options(seed=3, scenario="demo", dialect=dialect), starts_at=START)

    def store(self, minutes: float) -> datetime:
        """Store so many more minutes; gives when they end, and a little."""
        readings, deliveries = [], []
        for item in self.stream.run(minutes * 60):
            at = self.stream.moment(item)
            body = msgspec.json.encode(item.payload)
            if item.kind == "statistics":
                raw = {each.number: msgspec.structs.astuple(each)[1:] for each in resources.queue_stats(body)}
                readings.append(Reading(domain=self.domain, read_at=at, figures={}, raw=raw))
            else:
                deliveries.append(self._delivery(at, body.decode()))
        Reading.objects.bulk_create(readings)
        Delivery.objects.bulk_create(deliveries)
        return START + timedelta(seconds=self.stream.seconds + 2 * feeding.SETTLED_SECONDS)

    def _delivery(self, at: datetime, body: str) -> Delivery:
        return Delivery(identity=uuid4(), subscription=self.subscription, received_at=at, body=body, applied_at=at)


def watch(recording: Recording, minutes: float, runs: int) -> None:
    """Look as often while so many minutes pass."""
    for _ in range(runs):
        with time_machine.travel(recording.store(minutes / runs), tick=False):
            findings.update(recording.domain)


def answers(domain: Domain) -> dict[str, str]:
    return {name: each.answer for name, each in findings.standings(domain.pk).items() if each.is_certain}


@pytest.fixture
def domain(company: Company) -> Domain:
    return company.domain


def test_what_is_stored_is_watched_and_every_look_goes_on_where_the_last_one_ended(domain: Domain) -> None:
    recording = Recording(domain)

    watch(recording, 14, runs=7)

    found = answers(domain)
    assert found["wait_unit"] == "s"
    assert found["queue_legs"] == "user"
    assert found["caller_ids"] == "shared"
    assert found["lag"] == "together"


def test_many_looks_come_to_the_same_as_one(domain: Domain, neighbours: Company) -> None:
    often, once = Recording(domain), Recording(neighbours.domain)

    watch(often, 9, runs=9)
    watch(once, 9, runs=1)

    states = [
        dict(Finding.objects.filter(domain=each).values_list("question", "answer"))
        for each in (domain, neighbours.domain)
    ]
    assert states[0] == states[1]


def test_a_look_without_anything_new_changes_nothing(domain: Domain) -> None:
    recording = Recording(domain)
    watch(recording, 8, runs=1)
    before = list(Finding.objects.order_by("pk").values())

    watch(recording, 0, runs=2)

    assert list(Finding.objects.order_by("pk").values()) == before


def test_a_question_that_learned_nothing_is_not_written(domain: Domain) -> None:
    recording = Recording(domain)
    watch(recording, 8, runs=1)
    before = list(Finding.objects.order_by("pk").values())

    with CaptureQueriesContext(connection) as asked:
        watch(recording, 0.1, runs=1)

    changed = sum(new != old for new, old in zip(Finding.objects.order_by("pk").values(), before, strict=True))
    written = sum(each["sql"].startswith('UPDATE "calibration_finding"') for each in asked)
    assert 0 < written == changed < len(before)


def test_readings_by_themselves_are_taken_in_once_a_minute_and_deliveries_in_each_round(domain: Domain) -> None:
    recording = Recording(domain)
    assert feeding.behind([domain.pk], START) == {domain.pk}
    watch(recording, 2, runs=1)
    taken_at = Progress.objects.get().taken_at
    assert taken_at is not None
    soon, later = taken_at + timedelta(seconds=15), taken_at + timedelta(seconds=60)
    assert (feeding.behind([domain.pk], soon), feeding.behind([domain.pk], later)) == (set(), {domain.pk})

    # What is heard is noted every five seconds only, and what is younger than ten was not taken in.
    recording.subscription.heard_at = taken_at - timedelta(seconds=14)
    recording.subscription.save()
    assert feeding.behind([domain.pk], soon) == {domain.pk}


def test_of_many_companies_each_is_taken_in_once_a_minute(domain: Domain) -> None:
    recording = Recording(domain)
    watch(recording, 2, runs=1)
    taken_at = Progress.objects.get().taken_at
    assert taken_at is not None
    recording.subscription.heard_at = taken_at
    recording.subscription.save()
    others = range(domain.pk + 1, domain.pk + 9)
    soon, later = taken_at + timedelta(seconds=15), taken_at + timedelta(seconds=60)

    assert domain.pk in feeding.behind([domain.pk, *others[1:]], soon)
    assert domain.pk not in feeding.behind([domain.pk, *others], soon)
    assert domain.pk in feeding.behind([domain.pk, *others], later)


def test_a_unit_and_a_zone_that_are_proven_are_set_and_noted(domain: Domain) -> None:
    domain.call_time_zone = "UTC"
    domain.save()

    watch(Recording(domain, wait_unit="ms", call_time_zone="Europe/Berlin"), 10, runs=2)

    domain.refresh_from_db()
    assert (domain.wait_unit, domain.call_time_zone) == ("ms", "Europe/Berlin")
    assert all(reading.figures for reading in Reading.objects.filter(domain=domain)[:50])  # read again
    assert AuditEntry.objects.filter(what="company changed", changes__wait_unit=["s", "ms"]).count() == 1
    assert AuditEntry.objects.filter(what="calibration", about="wait_unit").count() == 1


def test_a_provider_that_changes_its_unit_is_noticed_and_what_rests_on_it_is_not_certain(domain: Domain) -> None:
    recording = Recording(domain)
    watch(recording, 8, runs=1)
    assert answers(domain)["wait_unit"] == "s"
    recording.stream.dialect.wait_unit = "ms"

    watch(recording, 2, runs=2)
    assert findings.standings(domain.pk)["wait_unit"].verdict == "contradicted"
    assert hidden(domain) == "average longest"
    assert domain.period_waits == ""
    assert "wait_unit" not in answers(domain)
    alerting.report(domain)
    [alert] = Alert.objects.filter(kind="proof", ended_at=None)
    assert wording.why(alert) == "Unit of the waits"
    assert [check.summary for check in status_checks.contradictions(domain)] == [
        "This was proven and is no longer so: Unit of the waits. What rests on it is locked until it is proven anew."
    ]

    watch(recording, 12, runs=2)
    assert answers(domain)["wait_unit"] == "ms"
    assert hidden(domain) == ""
    before, now = findings.standings(domain.pk)["wait_unit"].runs
    changed_at = (START + timedelta(minutes=8)).timestamp()
    assert (before.answer, now.answer, now.until) == ("s", "ms", None)
    assert changed_at <= (before.until or 0) <= changed_at + 60
    assert (before.until or 0) <= now.since
    assert status_checks.contradictions(domain) == []


def test_a_lost_proof_that_somebody_overrules_is_told_nowhere_any_more(domain: Domain) -> None:
    Finding.objects.create(domain=domain, question="queue_legs", answer="user", verdict="contradicted")
    alerting.report(domain)

    def told() -> tuple[int, int, str]:
        [row] = [each for each in page.rows(domain) if each.name == "queue_legs"]
        alerts = Alert.objects.filter(kind="proof", ended_at=None).count()
        return alerts, len(status_checks.contradictions(domain)), row.missing[:15]

    assert told() == (1, 1, "This was proven")
    findings.overrule(domain, "queue_legs", "user", None)
    alerting.report(domain)
    assert told() == (0, 0, "")


def hidden(domain: Domain) -> str:
    domain.refresh_from_db()
    return domain.hidden_waits


def test_a_wait_of_a_period_is_hidden_until_somebody_says_otherwise(domain: Domain) -> None:
    watch(Recording(domain, max_wait_of="period"), 10, runs=2)
    measured = hidden(domain)
    told = domain.period_waits

    findings.overrule(domain, "longest_wait_of", "now", None)
    findings.overrule(domain, "average_wait_of", "period", None)

    assert (measured, hidden(domain)) == ("longest", "average")
    assert (told, domain.period_waits) == ("longest", "average")
    assert AuditEntry.objects.filter(what="company changed", changes__hidden_waits=["", "longest"]).count() == 1


def test_waits_are_hidden_while_another_unit_than_is_set_is_likely(domain: Domain) -> None:
    recording = Recording(domain, wait_unit="ms")
    seen = []

    for _ in range(8):
        watch(recording, 1, runs=1)
        seen.append((findings.standings(domain.pk)["wait_unit"].verdict, hidden(domain), domain.wait_unit))

    assert list(dict.fromkeys(seen)) == [("likely", "average longest", "s"), ("proven", "", "ms")]


def test_a_verdict_is_overruled_and_measured_again(domain: Domain, company: Company) -> None:
    watch(Recording(domain), 8, runs=1)

    findings.overrule(domain, "wait_unit", "min", company.ana)
    domain.refresh_from_db()
    standing = findings.standings(domain.pk)["wait_unit"]
    assert (standing.answer, standing.is_overruled, standing.verdict, domain.wait_unit) == (
        "min",
        True,
        "proven",
        "min",
    )

    findings.overrule(domain, "wait_unit", "", company.ana)
    domain.refresh_from_db()
    assert (findings.standings(domain.pk)["wait_unit"].is_overruled, domain.wait_unit) == (False, "s")
    assert AuditEntry.objects.filter(what="calibration overruled").count() == 2


def test_what_is_younger_than_the_transactions_under_way_is_left_for_later(domain: Domain) -> None:
    recording = Recording(domain)
    end = recording.store(3)

    with time_machine.travel(end - timedelta(seconds=60), tick=False):
        progress = Progress(domain=domain)
        first = feeding.take_new(domain, progress, end - timedelta(seconds=60))
    rest = feeding.take_new(domain, progress, end)

    assert max(each.at for each in first) <= (end - timedelta(seconds=70)).timestamp() < min(each.at for each in rest)
    everything = list(observations(again := Stream(Options(seed=3, scenario="demo"), starts_at=START), again.run(180)))
    assert len(first) + len(rest) == len(everything)


def test_what_is_dated_ahead_holds_nothing_up(domain: Domain) -> None:
    recording = Recording(domain)
    Reading.objects.create(domain=domain, read_at=START + timedelta(days=300), figures={}, raw={"1": [0] * 6})
    recording._delivery(START + timedelta(days=300), "{}").save()
    end = recording.store(2)

    taken = feeding.take_new(domain, Progress(domain=domain), end)

    assert len(taken) > 30
    assert max(each.at for each in taken) <= end.timestamp()


def test_a_company_that_was_never_watched_has_no_certain_answer(domain: Domain) -> None:
    assert answers(domain) == {}
    assert Person.objects.count() == 2
    assert Case({}).name == "as it is"
