"""What sums of a day were made for: the queues that are shown, the teams and the limits that there are, as short keys.

Where one of them changes, sums with the old key do not hold; the worker makes them anew from what it kept of the day.
"""

from collections.abc import Iterable

from accounts import limits
from accounts.limits import Limit
from accounts.models import Domain, Person, Team
from wallboard.queues.models import Queue
from wallboard.reports.rollups import asked_limits
from wallboard.reports.rollups.packed import key

Members = frozenset[str]
FORM = 4  # of the sums of calls, as they are stored


def queues(domain: Domain) -> frozenset[str]:
    """The numbers of the queues that are shown."""
    return frozenset(Queue.objects.filter(domain=domain, is_hidden=False).order_by().values_list("number", flat=True))


def queues_key(numbers: Iterable[str]) -> str:
    """The key of the shown queues."""
    return key(sorted(numbers))


def teams(domain: Domain) -> frozenset[Members]:
    """The extensions of each team."""
    rows = Team.objects.filter(domain=domain).prefetch_related("people")
    return frozenset(frozenset(person.extension for person in team.people.all()) for team in rows)


def team_key(members: Members) -> str:
    """The key of a team: that of its people."""
    return key(sorted(members))


def sums_key(numbers: Iterable[str], found: Iterable[Members]) -> str:
    """The key of sums over these queues and teams."""
    return key((FORM, sorted(numbers), sorted(map(team_key, found))))


def limits_of(domain: Domain) -> frozenset[Limit]:
    """The limits that people of the company have, and those that were asked with lately."""
    rows = Person.objects.filter(domain=domain).exclude(only_queues=None, only_team=None)
    return asked_limits.lately(domain) | {limit for limit in limits.of_all(list(rows)) if limit.is_set}


def queues_of_limits(domain: Domain) -> frozenset[frozenset[str]]:
    """The queues of each of these limits."""
    return frozenset(limit.queues for limit in limits_of(domain) if limit.queues is not None)


def limits_key(found: Iterable[Limit]) -> str:
    """The key of all limits of a company."""
    return key(sorted(map(asked_limits.limit_key, found)))


def of_row(stamp: str, made_for: str) -> str:
    """The key of what was made of the row of a day with that stamp: a row that another release has written anew since
    has another one, and what was made of it before does not hold.
    """
    return key([stamp, made_for])
