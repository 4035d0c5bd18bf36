"""What can be chosen of a report by mail: queues, charts, the service level; and changing one that goes out already."""

from datetime import date, timedelta
from io import BytesIO
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from PIL import Image

from accounts import limits
from accounts.access import viewer_of
from accounts.models import AuditEntry, Domain, Person
from tests.harness.mail import MailServer
from tests.harness.sheets import of_xlsx
from tests.notifications.conftest import Work, signed_in
from tests.reports.mails.test_making import MONDAY, parts_of
from tests.reports.test_day_figures import sample
from tests.reports.test_queue_calls import CERTAIN, START, floor
from wallboard.calibration import findings
from wallboard.notifications.models import Destination
from wallboard.queues.models import Queue, Target
from wallboard.reports.mails import content, making
from wallboard.reports.models import ReportMail, ReportRun
from wallboard.reports.period_parts import Period

pytestmark = pytest.mark.django_db
FORM = {"every": "week", "hour": "7", "parts": ["queues"]}
ORANGE, PAPER = (240, 103, 58), (255, 255, 255)


@pytest.fixture
def weekly(domain: Domain, ana_mail: Destination) -> ReportMail:
    """Ana gets the heat map, the trends and the table of last week on Monday."""
    since = MONDAY - timedelta(days=30)
    parts = ["heat", "trends", "queues"]
    mail = ReportMail.objects.create(domain=domain, every="week", hour=7, parts=parts, since=since)
    assert ana_mail.person is not None
    mail.people.add(ana_mail.person)
    return mail


def measured(*queues: Queue) -> None:
    """An hour of Friday in which these queues were late all the time."""
    for queue in queues:
        for minute in range(60):
            sample(queue, MONDAY - timedelta(days=3, minutes=minute + 1), late=60, waiting=5)


def test_a_report_is_about_the_queues_that_were_ticked(
    weekly: ReportMail, support: Queue, sales: Queue, work: Work, mail_server: MailServer
) -> None:
    ReportMail.objects.update(queues=["502"])
    measured(support, sales)
    making.make_due(MONDAY)
    work()

    found = parts_of(mail_server.taken[0].letter)
    html = found["text/html"].get_content()
    assert ("Sales" in html, "Support" in html, "1 queue chosen" in html) == (True, False, True)
    assert "queue=502" in html
    for name in ("queues-2026-03-02-2026-03-08.xlsx", "queue-totals-2026-03-02-2026-03-08.xlsx"):
        told = str([[place.value for place in row] for row in of_xlsx(found[name].get_content())])
        assert ("Sales" in told, "Support" in told) == (True, False)


def test_queues_that_the_reader_may_not_see_stay_out_even_if_they_were_ticked(
    weekly: ReportMail, support: Queue, sales: Queue, ana: Person, work: Work, mail_server: MailServer
) -> None:
    ReportMail.objects.update(queues=["501"])
    limits.set_limit(ana, ["502"], None)
    measured(support, sales)
    making.make_due(MONDAY)
    work()

    html = parts_of(mail_server.taken[0].letter)["text/html"].get_content()
    assert not [name for name in ("Support", "Sales") if name in html]


@pytest.mark.parametrize("is_hidden", [True, False])
def test_whoever_sees_none_of_its_queues_is_told_so(
    weekly: ReportMail, support: Queue, sales: Queue, ana: Person, *, is_hidden: bool
) -> None:
    measured(support, sales)
    if is_hidden:
        Queue.objects.filter(number="501").update(is_hidden=True)
    else:
        limits.set_limit(ana, ["502"], None)
    viewer = viewer_of(ana.user) if ana.user else None
    assert viewer is not None
    week = Period(date(2026, 3, 2), date(2026, 3, 8), ZoneInfo("UTC"))

    made = content.compose(content.Scope(viewer, ana.domain, week, frozenset({"501"})), content.PARTS, MONDAY)

    assert made.text.startswith("None of the queues of this report is shown to you.")
    assert not [each for each in ("Nothing was measured", "No alerts", "Support", "Sales") if each in made.html]
    assert [each["name"][:8] for each in made.files] == ["calls-by", "people-2"]


def test_sending_now_tells_what_is_held_back(weekly: ReportMail, as_admin: Client, domain: Domain, ana: Person) -> None:
    weekly.people.add(signed_in(domain, "102", "Ben"))

    answer = as_admin.post(f"/reports/mails/{weekly.pk}/", {"act": "send"}, follow=True)

    assert [str(each) for each in answer.context["messages"]] == [
        "1 report is on its way.",
        "1 report is held back. Ben: no e-mail address that was confirmed.",
    ]


