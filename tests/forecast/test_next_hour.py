"""The next hour on the page of reports, from legs to the table: with its interval, or with a sentence instead."""

import csv
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts import limits
from accounts.models import Domain, Person
from tests.boards.conftest import SignIn
from tests.forecast.mondays import MONDAY, PER_HOUR, certain, forecast, mondays
from wallboard.calibration import findings
from wallboard.calibration.models import Finding
from wallboard.calls.models import EventGap, Leg
from wallboard.forecast import forecasting, history, tasks
from wallboard.forecast import page as rows_of_page
from wallboard.forecast.models import CountedDay, NextHour
from wallboard.forecast.page import TO
from wallboard.queues.models import Hours, Target

pytestmark = pytest.mark.one_database

NOW = MONDAY + timedelta(hours=11, minutes=1)
CLOSED = [[], [], [], [], [], [], [[600, 660]]]


@pytest.fixture
def client(sign_in: SignIn) -> Client:
    return sign_in("supervisor")


def page(client: Client, now: datetime = NOW, **query: str) -> str:
    with time_machine.travel(now, tick=False):
        return client.get("/reports/", query).content.decode()


def outlook(number: str = "501") -> dict[str, Any]:
    found: dict[str, Any] = NextHour.objects.get(queue__number=number).outlook
    return found


def test_it_is_as_the_same_hour_of_the_weeks_before_with_interval_people_and_wait(
    domain: Domain, client: Client
) -> None:
    mondays(domain)
    certain(domain)

    forecast(domain, NOW)

    found = outlook()
    middle, low, high = found["calls"]
    assert middle == pytest.approx(PER_HOUR, rel=0.2)
    assert low < middle < high
    assert found["usual_people"] == pytest.approx(3, abs=0.6)
    assert found["people"][0] in (3, 4)
    assert 60 < found["longest"][0] < 300
    text = page(client)
    assert "The next hour, 11:00–12:00" in text
    assert f'<b>{middle:.0f}</b> <span class="soft small">{low:.0f}{TO}{high:.0f}</span>' in text
    assert "estimated" in text
    assert "Set by an administrator, not measured: Callers in a queue in call events" in text


def test_the_days_that_were_counted_hold_calls_minutes_and_times(domain: Domain) -> None:
    queues = mondays(domain)
    certain(domain)

    forecast(domain, NOW)

    days = history.stored(queues, MONDAY.date() - timedelta(days=60))[queues[0].pk]
    monday = days[MONDAY.date() - timedelta(days=7)]
    legs = Leg.objects.filter(queue="501", first_seen_at__gte=MONDAY - timedelta(days=7), first_seen_at__lt=MONDAY)
    assert sum(monday.offered) == legs.count()
    assert sum(monday.minutes) == 24 * 60
    assert monday.times.talk_seconds / monday.times.talks == pytest.approx(170, rel=0.25)
    assert monday.times.ring_seconds / monday.times.rings == pytest.approx(4, abs=0.1)
    assert monday.times.left > 0
    assert sum(days[MONDAY.date()].minutes) == 11 * 60  # today, so far


def test_counted_days_outlive_the_calls_they_were_counted_from(domain: Domain) -> None:
    mondays(domain)
    certain(domain)
    forecast(domain, NOW)
    before = outlook()["calls"]

    Leg.objects.filter(first_seen_at__lt=MONDAY, first_seen_at__gt=MONDAY - timedelta(days=34)).delete()
    NextHour.objects.all().delete()
    forecast(domain, NOW)

    assert outlook()["calls"] == before


def test_a_day_is_counted_anew_once_it_is_over(domain: Domain) -> None:
    mondays(domain, weeks=0)
    certain(domain)
    forecast(domain, NOW)
    so_far = CountedDay.objects.get(queue__number="501", day=MONDAY.date())

    forecast(domain, MONDAY + timedelta(days=1, hours=2))

    whole = CountedDay.objects.get(queue__number="501", day=MONDAY.date())
    # Events come since nine.
    assert sum(so_far.counted[1]) == pytest.approx(2 * 60, abs=1)
    assert sum(whole.counted[1]) == pytest.approx(15 * 60, abs=1)


def test_a_history_of_two_weeks_is_too_short_and_says_so(domain: Domain, client: Client) -> None:
    mondays(domain, weeks=2)
    certain(domain)

    forecast(domain, NOW)

    assert outlook()["calls"] is None
    assert "this hour of this weekday was seen 2 times, and 3 are needed" in page(client)


def test_a_queue_that_is_closed_then_says_so(domain: Domain, client: Client) -> None:
    queues = mondays(domain, weeks=3)
    Hours.objects.create(domain=domain, queue=queues[1], week=CLOSED)
    certain(domain)

    forecast(domain, NOW)

    assert outlook("502")["why"] == "closed"
    assert "Closed by its business hours." in page(client)


def test_days_closed_and_hours_without_events_are_no_quiet_hours(domain: Domain) -> None:
    mondays(domain)
    Hours.objects.create(domain=domain, closed_days=[[f"{MONDAY - timedelta(days=7):%Y-%m-%d}", "a holiday"]])
    gap = MONDAY - timedelta(days=14)
    EventGap.objects.create(domain=domain, since=gap, until=gap + timedelta(days=1), reason="stopped")
    certain(domain)

    forecast(domain, NOW)

    assert outlook()["days"] == 5
    assert outlook()["calls"][0] == pytest.approx(PER_HOUR, rel=0.25)
    holiday = CountedDay.objects.get(queue__number="501", day=MONDAY.date() - timedelta(days=7))
    assert sum(holiday.counted[1]) == 0
    outage = CountedDay.objects.get(queue__number="501", day=gap.date())
    assert sum(outage.counted[1]) == 0


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"queue_legs": "hidden"}, "Without legs to queues in the call events nobody can say"),
        ({"caller_ids": "own"}, "Not provable here; see below."),
    ],
)
def test_what_rests_on_nothing_proven_is_no_number(
    domain: Domain, client: Client, answers: dict[str, str], says: str
) -> None:
    mondays(domain)
    certain(domain, **answers)

    forecast(domain, NOW)

    text = page(client)
    assert says in text
    assert 'id="what-if"' not in text
    assert NextHour.objects.exists() == ("caller_ids" in answers)


