"""Where alerts go by the word of an administrator: routes with their steps, stored whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts import audit
from accounts.models import Domain, Person, Team
from wallboard.notifications.models import Destination, Route, Step

MOST_ROUTES = 200


@dataclass(frozen=True, slots=True)
class StepInput:
    """A step as an administrator wants it."""

    after_seconds: int
    people: Sequence[Person] = ()
    teams: Sequence[Team] = ()
    destinations: Sequence[Destination] = ()

    @property
    def is_for_anybody(self) -> bool:
        return bool(self.people or self.teams or self.destinations)


def save(domain: Domain, values: dict[str, Any], steps: Sequence[StepInput], route: Route | None = None) -> Route:
    """Make a route, or change this one. Timers of steps that stay go on; those of others end."""
    with transaction.atomic():
        is_new = route is None
        old = Route.objects.filter(pk=route.pk).first() if route else None
        before = audit.snapshot(old, *values) if old else {}
        stored = route or Route(domain=domain)
        for name, value in values.items():
            setattr(stored, name, value)
        stored.save()
        for position, wanted in enumerate(steps):
            step, _ = Step.objects.update_or_create(
                route=stored, position=position, defaults={"after_seconds": wanted.after_seconds}
            )
            step.people.set(wanted.people)
            step.teams.set(wanted.teams)
            step.destinations.set(wanted.destinations)
        stored.steps.filter(position__gte=len(steps)).delete()
        changes = {name: [str(old), str(new)] for name, (old, new) in audit.differences(before, values).items()}
        audit.log(domain.pk, "alert route added" if is_new else "alert route changed", stored.name, changes)
    return stored


def remove(route: Route) -> None:
    """Forget a route; what it sent stays in the history."""
    audit.log(route.domain_id, "alert route removed", route.name)
    route.delete()
