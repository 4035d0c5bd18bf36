"""The page on which the formula of the service level is chosen, and what follows from the choice."""

import os
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.models import AuditEntry, Domain, Person, Team
from tests.accounts.test_pages_browser import too_wide
from tests.desk.conftest import Company
from tests.harness.answers import show_answer
from tests.harness.axe import violations
from tests.harness.browser import Pages
from tests.reports.service.test_alerting import renumbered
from tests.reports.test_queue_calls import CERTAIN, START, floor, page
from wallboard.calibration import findings
from wallboard.queues import editing
from wallboard.queues.models import Queue
from wallboard.reports.models import QueueCallDay, ServiceRule
from wallboard.reports.rollups import rolling
from wallboard.reports.rollups.packed import pack
from wallboard.reports.service import rules
from wallboard.reports.service_level import FORMULAS, Rule
from wallboard.reports.templatetags import service_levels

SignIn = Callable[[Person], Client]
PICTURES = os.environ.get("WALLBOARD_PICTURES", "")  # a folder for pictures of every size
ADDRESS = "/setup/service-level/"
PERCENT = re.compile(r'id="formula-(\w+)".*?<b>([\d.]+) %</b>', re.DOTALL)


@pytest.fixture
def administrator(company: Company, signed_in: SignIn) -> Client:
    company.mia.role = Person.Role.ADMINISTRATOR
    company.mia.save()
    return signed_in(company.mia)


def certain(domain: Domain) -> None:
    for question, answer in CERTAIN.items():
        findings.overrule(domain, question, answer, None)


def sent(client: Client, **fields: object) -> str:
    usual: dict[str, object] = {"formula": "A", "target": 20, "short": 5, "act": "save"}
    with time_machine.travel(START + timedelta(minutes=16), tick=False):
        return client.post(ADDRESS, usual | fields, follow=True).content.decode()


def test_each_formula_shows_what_it_makes_of_the_last_days_before_it_is_chosen(
    company: Company, administrator: Client
) -> None:
    floor(company.domain)
    certain(company.domain)

    text = sent(administrator, act="preview", target=30)

    shown = dict(PERCENT.findall(text))
    assert set(shown) == set(FORMULAS)
    assert float(shown["A"]) <= float(shown["B"]) <= float(shown["F"])
    assert len(set(shown.values())) > 1
    assert "answered within 30 s ÷ all offered" in text
    assert "This is a preview: nothing is saved yet." in text
    assert not ServiceRule.objects.exists()


def test_no_call_is_read_of_days_that_are_added_up(company: Company, administrator: Client) -> None:
    floor(company.domain)
    certain(company.domain)
    later = START + timedelta(days=2)

    def shown() -> tuple[list[tuple[str, str]], list[str], list[str]]:
        with time_machine.travel(later, tick=False):
            text = administrator.get(ADDRESS).content.decode()
        return (
            PERCENT.findall(text),
            re.findall(r'small">(\d+ / \d+)</span></td>', text),
            re.findall(r"from \d+ calls", text),
        )

    counted = shown()
    rolling.roll(company.domain, later)
    QueueCallDay.objects.update(calls=pack([]))

    assert counted[0]
    assert len(counted[1]) > 1
    assert shown() == counted


def test_an_older_page_does_not_undo_what_somebody_else_chose(company: Company, administrator: Client) -> None:
    shown = administrator.get(ADDRESS).context["stamp"]
    sent(administrator, formula="E", target=45)

    text = sent(administrator, short=8, stamp=shown)
    stored = rules.stored(company.domain.pk)[0]
    assert "Somebody else changed this meanwhile" in text
    assert (stored.formula, stored.target, stored.short) == ("E", 45, 5)
    assert 'name="short" value="8"' in text

    (stamp,) = re.findall(r'name="stamp" value="(\w+)"', text)
    sent(administrator, short=8, stamp=stamp)
    stored = rules.stored(company.domain.pk)[0]
    assert (stored.formula, stored.target, stored.short) == ("A", 20, 8)


def test_what_is_chosen_counts_for_days_that_are_past_and_is_noted(company: Company, administrator: Client) -> None:
    floor(company.domain)
    certain(company.domain)
    before = page(administrator)

    sent(administrator, formula="F", target=40, short=8)

    after = page(administrator)
    assert "answered within 20 s ÷ all offered" in before
    assert "(answered within 40 s + left within 40 s) ÷ all offered" in after
    assert re.findall(r"<b>([\d.]+) %</b>", before) != re.findall(r"<b>([\d.]+) %</b>", after)
    assert page(administrator, formula="B").count("Tried here only") == 1
    assert "Tried here only" not in after
    (entry,) = AuditEntry.objects.filter(what="service level changed")
    assert entry.changes["formula"] == [None, "F"]


