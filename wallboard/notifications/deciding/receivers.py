"""Who hears of what: the people of a step, what each of them may see, and what each of them wants to hear."""

from collections.abc import Iterable
from datetime import datetime

from accounts import limits
from accounts.company_day import zone_of
from accounts.limits import Limit
from accounts.models import Domain, Person
from wallboard.alerts import visibility
from wallboard.alerts.models import Alert
from wallboard.notifications.models import Choice, Destination, Notice, Step

HeldBack = Notice.HeldBack


def may_hear(person: Person, limit: Limit, alert: Alert) -> bool:
    """Whether this person may know of the alert: as the pages show it to them, so do messages."""
    # Agents see what is wrong with a queue, and not what is wrong with a colleague or the installation.
    if person.role == Person.Role.AGENT and alert.queue is None:
        return False
    return visibility.shows_alert(limit, alert)


class Receivers:
    """The receivers of one company, each looked up once: a storm asks for the same people hundreds of times."""

    def __init__(self, domain: Domain, now: datetime) -> None:
        self._domain, self.now = domain, now
        self.local = now.astimezone(zone_of(domain))
        self._people: dict[int, list[Person]] = {}
        self._destinations: dict[int, list[Destination]] = {}
        self._limits: dict[int, Limit] = {}
        self._choices = {each.person_id: each for each in Choice.objects.filter(person__domain=domain)}

    def people(self, step: Step) -> list[Person]:
        """Everybody with a sign-in that the step names, by themselves or through a team, once each."""
        if step.pk not in self._people:
            able = Person.objects.filter(domain=self._domain, user__is_active=True)
            named, of_teams = able.filter(pk__in=step.people.all()), able.filter(teams__in=step.teams.all())
            self._people[step.pk] = list({each.pk: each for each in (*named, *of_teams)}.values())
        return self._people[step.pk]

    def destinations(self, step: Step) -> list[Destination]:
        """The destinations of the company that the step names."""
        if step.pk not in self._destinations:
            self._destinations[step.pk] = list(step.destinations.filter(domain=self._domain, person=None))
        return self._destinations[step.pk]

    def limit(self, person: Person) -> Limit:
        """What this person may see."""
        if person.pk not in self._limits:
            self._limits[person.pk] = limits.of(person)
        return self._limits[person.pk]

    def held_back(self, person: Person, alert: Alert) -> str:
        """Why this person does not hear of the alert now; "" where they do."""
        if not may_hear(person, self.limit(person), alert):
            return HeldBack.LIMIT
        choice = self._choices.get(person.pk)
        if choice is None:
            return ""
        if not choice.matches(alert):
            return HeldBack.CHOICE
        return "" if choice.holds(self.local) else HeldBack.HOURS

    def wants_resolved(self, person_id: int) -> bool:
        """Whether this person wants to hear that it is over."""
        choice = self._choices.get(person_id)
        return choice is None or choice.tells_resolved


def notices(
    receivers: Receivers, alert: Alert, what: str, people: Iterable[Person], destinations: Iterable[Destination] = ()
) -> list[Notice]:
    """A notice for each of them, not yet stored. What somebody may not see leaves no trace of them."""
    found = []
    for person in people:
        reason = receivers.held_back(person, alert)
        # For a person, a limit is not an outcome but their place in the house.
        if reason != HeldBack.LIMIT:
            notice = Notice(alert=alert, domain_id=alert.domain_id, person=person, what=what, told=str(person))
            notice.held_back = reason
            found.append(notice)
    for each in destinations:
        notice = Notice(alert=alert, domain_id=alert.domain_id, destination=each, what=what, told=str(each))
        notice.held_back = _refused(each)
        found.append(notice)
    return found


def _refused(destination: Destination) -> str:
    """Why nothing goes to a destination of the company; "" where it does."""
    if not destination.is_enabled:
        return HeldBack.DISABLED
    return "" if destination.is_confirmed else HeldBack.UNPROVEN
