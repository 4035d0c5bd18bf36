"""Which page a message opens, by what it is about and who reads it."""

import pytest

from accounts.models import Domain, Person
from tests.alerts.conftest import Read
from tests.notifications.conftest import MakeRoute
from wallboard.alerts.models import Alert, Rule
from wallboard.notifications import destinations
from wallboard.notifications.deciding import planning
from wallboard.notifications.deciding.pages import page_for
from wallboard.notifications.models import Channel, Delivery, Destination
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
def test_messages_and_what_programs_read_carry_the_link(
    domain: Domain, read: Read, make_route: MakeRoute, support: Queue, ana_mail: Destination
) -> None:
    Rule.objects.create(domain=domain, stays_seconds=0, cooldown_seconds=0)
    make_route((ana_mail.person, destinations.add(domain, Channel.WEBHOOK, "hook", {"url": "https://h.example.com"})))
    read(q501="late")
    planning.run(domain)

    mail, hook = (Delivery.objects.get(channel=channel).content for channel in (Channel.EMAIL, Channel.WEBHOOK))
    assert mail["url"].endswith("/boards/queue/501/")
    assert hook["data"]["alerts"][0]["url"] == mail["url"]
