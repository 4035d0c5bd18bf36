"""One's own days: the figures that supervisors have of a person, for that person, and nothing of others."""

import re
from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, Domain, Person
from tests.desk.conftest import Company
from tests.reports.rollups.some_days import AFTER, make
from wallboard.calibration import findings
from wallboard.reports import person_figures
from wallboard.reports.own import days
from wallboard.reports.rollups import rolling

pytestmark = pytest.mark.django_db
SignIn = Callable[[Person], Client]
ROW = re.compile(r'<tr><th scope="row">([^<]*)</th>(.*?)</tr>')
NUMBER = re.compile(r'data-label="[^"]*">(?:<b>)?([^<]*)')


def rows(client: Client, chosen: str) -> dict[str, list[str]]:
    """The table: its rows by their heads."""
    page = client.get("/reports/mine/", {"days": chosen}).content.decode()
    return {head: NUMBER.findall(cells) for head, cells in ROW.findall(page)}


@pytest.fixture
def noon(company: Company) -> object:
    """Calls of today and of two days ago: Mia's, and Ana's, who is louder."""
    with time_machine.travel("2026-03-04 12:00+00:00", tick=False):
        company.leg("102", talked=120, minutes_ago=30)
        company.leg("102", talked=60, minutes_ago=50)
        company.leg("102", rang=20, minutes_ago=10)
        company.leg("102", rang=20, minutes_ago=60, call="taken")
        company.leg("101", talked=60, minutes_ago=60, call="taken")
        company.leg("102", talked=300, minutes_ago=2 * 24 * 60)
        for number in range(7):
            company.leg("101", talked=777, minutes_ago=20 + number)
        yield timezone.now()


@pytest.mark.usefixtures("noon")
def test_an_agent_sees_their_own_days(company: Company, signed_in: SignIn) -> None:
    client = signed_in(company.mia)

    today = rows(client, "today")
    week = rows(client, "7")

    assert today == {"Wednesday 4 March 2026": ["2", "1", "3:00", "1:30"]}
    assert next(iter(week)).endswith("4 March 2026")
    assert [week[head] for head in list(week)[:4]] == [
        ["3", "1", "8:00", "2:40"],
        ["2", "1", "3:00", "1:30"],
        ["0", "0", "0:00", "–"],
        ["1", "0", "5:00", "5:00"],
    ]
    assert (len(week), len(rows(client, "30")), len(rows(client, "yesterday"))) == (8, 31, 1)
    assert rows(client, "nonsense") == today


@pytest.mark.usefixtures("noon")
def test_missed_calls_are_not_told_where_each_leg_has_an_id_of_its_own(company: Company, signed_in: SignIn) -> None:
    findings.overrule(company.domain, "caller_ids", "per_leg", None)

    assert rows(signed_in(company.mia), "today") == {"Wednesday 4 March 2026": ["2", "–", "3:00", "1:30"]}


@pytest.mark.usefixtures("noon")
def test_nothing_of_a_colleague_stands_there(company: Company, signed_in: SignIn) -> None:
    client = signed_in(company.mia)
    page = client.get("/reports/mine/", {"days": "30", "person": "101", "extension": "101"}).content.decode()
    main = page[page.index("<main") :]

    assert "Mia" in main
    assert not [each for each in ("Ana", "12:57", "+49", "Support") if each in main]
    assert client.get("/reports/").status_code == 403
    assert client.get("/reports/", {"as": "csv", "of": "people"}).status_code == 403


@pytest.mark.usefixtures("noon")
def test_it_is_where_agents_find_it_and_looking_is_not_noted(company: Company, signed_in: SignIn) -> None:
    client = signed_in(company.mia)

    page = client.get("/reports/mine/").content.decode()

    assert '<a href="/reports/mine/" aria-current="page">' in page
    assert "/help/agent/#the-desk" in page
    assert not AuditEntry.objects.exists()


def test_the_figures_are_those_of_the_reports_added_up_or_not(domain: Domain) -> None:
    make(domain, Random(3))
    people = list(Person.objects.filter(domain=domain, is_hidden=False))
    last = (AFTER - timedelta(days=2)).date()
    periods = [days.period(domain, name, last) for name in days.RANGES]

    def own() -> dict[str, object]:
        found: dict[str, object] = {}
        for person in people:
            for name, period in zip(days.RANGES, periods, strict=True):
                found[f"{person.extension} {name}"] = days.of(person, period).whole
        return found

    want = {
        f"{each.person.extension} {name}": each
        for name, period in zip(days.RANGES, periods, strict=True)
        for each in person_figures.by_person(domain, period)
    }
    assert want
    assert {key: figures for key, figures in own().items() if key in want} == want
    rolling.roll(domain, AFTER)
    assert {key: figures for key, figures in own().items() if key in want} == want