def test_queues_without_a_row_are_in_the_sheet_and_in_the_sum(
    company: Company, administrator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor(company.domain)
    certain(company.domain)
    every = page(administrator)

    monkeypatch.setattr(service_levels, "MOST_LINES", 1)
    few = page(administrator)
    with time_machine.travel(START + timedelta(minutes=16), tick=False):
        sheet = administrator.get("/reports/", {"of": "service", "as": "csv"}).content.decode()

    row = re.compile(r'dir="auto">([^<]+)</th><td class="number" data-label="Service')
    found = [row.findall(text) for text in (every, few)]
    assert len(found[0]) > len(found[1]) == 2
    assert found[1][-1] == "All of these"
    assert "stands in the CSV" in few or "stand in the CSV" in few
    totals = [re.findall(r"All of these</th>.*?</tr>", text) for text in (every, few)]
    assert totals[0] == totals[1]
    assert len(sheet.splitlines()) == 1 + len(found[0])


def test_the_sheet_beside_a_tried_formula_counts_by_it(company: Company, administrator: Client) -> None:
    floor(company.domain)
    certain(company.domain)

    text = page(administrator, formula="B", within=60, short=8)
    (address,) = re.findall(r'href="(\?[^"]*of=service[^"]*)as=csv"', text)
    with time_machine.travel(START + timedelta(minutes=16), tick=False):
        sheet = administrator.get(f"/reports/{unescape(address)}as=csv").content.decode()
        usual = administrator.get("/reports/?first=2026-01-05&last=2026-01-05&of=service&as=csv").content.decode()

    shown = re.findall(r"<b>([\d.]+) %</b>", text)
    assert [line.split(",")[2] for line in sheet.splitlines()[1:]] == shown
    assert [line.split(",")[2] for line in usual.splitlines()[1:]] != shown


def test_a_queue_has_seconds_of_its_own_until_they_are_emptied(company: Company, administrator: Client) -> None:
    floor(company.domain)
    certain(company.domain)
    queue = Queue.objects.get(domain=company.domain, number="4001")

    sent(administrator, formula="B", **{f"target-{queue.pk}": 60})
    own = rules.rules(company.domain.pk).of("4001")
    sent(administrator, formula="B", **{f"target-{queue.pk}": ""})

    assert own == Rule("B", 60, 5)
    assert rules.rules(company.domain.pk).of("4001") == Rule("B", 20, 5)
    assert not ServiceRule.objects.filter(queue=queue).exists()


def test_nothing_is_saved_of_what_makes_no_sense(company: Company, administrator: Client) -> None:
    text = sent(administrator, formula="C", target=-3, short="²")

    assert "Nothing is saved: look at the fields that are marked." in text
    assert not ServiceRule.objects.exists()


def test_without_proof_formulas_can_be_read_but_show_no_number(company: Company, administrator: Client) -> None:
    floor(company.domain, minutes=5)

    text = administrator.get(ADDRESS).content.decode()

    assert "Callers in a queue in call events</b>: is not proven yet" in text
    assert "answered within 20 s ÷ all offered" in text
    assert not PERCENT.findall(text)


def test_a_team_counts_the_calls_that_rang_at_its_phones(company: Company, administrator: Client) -> None:
    stream = floor(company.domain)
    certain(company.domain)
    team = Team.objects.create(domain=company.domain, name="First line")
    everybody = {str(each) for each in range(100, 200)}
    team.people.set([Person.objects.get_or_create(domain=company.domain, extension=each)[0] for each in everybody])
    Team.objects.create(domain=company.domain, name="Nobody")

    text = page(administrator)

    offered = r'<th scope="row" dir="auto">([^<]+)</th>.*?<td class="number" data-label="Offered">(\d+)</td>'
    rows = dict(re.findall(offered, text))
    answered = sum(queue["answered"] for queue in stream.ground_truth()["queues"])
    assert answered <= int(rows["First line"]) <= int(rows["All of these"])
    assert int(rows["Nobody"]) == 0


def test_reports_hold_each_queue_against_its_target(company: Company, administrator: Client) -> None:
    floor(company.domain)
    certain(company.domain)
    editing.set_targets(company.domain, None, {"service_watch_below": 100, "service_late_below": 99})
    quiet = Queue.objects.get(domain=company.domain, number="4002")
    editing.set_targets(company.domain, quiet, {"service_watch_below": 1, "service_late_below": 1})

    levels = page(administrator).partition("How long callers waited")[0]
    rows = dict(re.findall(r'<th scope="row" dir="auto">([^<]+)</th>(.*?)</tr>', levels))

    assert "state-late" in rows["All of these"]
    assert "below 99 %" in rows["All of these"]
    assert "target 1 %" in rows["4002"]
    assert "state-" not in rows["4002"]


def test_a_day_on_which_a_queue_was_renumbered_is_not_told_for_it_but_for_all(
    company: Company, administrator: Client
) -> None:
    floor(company.domain)
    certain(company.domain)
    before = page(administrator)
    renumbered(company.domain, "4001", "4002", START + timedelta(minutes=7))

    rows = dict(re.findall(r'<th scope="row" dir="auto">([^<]+)</th>(.*?)</tr>', page(administrator)))
    later = page(administrator, first="2026-01-06", last="2026-01-06")

    assert "only a part of its calls is here" not in before
    assert {name for name, cells in rows.items() if "only a part of its calls is here" in cells} == {"4001", "4002"}
    assert "%" in rows["All of these"]
    assert "only a part of its calls is here" not in later


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_the_page_fits_and_can_be_read(
    pages: Pages, company: Company, administrator: Client, width: int, scheme: Any
) -> None:
    floor(company.domain)
    certain(company.domain)
    page = pages.open(locale="en-GB", bypass_csp=True, width=width, height=900, color_scheme=scheme)
    with time_machine.travel(START + timedelta(minutes=16), tick=False):
        answer = administrator.post(ADDRESS, {"formula": "B", "target": 30, "short": 8, "act": "preview"})
    show_answer(page, answer)

    if PICTURES:
        page.screenshot(path=f"{PICTURES}/service-level-{width}.png", full_page=True)
    assert too_wide(page) == []
    assert violations(page) == []