def test_the_heat_map_and_the_trends_are_pictures_with_their_words_beside_them(
    weekly: ReportMail, support: Queue, work: Work, mail_server: MailServer
) -> None:
    Target.objects.create(domain=weekly.domain, queue=support, waiting_late=4)
    measured(support)
    making.make_due(MONDAY)
    work()

    found = parts_of(mail_server.taken[0].letter)
    html = found["text/html"].get_content()
    assert 'alt="Friday 6 March, 06:00–07:00: 60 min over target' in html
    rows = {name: Image.open(BytesIO(found[f"heat-{name}.png"].get_content())) for name in range(7)}
    colours = [{colour for _count, colour in rows[day].convert("RGB").getcolors(99_999) or []} for day in rows]
    assert [ORANGE in each for each in colours] == [False, False, False, False, True, False, False]
    assert [name for name in found if name.startswith("trend-")] == ["trend-0.png"]
    assert "at most 5 waiting, Fri, 06:00" in html
    assert "target 4" in html
    trend = Image.open(BytesIO(found["trend-0.png"].get_content())).convert("RGB")
    assert {(194, 65, 12), PAPER} <= {colour for _count, colour in trend.getcolors(99_999) or []}


def test_charts_that_were_not_chosen_are_not_sent(
    weekly: ReportMail, support: Queue, work: Work, mail_server: MailServer
) -> None:
    ReportMail.objects.update(parts=["queues"])
    measured(support)
    making.make_due(MONDAY)
    work()

    found = parts_of(mail_server.taken[0].letter)
    assert [name for name in found if name.endswith(".png")] == ["late.png"]


@pytest.mark.parametrize("is_proven", [True, False])
def test_the_service_level_is_told_where_it_is_proven(is_proven: bool, domain: Domain, ana: Person) -> None:
    floor(domain)
    for question, answer in CERTAIN.items() if is_proven else ():
        findings.overrule(domain, question, answer, None)
    viewer = viewer_of(ana.user) if ana.user else None
    assert viewer is not None
    day = Period(date(2026, 1, 5), date(2026, 1, 5), ZoneInfo("UTC"))
    now = START + timedelta(minutes=16)

    with time_machine.travel(now, tick=False):
        made = content.compose(content.Scope(viewer, domain, day, frozenset({"4001"})), ["service"], now)

    assert ("Not provable here, so not shown" in made.html) is not is_proven
    assert ("answered within 20 s ÷ all offered" in made.html) is is_proven
    assert [each["name"] for each in made.files if each["name"].endswith(".xlsx")] == (
        ["service-level-2026-01-05-2026-01-05.xlsx"] if is_proven else []
    )
    assert (">4001<" in made.html, "4002" in made.html) == (is_proven, False)


def test_one_that_goes_out_is_changed_on_a_page_of_its_own(
    as_admin: Client, weekly: ReportMail, support: Queue, sales: Queue, ana: Person
) -> None:
    address = f"/reports/mails/{weekly.pk}/edit/"
    assert address in as_admin.get("/reports/mails/").content.decode()
    page = as_admin.get(address).content.decode()
    assert page.count("checked") == 4  # three parts and Ana
    values = {"every": "day", "hour": "9", "parts": ["heat", "service"], "queues": ["501"], "people": [str(ana.pk)]}

    assert as_admin.post(address, values).status_code == 302

    mail = ReportMail.objects.get()
    assert (mail.every, mail.hour, mail.parts, mail.queues) == ("day", 9, ["heat", "service"], ["501"])
    assert list(mail.people.all()) == [ana]
    assert AuditEntry.objects.first().what == "report by mail changed"  # type: ignore[union-attr]
    shown = as_admin.get("/reports/mails/").content.decode()
    assert "every day, <time>09:00</time>" in shown
    assert "<bdi>Support</bdi>" in shown.replace("501 ", "")
    assert as_admin.post(address, values | {"queues": ["999"]}).status_code == 400


def test_an_older_page_takes_nobody_off_a_report(
    as_admin: Client, weekly: ReportMail, domain: Domain, ana: Person
) -> None:
    ben = signed_in(domain, "102", "Ben")
    address, values = f"/reports/mails/{weekly.pk}/edit/", FORM | {"people": [str(ana.pk)]}
    older = as_admin.get(address).context["stamp"]
    as_admin.post(address, values | {"people": [str(ana.pk), str(ben.pk)], "stamp": older})

    refused = as_admin.post(address, values | {"hour": "9", "stamp": older})

    assert refused.status_code == 409
    assert 'name="hour" value="9"' in refused.content.decode()
    weekly.refresh_from_db()
    assert (weekly.hour, set(weekly.people.all())) == (7, {ana, ben})
    assert as_admin.post(address, values | {"stamp": refused.context["stamp"]}).status_code == 302
    assert set(weekly.people.all()) == {ana}


