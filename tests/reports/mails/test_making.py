"""Reports by mail: each once for each person, as they may see it, over a real mail server, whatever dies in between."""

import re
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from accounts import limits
from accounts.models import AuditEntry, Domain, Person
from tests.harness.mail import MailServer
from tests.harness.sheets import of_xlsx
from tests.notifications.conftest import Work, signed_in
from tests.reports.test_day_figures import sample
from wallboard.notifications import destinations
from wallboard.notifications.models import Channel, Delivery, Destination
from wallboard.notifications.sending import deliveries
from wallboard.notifications.sending.deliveries import Busy
from wallboard.queues.models import Queue
from wallboard.reports.mails import content, making
from wallboard.reports.models import ReportMail, ReportRun

pytestmark = pytest.mark.django_db
MONDAY = datetime(2026, 3, 9, 7, 0, tzinfo=UTC)
ALL = list(content.PARTS)


@pytest.fixture
def weekly(domain: Domain, ana_mail: Destination) -> ReportMail:
    """Ana gets last week's report on Monday."""
    since = MONDAY - timedelta(days=30)
    mail = ReportMail.objects.create(domain=domain, every="week", hour=7, parts=ALL, since=since)
    assert ana_mail.person is not None
    mail.people.add(ana_mail.person)
    return mail


def parts_of(letter: EmailMessage) -> dict[str, Any]:
    return {part.get_filename() or part.get_content_type(): part for part in letter.walk() if not part.is_multipart()}


def test_a_report_goes_out_once_at_its_hour(weekly: ReportMail, work: Work, mail_server: MailServer) -> None:
    assert making.make_due(MONDAY - timedelta(minutes=1)) == 1  # of the week before, which was due as well
    ReportRun.objects.all().delete()
    Delivery.objects.all().delete()
    assert [making.make_due(MONDAY), making.make_due(MONDAY), making.make_due(MONDAY + timedelta(hours=9))] == [
        1,
        0,
        0,
    ]
    work()
    work()

    [mail] = mail_server.taken
    assert mail.to == ["ana@example.com"]
    assert mail.letter["Subject"] == "Report of Main: 2 – 8 March 2026"
    assert ReportRun.objects.get().delivery.state == "sent"  # type: ignore[union-attr]


def test_the_mail_has_a_page_its_pictures_a_text_and_the_sheets(
    weekly: ReportMail,
    support: Queue,
    work: Work,
    mail_server: MailServer,
) -> None:
    sample(support, MONDAY - timedelta(days=3), late=60)
    making.make_due(MONDAY)
    work()

    letter = mail_server.taken[0].letter
    found = parts_of(letter)
    assert letter.get_content_type() == "multipart/mixed"
    html = found["text/html"].get_content()
    assert "Support" in html
    assert 'src="cid:late"' in html
    assert 'alt="Bars of the minutes over target of 1 queue"' in html
    assert found["late.png"]["Content-ID"] == "<late>"
    assert Image.open(BytesIO(found["late.png"].get_content())).format == "PNG"
    assert found["text/plain"].get_content().startswith("Only 1 minute measured")
    sheet = of_xlsx(found["queue-totals-2026-03-02-2026-03-08.xlsx"].get_content())
    assert [place.value for place in sheet[1][:3]] == ["501", "Support", 1]
    assert len([name for name in found if name.endswith(".xlsx")]) == len({*ALL} - {"heat", "service"})


def test_an_empty_period_says_so(weekly: ReportMail, work: Work, mail_server: MailServer) -> None:
    making.make_due(MONDAY)
    work()

    assert "Nothing was measured on these days." in parts_of(mail_server.taken[0].letter)["text/html"].get_content()


