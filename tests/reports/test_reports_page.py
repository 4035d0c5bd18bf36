"""The reports: what they show, what a limit leaves of them, and a sheet of every table."""

from datetime import date, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import limits
from accounts.models import AuditEntry, Domain, Person
from tests.boards.conftest import SignIn
from tests.reports.test_day_figures import DAY, NOON, ZONE, leg, queues, sample
from tests.reports.test_person_figures import ana, ben, ring
from wallboard.calibration import findings
from wallboard.calls.models import EventGap, Presence
from wallboard.queues.models import Queue, Target
from wallboard.reports import day_figures, trends, views
from wallboard.reports.figures import LATE
from wallboard.reports.period_parts import Period

__all__ = ["ana", "ben", "queues"]
REPORT = "/reports/?first=2026-03-04&last=2026-03-04"
SECOND = timedelta(seconds=1)


def test_a_report_shows_the_chosen_queues_and_figure(queues: list[Queue], sign_in: SignIn) -> None:
    for queue, name in zip(queues, ("Billing", "Orders"), strict=True):
        Queue.objects.filter(pk=queue.pk).update(name=name)
        sample(queue, NOON, waiting=3)

    page = sign_in("supervisor").get(f"{REPORT}&queue=502&figure=longest").content.decode()

    assert 'aria-label="Orders: longest wait 0:30, 12:00"' in page
    assert 'aria-label="Billing: ' not in page
    assert "of=parts&amp;as=csv" in page


@pytest.mark.parametrize("days", ["first=2026-03-04&last=2026-03-04", "first=2026-02-01&last=2026-03-04"])
def test_a_limited_supervisor_hears_of_their_queues_only(days: str, queues: list[Queue], sign_in: SignIn) -> None:
    client = sign_in("supervisor")
    for queue, name in zip(queues, ("Billing", "Orders"), strict=True):
        Queue.objects.filter(pk=queue.pk).update(name=name)
    for minute in range(70):
        sample(queues[0], NOON + timedelta(minutes=minute), waiting=2)
        sample(queues[1], NOON + timedelta(minutes=minute), late=60, waiting=9)
    before = client.get(f"/reports/?{days}&figure=most")
    limits.set_limit(Person.objects.get(role="supervisor"), ["501"], None)

    after = client.get(f"/reports/?{days}&figure=most")

    assert ("Orders" in before.content.decode(), before.context["heat"].highest) == (True, "9")
    assert ("Orders" in after.content.decode(), after.context["heat"].highest) == (False, "2")
    assert [trend.queue.number for trend in after.context["trends"]] == ["501"]
    assert after.context["left_out"] == 0


SHEETS = {
    "queues": ["501,Billing,1,0,0,1,10,1,"],
    "people": ["101,'=Ana,1,0,60,60,5"],
    "calls": ["2026-03-04,1,1,0,0,12:00"],
    "nonsense": ["2026-03-04 12:00,501,Billing,1,0,0,1,10,1,"],
}


@pytest.mark.parametrize("of", list(SHEETS))
def test_every_table_is_a_sheet_and_its_export_is_noted(
    of: str, domain: Domain, queues: list[Queue], sign_in: SignIn
) -> None:
    Queue.objects.filter(pk=queues[0].pk).update(name="Billing")
    Person.objects.create(domain=domain, extension="101", name="=Ana")
    sample(queues[0], NOON, late=60)
    ring(domain, "one", "101", talked=60)

    answer = sign_in("supervisor").get(f"{REPORT}&as=csv&of={of}")

    assert answer.content.decode("utf-8-sig").splitlines()[1:] == SHEETS[of]
    of = of if of != "nonsense" else "parts"
    assert AuditEntry.objects.get(what="report exported").about == f"{of} 2026-03-04-2026-03-04"