def test_without_a_target_nobody_knows_how_many_people_keep_it(domain: Domain, client: Client) -> None:
    mondays(domain)
    Target.objects.all().delete()
    certain(domain)

    forecast(domain, NOW)

    assert "no target for its longest wait" in page(client)


def test_an_old_forecast_is_not_shown_and_a_new_quarter_makes_a_new_one(domain: Domain, client: Client) -> None:
    mondays(domain)
    certain(domain)
    forecast(domain, NOW)

    later = NOW + timedelta(minutes=40)

    assert "No forecast was calculated in the last half hour" in page(client, later)
    forecast(domain, later)
    assert "The next hour, 11:30–12:30" in page(client, later)


def test_quarters_in_which_another_answer_held_tell_nothing(domain: Domain) -> None:
    mondays(domain)
    certain(domain)
    nine = (MONDAY - timedelta(days=7, hours=-9)).timestamp()
    runs = [["shared", nine - 90_000, nine], ["shared", nine + 3600, None]]
    caller_ids = Finding.objects.filter(question="caller_ids")
    caller_ids.update(overruled="", answer="shared", verdict="proven", runs=runs)

    forecast(domain, NOW)

    counted = CountedDay.objects.get(queue__number="501", day=(MONDAY - timedelta(days=7)).date())
    offered, minutes = counted.counted[:2]
    assert (sum(offered[36:40]), sum(minutes[36:40])) == (0, 0)
    assert sum(offered[40:44]) > 20
    assert minutes[40:44] == [15.0] * 4


def test_days_are_counted_anew_when_the_company_moves_to_another_zone(domain: Domain) -> None:
    mondays(domain)
    certain(domain)
    forecast(domain, NOW)
    domain.time_zone = "Asia/Tokyo"
    domain.save()

    forecast(domain, NOW + timedelta(minutes=15))

    counted = CountedDay.objects.get(queue__number="501", day=(MONDAY - timedelta(days=7)).date())
    assert sum(counted.counted[0][36:40]) == 0
    assert " Asia/Tokyo " in counted.basis


def test_the_sheet_has_no_wait_and_no_people_once_what_they_rest_on_is_not_proven(
    domain: Domain, client: Client
) -> None:
    mondays(domain)
    certain(domain)
    forecast(domain, NOW)
    findings.overrule(domain, "caller_ids", "per_leg", None)

    with time_machine.travel(NOW, tick=False):
        answer = client.get("/reports/next-hour/", {"as": "csv"})

    head, support, *_rest = csv.reader(answer.content.decode().splitlines())
    assert float(support[3]) > 0
    assert support[6:13] == [""] * 7
    assert any("waits not provable here: Call id" in each for each in support)
    assert any("set by an administrator, not measured" in each for each in head)


def test_the_sheet_holds_what_the_table_shows(domain: Domain, client: Client) -> None:
    mondays(domain)
    certain(domain)
    forecast(domain, NOW)

    with time_machine.travel(NOW, tick=False):
        answer = client.get("/reports/next-hour/", {"as": "csv"})
        other = client.get("/reports/next-hour/", {"as": "csv", "queue": "999"})

    lines = answer.content.decode().splitlines()
    assert lines[0].startswith("\ufeffqueue,name,hour from (Europe/Berlin),calls estimated,from,to,people needed")
    assert lines[1].startswith("501,Support,2026-03-16 11:00,")
    assert len(lines) == 3
    assert len(other.content.decode().splitlines()) == 1


def test_who_is_limited_to_a_team_sees_no_forecast_of_whole_queues(domain: Domain, client: Client) -> None:
    mondays(domain)
    certain(domain)
    forecast(domain, NOW)
    Person.objects.create(domain=domain, extension="199")
    team = limits.save_team(domain, "Others", ["199"])

    limits.set_limit(Person.objects.get(role="supervisor"), None, team)

    assert 'id="next-hour"' not in page(client)
    with time_machine.travel(NOW, tick=False):
        assert client.get("/reports/next-hour/", {"as": "csv"}).status_code == 302


def test_of_many_queues_those_with_the_most_calls_ahead_are_shown(
    domain: Domain, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    mondays(domain)
    certain(domain)
    forecast(domain, NOW)
    before = page(client).partition('id="next-hour"')[2].partition("</section>")[0]

    monkeypatch.setattr(rows_of_page, "MOST_ROWS", 1)

    after = page(client).partition('id="next-hour"')[2].partition("</section>")[0]
    assert before.count('<th scope="row"') == 2
    assert after.count('<th scope="row"') == 1
    assert "Support" in after
    assert "1 more queue stands in the CSV." in after


def test_the_task_goes_into_companies_whose_calls_can_be_counted_and_into_no_other(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    forecast_for: list[Domain] = []
    monkeypatch.setattr(forecasting, "update", forecast_for.append)

    tasks.forecast()
    assert forecast_for == []

    certain(domain)
    tasks.forecast()
    assert forecast_for == [domain]