def test_whoever_is_limited_gets_their_queues_and_people(
    weekly: ReportMail,
    support: Queue,
    sales: Queue,
    ana: Person,
    work: Work,
    mail_server: MailServer,
) -> None:
    limits.set_limit(ana, ["502"], None)
    for queue in (support, sales):
        sample(queue, MONDAY - timedelta(days=3), late=60)
    making.make_due(MONDAY)
    work()

    found = parts_of(mail_server.taken[0].letter)
    assert "Sales" in found["text/html"].get_content()
    assert not [name for name in ("text/html", "text/plain") if "Support" in found[name].get_content()]
    for name, part in found.items():
        if name.endswith(".xlsx"):
            assert "Support" not in str([[place.value for place in row] for row in of_xlsx(part.get_content())])


@pytest.mark.parametrize("is_demoted", [True, False])
def test_whoever_may_see_less_by_the_time_it_is_sent_gets_none(
    weekly: ReportMail, ana: Person, work: Work, mail_server: MailServer, is_demoted: bool
) -> None:
    making.make_due(MONDAY)
    if is_demoted:
        Person.objects.filter(pk=ana.pk).update(role="agent")
    else:
        limits.set_limit(ana, ["502"], None)
    work()

    delivery = Delivery.objects.get()
    assert (mail_server.taken, delivery.state, delivery.outcome) == ([], "dropped", "this person may not see it")


def test_a_limit_that_hides_nothing_of_it_keeps_it(
    weekly: ReportMail, ana: Person, work: Work, mail_server: MailServer
) -> None:
    limits.set_limit(ana, ["502"], None)
    making.make_due(MONDAY)
    limits.set_limit(ana, ["501", "502"], None)
    work()

    assert len(mail_server.taken) == 1


def test_links_lead_to_the_companys_own_host(weekly: ReportMail, work: Work, mail_server: MailServer) -> None:
    Domain.objects.update(host="board.example.com")
    making.make_due(MONDAY)
    work()

    for kind in ("text/html", "text/plain"):
        text = parts_of(mail_server.taken[0].letter)[kind].get_content()
        assert set(re.findall(r"https?://[^/]+/[a-z]+/", text)) == {
            "http://board.example.com/reports/",
            "http://board.example.com/notifications/",
        }


def test_dates_and_reasons_are_of_the_language_that_is_read(
    weekly: ReportMail, ana: Person, work: Work, mail_server: MailServer
) -> None:
    Domain.objects.update(language="de")
    ReportMail.objects.update(every="day")
    making.make_due(MONDAY)
    work()
    assert "So, 8. März" in parts_of(mail_server.taken[0].letter)["text/html"].get_content()

    Destination.objects.all().delete()
    making.make_due(MONDAY + timedelta(days=7))
    assert ReportRun.objects.all()[0].held_back == "keine bestätigte E-Mail-Adresse"


