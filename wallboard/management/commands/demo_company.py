"""`manage.py demo_company`: `setup`, and what an administrator would enter on the first day of the simulated company.

Run by `manage.py demo` in its own installation. Queues and people that are known already stay as they are.
"""

import json
import os
from argparse import ArgumentParser
from io import StringIO
from random import Random
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from accounts import audit, domains, people
from accounts.models import Domain, Person, User
from wallboard.boards.default_board import ensure_default_board
from wallboard.desk import outcomes
from wallboard.queues import editing
from wallboard.queues.models import Queue
from wallboard.screens import screens
from wallboard.simulator.floor import company

HASTY = {"longest_wait_watch_seconds": 20, "longest_wait_late_seconds": 45}
OUTCOMES = ("Solved", "Order placed", "Call back later")
ROLES = [Person.Role.SUPERVISOR, Person.Role.ADMINISTRATOR]  # of the first people; all others are agents


class Command(BaseCommand):
    help = "Name the queues and people of the simulated company, make the admin account and a TV link; prints JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--agents", type=int, required=True)
        parser.add_argument("--queues", type=int, required=True)
        parser.add_argument("--screen", default="", help="the TV token of an earlier run")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        domain = name_company(domains.from_environment())
        call_command("setup", stdout=StringIO())
        simulated = company.build(Random(0), options["agents"], options["queues"])  # noqa: S311  (only names are taken)
        for index, queue in enumerate(simulated.queues):
            enter(domain, queue, is_hasty=index == 0)
        for index, person in enumerate(simulated.people):
            introduce(domain, person, ROLES[index] if index < len(ROLES) else Person.Role.AGENT)
        if not outcomes.outcomes(domain.pk):
            outcomes.save_outcomes(domain, OUTCOMES)
        make_admin(os.environ["DEMO_ADMIN_PASSWORD"])
        self.stdout.write(json.dumps({"screen": screen_token(domain, options["screen"]), **who(domain)}))


def name_company(domain: Domain | None) -> Domain:
    """Give the new company its name, country and number plan, before its board is made."""
    if domain is None:
        raise CommandError("This command belongs to the demo: `manage.py demo` runs it.")
    if domain.name != company.COMPANY:
        domain.name, domain.country, domain.provider_domain = company.COMPANY, "GB", company.DOMAIN
        domain.save(update_fields=["name", "country", "provider_domain"])
    return domain


def enter(domain: Domain, simulated: company.Queue, *, is_hasty: bool) -> None:
    """Name a queue that is not known yet; callers of a hasty one must not wait long: the demo shows an alarm."""
    queue, is_new = Queue.objects.get_or_create(
        domain=domain, number=simulated.number, defaults={"name": simulated.name}
    )
    if is_new and is_hasty:
        editing.set_targets(domain, queue, HASTY)


def introduce(domain: Domain, simulated: company.Person, role: str) -> None:
    """Enter a person with a role; somebody who is known already keeps what they have."""
    if not Person.objects.filter(domain=domain, extension=simulated.extension).exists():
        people.change_role(people.get_or_create(domain, simulated.extension, simulated.name), role)


def make_admin(password: str) -> None:
    """The account for the admin site, with this password."""
    admin, _ = User.objects.get_or_create(username="admin", defaults={"is_staff": True, "is_superuser": True})
    if not admin.check_password(password):
        admin.set_password(password)
        admin.save(update_fields=["password"])


def screen_token(domain: Domain, token: str) -> str:
    """The token where it still opens a TV, else that of a new one."""
    if token and screens.screen_by_token(token):
        return token
    return screens.create(ensure_default_board(domain), "Demo TV")[1]


def who(domain: Domain) -> dict[str, str]:
    """One person per role to sign in as, as `extension name`."""
    chosen = {}
    for role in Person.Role.values:
        if person := Person.objects.filter(domain=domain, role=role).order_by("extension").first():
            chosen[role] = audit.person_label(person)
    return chosen
