"""Which page a message opens, by what it is about and who reads it."""

import pytest

from accounts.models import Domain, Person
from tests.alerts.conftest import Read
from tests.harness.mail import MailServer
from tests.notifications.conftest import MakeRoute, Work
from wallboard.alerts.models import Alert, Rule
from wallboard.notifications.deciding.pages import page_for
from wallboard.notifications.models import Delivery, Destination
from wallboard.queues.models import Queue

SUPERVISOR = Person(role="supervisor")
ADMINISTRATOR = Person(role="administrator")
AGENT = Person(role="agent")


def alert(kind: str = "level", number: str = "") -> Alert:
    return Alert(kind=kind, queue=Queue(number=number) if number else None)


@pytest.mark.parametrize(
    ("kind", "number", "person", "page"),
    [
        ("level", "501", SUPERVISOR, "/boards/queue/501/"),
        ("nobody", "501", AGENT, "/boards/queue/501/"),
        ("level", "5 1/2", None, "/boards/queue/5%201%2F2/"),
        ("callback", "501", SUPERVISOR, "/desk/"),
        ("phone", "", SUPERVISOR, "/people/"),
        ("screen", "", SUPERVISOR, "/screens/"),
        ("figures", "", ADMINISTRATOR, "/setup/"),
        ("figures", "", SUPERVISOR, "/alerts/"),
        ("events", "", None, "/alerts/"),
        ("proof", "", ADMINISTRATOR, "/setup/calibration/"),
    ],
)
def test_a_message_opens_the_page_of_its_subject(kind: str, number: str, person: Person | None, page: str) -> None:
    assert page_for([alert(kind, number)], person) == page


def test_one_about_several_queues_opens_the_list() -> None:
    assert page_for([alert(number="501"), alert(number="502")], SUPERVISOR) == "/alerts/"
    assert page_for([alert(number="501"), alert(number="502")], AGENT) == "/boards/"
    assert page_for([alert(number="501"), alert("nobody", "501")], AGENT) == "/boards/queue/501/"


@pytest.mark.django_db
def test_the_mail_and_its_data_for_machines_carry_the_link(
    domain: Domain, read: Read, work: Work, make_route: MakeRoute, support: Queue, ana_mail: Destination,
    mail_server: MailServer,
) -> None:  # fmt: skip
    Rule.objects.create(domain=domain, stays_seconds=0, cooldown_seconds=0)
    make_route((ana_mail.person,))
    read(q501="late")
    work()

    assert "/boards/queue/501/" in mail_server.taken[0].text
    assert Delivery.objects.get().content["data"]["alerts"][0]["url"].endswith("/boards/queue/501/")