@pytest.mark.usefixtures("ana")
def test_missed_calls_that_cannot_be_told_are_a_dash_and_in_the_sheet_nothing(domain: Domain, sign_in: SignIn) -> None:
    ring(domain, "one", "101")
    findings.overrule(domain, "caller_ids", "per_leg", None)
    client = sign_in("supervisor")

    page, csv = (client.get(f"{REPORT}{more}").content.decode("utf-8-sig") for more in ("", "&as=csv&of=people"))

    assert 'data-label="Missed">–</td>' in page
    assert csv.splitlines()[1:] == ["101,Ana,0,,0,,"]
    assert "missed: not provable here" in csv


@pytest.mark.usefixtures("ana", "ben")
def test_a_sheet_keeps_to_the_limit(domain: Domain, queues: list[Queue], sign_in: SignIn) -> None:
    client = sign_in("supervisor")
    limits.set_limit(Person.objects.get(role="supervisor"), ["501"], limits.save_team(domain, "floor", ["101"]))
    for queue in queues:
        sample(queue, NOON, late=60)
    ring(domain, "of ana", "101")
    ring(domain, "of ben", "102")

    told = {of: client.get(f"{REPORT}&as=csv&of={of}&queue=502").content.decode() for of in ("queues", "people")}

    assert [("501" in told["queues"], "502" in told["queues"])] == [(True, False)]
    assert [("Ana" in told["people"], "Ben" in told["people"])] == [(True, False)]


def test_the_days_of_a_report_begin_with_the_companys_day_also_when_clocks_change(
    domain: Domain, queues: list[Queue], sign_in: SignIn
) -> None:
    Domain.objects.update(day_starts_hour=6)
    six = datetime(2026, 3, 29, 6, tzinfo=ZONE)
    for at in (six - timedelta(minutes=1), six, six + timedelta(minutes=1), six + timedelta(days=1)):
        sample(queues[0], at, late=60)
    two_days = Period(date(2026, 3, 28), date(2026, 3, 29), ZONE, 6)

    rows = day_figures.by_part(domain, two_days)
    values = trends.values_by_day(rows, two_days, LATE)
    with time_machine.travel(six - timedelta(hours=1), tick=False):
        early = sign_in("supervisor").get("/reports/").context["period"]

    assert [(row.at, row.late_minutes) for row in rows] == [(six - timedelta(days=1), 1), (six, 2)]
    assert list(values[queues[0].pk].values()) == [1, 2]
    assert (early.begin, early.first) == (six - timedelta(days=1), date(2026, 3, 28))


def test_hours_to_come_are_blank_on_the_map(queues: list[Queue], sign_in: SignIn) -> None:
    sample(queues[0], NOON, waiting=2)
    with time_machine.travel(NOON + timedelta(minutes=61), tick=False):
        page = sign_in("supervisor").get("/reports/").content.decode()

    assert 'class="heat-gap" tabindex="-1" aria-label="Wednesday 4 March, 13:00–14:00: not measured"' in page
    assert '<td class="" tabindex="-1" aria-label="Wednesday 4 March, 14:00–15:00"><span></span></td>' in page


@pytest.mark.usefixtures("queues")
def test_a_long_report_asks_the_database_hardly_more_than_a_day(sign_in: SignIn) -> None:
    client = sign_in("supervisor")
    asked = []
    for first in ("2026-03-04", "2025-12-03"):
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(f"/reports/?first={first}&last=2026-03-04")
        assert answer.status_code == 200
        asked.append(len(queries))

    assert asked[1] <= asked[0] + 2  # calls are counted a month at a time
    assert asked[1] < 40


def test_every_day_of_three_months_has_its_own_calls(domain: Domain) -> None:
    for days in range(92):
        at = NOON - timedelta(days=days)
        leg(domain, f"call {days}", at, is_answered=days % 2 == 0)
    leg(domain, "over midnight", NOON.replace(hour=0) - SECOND)
    leg(domain, "over midnight", NOON.replace(hour=0) + SECOND)
    period = Period(DAY.first - timedelta(days=91), DAY.last, ZONE)

    counted = day_figures.calls_by_day(domain, period)

    assert [(day.calls.ended, day.calls.answered) for day in reversed(counted)] == [
        (1 + (days == 1), int(days % 2 == 0)) for days in range(92)
    ]


