"""The rules of kinds on the page of alerts: kept, noted, refused where they make no sense, counted before they hold."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts import limits
from accounts.models import AuditEntry, Domain, Person
from wallboard.alerts.models import KindRule
from wallboard.alerts.rules import DEFAULT_RULE, RuleSet
from wallboard.alerts.ruling import kind_rules, preview
from wallboard.alerts.ruling.kind_rules import EffectiveKindRule, KindInput
from wallboard.calls.models import EventGap
from wallboard.queues.models import Hours, Queue, Sample

MINUTE = timedelta(minutes=1)


def samples(queue: Queue, *minutes: int, **more: float) -> None:
    """Minutes of the queue, so many minutes after noon of yesterday."""
    begin = timezone.now() - timedelta(days=1)
    for each in minutes:
        values = {"watch_seconds": 0.0, "late_seconds": 0.0, "nobody_seconds": 0.0} | more
        Sample.objects.create(
            queue=queue, minute=begin + each * MINUTE, readings=12, waiting=1, most_waiting=1, longest_wait_seconds=9,
            **values,
        )  # fmt: skip


def test_rules_are_kept_noted_and_shown(domain: Domain, supervisor: Client) -> None:
    sent = {"nobody-is_on": "no", "figures-stays_seconds": "300", "figures-level": "watch"}

    assert supervisor.post("/alerts/kinds/", sent).status_code == 302

    assert not kind_rules.rule_of(domain.pk, "nobody").is_on
    assert kind_rules.rule_of(domain.pk, "figures") == EffectiveKindRule(True, "watch", 300, 60)
    assert set(AuditEntry.objects.values_list("what", "about")) == {
        ("alert rule changed", "nobody"), ("alert rule changed", "figures"),
    }  # fmt: skip
    page = supervisor.get("/alerts/").content.decode()
    assert 'value="300"' in page
    assert "Nobody available" in page

    assert supervisor.post("/alerts/kinds/", {}).status_code == 302
    assert not KindRule.objects.exists()


@pytest.mark.parametrize("wrong", [{"nobody-stays_seconds": "-1"}, {"nobody-level": "normal"}, {"nobody-is_on": "x"}])
def test_rules_that_make_no_sense_are_refused(
    domain: Domain,
    supervisor: Client,
    wrong: dict[str, str],
) -> None:
    assert supervisor.post("/alerts/kinds/", wrong).status_code == 400
    assert not KindRule.objects.exists()


def test_whoever_sees_a_part_of_the_company_sets_no_rules_for_all_of_it(
    domain: Domain,
    supervisor: Client,
    ana: Person,
) -> None:
    limits.set_limit(ana, ["501"], None)

    assert supervisor.post("/alerts/kinds/", {"nobody-is_on": "no"}).status_code == 404
    assert 'id="kinds"' not in supervisor.get("/alerts/").content.decode()


@pytest.mark.usefixtures("clock")
def test_a_rule_is_counted_before_it_is_saved(domain: Domain, support: Queue, supervisor: Client) -> None:
    samples(support, 1, 2, 3, 30, 31, 60, nobody_seconds=60)

    page = supervisor.post("/alerts/kinds/", {"nobody-stays_seconds": "120", "preview": "1"}).content.decode()

    assert "would have called 2 times in 7 days" in page
    assert "nothing is kept to count this from" in page
    assert not KindRule.objects.exists()


@pytest.mark.usefixtures("clock")
def test_rules_of_queues_are_counted_too(domain: Domain, support: Queue, supervisor: Client) -> None:
    samples(support, 1, 30, late_seconds=45)
    samples(support, 50, late_seconds=20)

    assert preview.of_levels(domain, RuleSet(DEFAULT_RULE, {})) == {"501": 2}
    page = supervisor.post("/alerts/rules/", {f"q{support.pk}-stays_seconds": "5", "preview": "1"}).content.decode()
    assert "would have called 3 times in 7 days" in page


@pytest.mark.usefixtures("clock")
def test_trouble_soon_after_an_alert_is_part_of_its_quiet_time(domain: Domain, support: Queue) -> None:
    samples(support, 1, 3, 5, 30, nobody_seconds=60)
    rule = EffectiveKindRule(True, "late", 30, 120)

    assert preview.of_kinds(domain, {"nobody": rule}) == {"nobody": 3}


@pytest.mark.usefixtures("clock")
def test_sources_that_stayed_away_are_counted_in_business_hours(domain: Domain, support: Queue) -> None:
    samples(support, *range(10), *range(15, 20))
    begin = timezone.now() - timedelta(days=1)
    EventGap.objects.create(domain=domain, since=begin, until=begin + 4 * MINUTE, reason="silent")
    EventGap.objects.create(domain=domain, since=begin, until=begin + MINUTE, reason="silent")
    usual = {kind: kind_rules.effective(kind, KindInput()) for kind in ("figures", "events", "phone")}

    assert preview.of_kinds(domain, usual) == {"figures": 1, "events": 1}
    Hours.objects.create(domain=domain, week=[[], [], [], [], [], [], [[0, 60]]])
    assert preview.of_kinds(domain, usual) == {"figures": 0, "events": 0}


def test_events_that_the_provider_kept_back_count_while_it_was_reached_otherwise(
    domain: Domain, support: Queue
) -> None:
    """While nothing could be read the alert was about the figures: one cause is one alert."""
    samples(support, *range(10), *range(30, 40))
    begin = timezone.now() - timedelta(days=1)
    usual = {"events": kind_rules.effective("events", KindInput())}

    def counted(*pieces: tuple[int, int]) -> int:
        EventGap.objects.all().delete()
        for first, last in pieces:
            span = {"since": begin + first * MINUTE, "until": begin + last * MINUTE}
            EventGap.objects.create(domain=domain, reason="provider", **span)
        return preview.of_kinds(domain, usual)["events"]

    assert counted((1, 8)) == 1
    assert counted((1, 2)) == 0, "too short"
    assert counted((12, 28)) == 0, "figures were away as well"
    assert counted((12, 35)) == 1, "figures came again, events did not"
    assert counted((1, 8), (12, 28), (31, 36)) == 2


def test_a_kind_that_is_off_calls_never(domain: Domain, clock: time_machine.Traveller) -> None:
    assert preview.of_kinds(domain, {"nobody": EffectiveKindRule(False, "late", 0, 0)}) == {"nobody": 0}