def test_a_worker_that_dies_while_it_makes_one_leaves_it_to_the_next(
    weekly: ReportMail,
    monkeypatch: pytest.MonkeyPatch,
    work: Work,
    mail_server: MailServer,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(making, "_put_out", lambda *_: (_ for _ in ()).throw(SystemExit))  # as a kill does, in the middle
        with pytest.raises(SystemExit):
            making.make_due(MONDAY)
    assert (ReportRun.objects.count(), Delivery.objects.count()) == (0, 0)

    assert making.make_due(MONDAY) == 1
    work()
    assert len(mail_server.taken) == 1


def test_two_workers_make_it_once(weekly: ReportMail, ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    compose = content.compose

    def slow(*given: Any) -> content.Mail:
        monkeypatch.setattr(content, "compose", compose)
        assert making.make_due(MONDAY) == 1  # the other one, meanwhile
        return compose(*given)

    monkeypatch.setattr(content, "compose", slow)

    assert making.make_due(MONDAY) == 0
    assert (ReportRun.objects.count(), Delivery.objects.count()) == (1, 1)


def test_a_worker_that_dies_while_it_sends_leaves_the_mail_to_the_next(
    weekly: ReportMail,
    work: Work,
    mail_server: MailServer,
) -> None:
    making.make_due(MONDAY)
    [taken] = deliveries.claim(5, Busy())  # and killed here
    assert work() == 0
    Delivery.objects.update(leased_until=datetime.now(UTC) - timedelta(seconds=1))

    assert work() == 1
    assert mail_server.taken[0].letter["Message-ID"].startswith(f"<{taken.uid.hex}@")


@pytest.mark.usefixtures("at_once")
def test_an_alert_takes_no_reports_place(
    weekly: ReportMail, read: Any, make_route: Any, support: Queue, ana_mail: Destination, work: Work,
    mail_server: MailServer,
) -> None:  # fmt: skip
    making.make_due(MONDAY)
    Delivery.objects.update(due_at=datetime.now(UTC) + timedelta(minutes=5))
    make_route((ana_mail.person,))
    read(q501="late")
    work()

    assert Delivery.objects.filter(state="waiting").count() == 1


def test_who_has_no_confirmed_mailbox_or_may_not_see_reports_gets_none(
    weekly: ReportMail,
    domain: Domain,
    ana: Person,
) -> None:
    ben = signed_in(domain, "102", "Ben")
    destinations.add(domain, Channel.EMAIL, "ben@example.com", "ben@example.com", ben, is_confirmed=False)
    Person.objects.filter(pk=ana.pk).update(role="agent")
    weekly.people.add(ben)

    making.make_due(MONDAY)

    told = {run.person.name: run.held_back for run in ReportRun.objects.all()}
    assert told == {"Ana": "this person may not see it", "Ben": "no e-mail address that was confirmed"}
    assert not Delivery.objects.exists()


def test_what_was_over_before_it_was_set_up_is_not_sent(weekly: ReportMail) -> None:
    ReportMail.objects.update(since=MONDAY + timedelta(seconds=1))

    assert making.make_due(MONDAY + timedelta(hours=1)) == 0


def test_an_administrator_sets_one_up_sends_one_now_and_sees_what_came_of_it(
    as_admin: Client,
    ana: Person,
    ana_mail: Destination,
    work: Work,
    mail_server: MailServer,
) -> None:
    values = {"every": "month", "hour": "6", "parts": ["queues", "calls"], "people": [str(ana.pk)]}
    assert as_admin.post("/reports/mails/", values).status_code == 302
    mail = ReportMail.objects.get()

    as_admin.post(f"/reports/mails/{mail.pk}/", {"act": "send"})
    work()

    page = as_admin.get("/reports/mails/").content.decode()
    assert len(mail_server.taken) == 1
    assert "every month, on its first day, <time>06:00</time>" in page
    assert "queued as 1" in page
    assert list(AuditEntry.objects.values_list("what", flat=True)[:1]) == ["report sent now"]


def test_a_person_sets_one_up_for_themself_and_stops_it(as_ana: Client, ana: Person) -> None:
    as_ana.post("/reports/mails/", {"every": "day", "hour": "7", "parts": ["people"], "people": ["1"]})
    mail = ReportMail.objects.get()
    assert (list(mail.people.all()), mail.owner) == ([ana], ana)
    assert "every day, <time>07:00</time>: People" in as_ana.get("/notifications/").content.decode()

    as_ana.post(f"/reports/mails/{mail.pk}/", {"act": "stop"})

    assert not ReportMail.objects.exists()


def test_one_that_an_administrator_set_up_can_be_stopped_but_not_removed(
    weekly: ReportMail,
    as_ana: Client,
    domain: Domain,
    ana: Person,
) -> None:
    weekly.people.add(signed_in(domain, "102", "Ben"))
    for act in ("remove", "send"):
        as_ana.post(f"/reports/mails/{weekly.pk}/", {"act": act})
    assert (weekly.people.count(), ReportRun.objects.count()) == (2, 0)
    assert "Ben" not in as_ana.get("/reports/mails/").content.decode()

    as_ana.post(f"/reports/mails/{weekly.pk}/", {"act": "stop"})

    assert [each.name for each in weekly.people.all()] == ["Ben"]
    assert as_ana.post(f"/reports/mails/{weekly.pk}/", {"act": "stop"}).status_code == 404
