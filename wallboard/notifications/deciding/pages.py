"""Which page a message opens: the queue that it is about, else the page on which its subject is looked after."""

from collections.abc import Iterable
from urllib.parse import quote

from accounts.models import Person
from wallboard.alerts.kinds import OF_PERSONS
from wallboard.alerts.models import Alert

ALERTS, BOARDS = "/alerts/", "/boards/"
# What only some roles may open; whoever may not is led to the list of alerts.
OF_SUPERVISORS = {"screen": "/screens/"}
OF_ADMINISTRATORS = {
    **dict.fromkeys(("figures", "events", "subscription", "mismatch"), "/setup/"),
    "proof": "/setup/calibration/",
}


def page_for(alerts: Iterable[Alert], person: Person | None) -> str:
    """The page for a message about these alerts, to this person or to a destination of the company (None)."""
    pages = {page_of(each, person) for each in alerts}
    return pages.pop() if len(pages) == 1 else overview(person)


def page_of(alert: Alert, person: Person | None) -> str:
    """The page about one alert."""
    if alert.kind == "callback":
        return "/desk/"
    if alert.queue is not None:
        return f"/boards/queue/{quote(alert.queue.number, safe='')}/"
    if alert.kind in OF_PERSONS:
        return "/people/"
    found = OF_SUPERVISORS.get(alert.kind, "") if may_acknowledge(person) else ""
    if person is not None and person.role == Person.Role.ADMINISTRATOR:
        found = OF_ADMINISTRATORS.get(alert.kind, found)
    return found or overview(person)


def overview(person: Person | None) -> str:
    """The list of alerts, or of boards for those who have no such list."""
    return ALERTS if may_acknowledge(person) else BOARDS


def may_acknowledge(person: Person | None) -> bool:
    """Whether a message to this person offers it; one to the company does, as the page asks who it is."""
    return person is None or person.role != Person.Role.AGENT