def test_only_its_owner_and_administrators_change_one(
    as_ana: Client, weekly: ReportMail, domain: Domain, ana: Person
) -> None:
    assert as_ana.post(f"/reports/mails/{weekly.pk}/edit/", FORM | {"hour": "3"}).status_code == 302
    own = ReportMail.objects.create(domain=domain, owner=ana, parts=["queues"])
    own.people.add(ana)
    others = ReportMail.objects.create(domain=domain, parts=["queues"])

    as_ana.post(f"/reports/mails/{own.pk}/edit/", FORM | {"hour": "3"})

    assert as_ana.get(f"/reports/mails/{others.pk}/edit/").status_code == 404
    assert list(ReportMail.objects.values_list("hour", flat=True)) == [7, 3, 7]
    own.refresh_from_db()
    assert (own.owner, list(own.people.all())) == (ana, [ana])


def test_a_person_with_a_limit_is_offered_their_queues_only(
    as_ana: Client, ana: Person, support: Queue, sales: Queue
) -> None:
    Queue.objects.create(domain=ana.domain, number="503", name="Returns")
    limits.set_limit(ana, ["502", "503"], None)

    page = as_ana.get("/reports/mails/").content.decode()

    assert ("Sales" in page, "Support" in page) == (True, False)
    assert as_ana.post("/reports/mails/", FORM | {"queues": ["501"]}).status_code == 400


def test_who_is_added_gets_the_next_one_and_nobody_loses_the_one_that_is_due(
    as_admin: Client, weekly: ReportMail, domain: Domain, ana: Person
) -> None:
    ben = signed_in(domain, "102", "Ben")
    Person.objects.filter(pk=ben.pk).update(role="supervisor")

    with time_machine.travel(MONDAY + timedelta(seconds=20), tick=False):  # before the worker came to it
        as_admin.post(f"/reports/mails/{weekly.pk}/edit/", FORM | {"people": [str(ana.pk), str(ben.pk)]})
    making.make_due(MONDAY + timedelta(minutes=1))

    assert [run.person for run in ReportRun.objects.all()] == [ana]
    making.make_due(MONDAY + timedelta(days=7))
    assert {run.person for run in ReportRun.objects.filter(last="2026-03-15")} == {ana, ben}


def test_a_queue_that_is_not_shown_any_more_stays_the_only_one(
    as_admin: Client, domain: Domain, ana: Person, support: Queue, sales: Queue
) -> None:
    mail = ReportMail.objects.create(domain=domain, every="day", hour=7, parts=["queues"], queues=["501"])
    mail.people.add(ana)
    Queue.objects.filter(number="501").update(is_hidden=True)

    page = as_admin.get(f"/reports/mails/{mail.pk}/edit/").content.decode()
    assert "501 (no longer shown)" in page
    chosen = {"every": "day", "hour": "8", "parts": ["queues"], "queues": ["501"], "people": [str(ana.pk)]}
    as_admin.post(f"/reports/mails/{mail.pk}/edit/", chosen)

    mail.refresh_from_db()
    assert (mail.hour, mail.queues) == (8, ["501"])


def test_a_later_hour_sends_no_older_report(
    as_admin: Client, domain: Domain, ana: Person, ana_mail: Destination
) -> None:
    made = MONDAY + timedelta(hours=3)
    mail = ReportMail.objects.create(domain=domain, every="day", hour=7, parts=["queues"], since=made)
    mail.people.add(ana)
    for minutes in range(0, 24 * 60, 30):
        making.make_due(made + timedelta(minutes=minutes))
    sent = list(ReportRun.objects.values_list("first", flat=True))
    assert len(sent) == 1

    with time_machine.travel(made + timedelta(days=1), tick=False):
        chosen = {"every": "day", "hour": "18", "parts": ["queues"], "people": [str(ana.pk)]}
        as_admin.post(f"/reports/mails/{mail.pk}/edit/", chosen)
    making.make_due(made + timedelta(days=1, minutes=1))
    assert list(ReportRun.objects.values_list("first", flat=True)) == sent

    making.make_due(made + timedelta(days=2, hours=12))
    assert list(ReportRun.objects.order_by("first").values_list("first", flat=True)) == [
        sent[0],
        sent[0] + timedelta(days=1),
    ]