def test_targets_are_a_sheet(domain: Domain, queues: list[Queue], sign_in: SignIn) -> None:
    Target.objects.create(domain=domain, longest_wait_late_seconds=120)
    Target.objects.create(domain=domain, queue=queues[0], waiting_late=5)

    lines = sign_in("supervisor").get("/targets/?as=csv").content.decode("utf-8-sig").splitlines()

    head = lines[0].split(",")
    assert [dict(zip(head, line.split(","), strict=True))["longest_wait_late_seconds"] for line in lines[1:]] == [
        *("120", "", "")
    ]
    assert [dict(zip(head, line.split(","), strict=True))["waiting_late"] for line in lines[1:]] == ["", "5", ""]
    assert AuditEntry.objects.get().what == "targets exported"


def test_people_are_a_sheet_for_supervisors(domain: Domain, ana: Person, sign_in: SignIn) -> None:
    Presence.objects.create(person=ana, state="talking", since=NOON, status="lunch", status_note="=soup")

    agent = sign_in("agent").get("/people/?as=csv")
    lines = sign_in("supervisor").get("/people/?as=csv").content.decode("utf-8-sig").splitlines()

    assert agent.status_code == 403
    assert lines[:2] == [
        "extension,name,state,since (Europe/Berlin),says,note,back",
        "101,Ana,talking,2026-03-04 12:00:00,lunch,'=soup,",
    ]


def test_tables_of_calls_and_their_sheets_say_what_is_missing(
    domain: Domain, queues: list[Queue], sign_in: SignIn
) -> None:
    Person.objects.create(domain=domain, extension="101", name="Ana")
    ring(domain, "one", "101", talked=60)
    EventGap.objects.create(
        domain=domain, since=NOON + 41 * 60 * SECOND, until=NOON + 43 * 60 * SECOND, reason="silent"
    )
    missing = "2 min of call events are missing, 12:41 to 12:43."
    client, log_address = sign_in("supervisor"), REPORT.replace("reports", "calls")

    page = client.get(REPORT).content.decode()
    calls, people, log = (
        client.get(path).content.decode("utf-8-sig").splitlines()[0]
        for path in (
            f"{REPORT}&as=csv&of=calls&head=plain",
            f"{REPORT}&as=csv&of=people",
            f"{REPORT.replace('reports', 'calls')}&as=csv",
        )
    )

    assert page.count(missing) == 2
    assert "Counted since 12:00, when call events began." in page
    assert calls.endswith(f"minutes of call events missing,since ({ZONE})")
    assert missing[:-1] in people
    assert missing[:-1] in log
    assert missing in client.get(log_address).content.decode()
    assert missing not in client.get("/calls/?first=2026-03-05").content.decode()


def test_of_many_queues_those_with_the_most_trouble_are_in_the_tables(
    queues: list[Queue], sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    for index, queue in enumerate(queues):
        sample(queue, NOON, late=30.0 + 30 * index)
    monkeypatch.setattr(views, "MOST_LINES", 1)
    client = sign_in("supervisor")

    text = client.get(REPORT).content.decode()
    beside = client.get(f"{REPORT}&beside=before").content.decode()
    sheets = [client.get(f"{REPORT}&of={of}&as=csv").content.decode().splitlines() for of in ("queues", "parts")]

    assert text.count('<th scope="row" dir="auto">502</th>') == 2
    assert '<th scope="row" dir="auto">501</th>' not in text
    assert text.count("1 more queue stands in the CSV.") == 2
    assert '<th scope="row" dir="auto">501</th>' in beside
    assert [len(lines) for lines in sheets] == [3, 3]
