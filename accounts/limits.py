"""Which queues and people somebody may see: nothing set means all of them, and administrators always see all.

A limit is a set of queues, a team, or both. Everything that shows a queue, a person or a call to somebody who is signed
in asks the viewer's limit; frozen, so that browsers with the same limit share what is worked out for it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet, RestrictedError

from accounts import audit
from accounts.models import Domain, Person, Team
from accounts.signin import rights, sessions

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Limit:
    """`queues` are numbers and `people` extensions; None does not limit."""

    queues: frozenset[str] | None = None
    people: frozenset[str] | None = None

    @property
    def is_set(self) -> bool:
        """Whether anything is hidden at all."""
        return self.queues is not None or self.people is not None

    def shows_queue(self, number: str) -> bool:
        """Whether this queue may be seen."""
        return self.queues is None or number in self.queues

    def shows_person(self, extension: str) -> bool:
        """Whether this person may be seen."""
        return self.people is None or extension in self.people

    def shows_call(self, queues: Collection[str], persons: Collection[str]) -> bool:
        """Whether a call may be seen that went through these queues and has these people of ours on it.

        It must have come through a shown queue, or through none and have somebody of the team on it; and where people
        are limited, nobody but others on it hides it.
        """
        is_theirs = self.people is not None and any(each in self.people for each in persons)
        if self.queues is not None and not any(each in self.queues for each in queues):
            return is_theirs and not queues
        return self.people is None or not persons or is_theirs

    def covers(self, other: "Limit") -> bool:
        """Whether whoever has this limit sees all that somebody with the other one sees."""
        pairs = ((self.queues, other.queues), (self.people, other.people))
        return all(mine is None or (theirs is not None and theirs <= mine) for mine, theirs in pairs)


EVERYTHING = Limit()


def restrict(rows: QuerySet[M], column: str, shown: frozenset[str] | None) -> QuerySet[M]:
    """The rows whose column (a number, an extension) is shown: `restrict(queues, "number", limit.queues)`."""
    return rows if shown is None else rows.filter(**{f"{column}__in": shown})


def of(person: Person) -> Limit:
    """The limit of this person as it is kept."""
    return of_all([person])[0]


def of_all(people: Sequence[Person]) -> list[Limit]:
    """The limits of these people, with one statement at most."""
    limited = [each for each in people if each.role != Person.Role.ADMINISTRATOR]
    teams: dict[int, set[str]] = {each.only_team_id: set() for each in limited if each.only_team_id is not None}
    if teams:
        rows = Person.objects.filter(teams__in=teams).values_list("teams", "extension")
        for team_id, extension in rows:
            teams[team_id].add(extension)
    frozen = {team_id: frozenset(extensions) for team_id, extensions in teams.items()}
    return [_limit(each, frozen) for each in people]


def _limit(person: Person, teams: Mapping[int, frozenset[str]]) -> Limit:
    if person.role == Person.Role.ADMINISTRATOR:
        return EVERYTHING
    queues = None if person.only_queues is None else frozenset(str(each) for each in person.only_queues)
    return Limit(queues, None if person.only_team_id is None else teams[person.only_team_id])


def members(team_id: int) -> frozenset[str]:
    """The extensions of a team."""
    return frozenset(Person.objects.filter(teams=team_id).values_list("extension", flat=True))


def set_limit(person: Person, queues: Iterable[str] | None, team: Team | None) -> None:
    """Limit a person to these queues and this team, None for all; open pages of theirs follow at once."""
    numbers = None if queues is None else sorted(set(queues))
    if team is not None and team.domain_id != person.domain_id:
        raise ValueError("The team is another company's.")
    wanted = {"only_queues": numbers, "only_team": team}
    with transaction.atomic():
        before = audit.snapshot(person, *wanted)
        person.only_queues, person.only_team = numbers, team
        person.save(update_fields=[*wanted])
        audit.log_changes(
            person.domain_id, "limit changed", audit.person_label(person), audit.differences(before, wanted)
        )
        if person.user_id:
            sessions.close_sockets(person.user_id)


def save_team(domain: Domain, name: str, extensions: Iterable[str], team: Team | None = None) -> Team:
    """Make a team, or change this one; open pages of those limited to it follow at once."""
    with transaction.atomic():
        is_new = team is None
        team = team or Team(domain=domain)
        previous = Team.objects.filter(pk=team.pk).first() or team  # a form may have written the new name into the row
        before = {"name": previous.name, "people": "" if is_new else " ".join(sorted(members(team.pk)))}
        team.name = name
        team.save()
        team.people.set(Person.objects.filter(domain=domain, extension__in=list(extensions)))
        after = {"name": team.name, "people": " ".join(sorted(members(team.pk)))}
        audit.log_changes(domain.pk, "team added" if is_new else "team changed", name, audit.differences(before, after))
        # A socket keeps the limit that it was given, so it has to come again.
        limited = Person.objects.filter(only_team=team).exclude(user=None)
        rights.changed(domain_id=domain.pk, limited_only=True)  # programs may be limited to it, too
        sessions.close_sockets(*limited.values_list("user_id", flat=True))
    return team


def remove_team(team: Team) -> bool:
    """Forget a team; False where a person or program is limited to it, who would then see everything."""
    with transaction.atomic():
        try:
            team.delete()
        except RestrictedError:
            return False
        audit.log(team.domain_id, "team removed", team.name)
    return True
