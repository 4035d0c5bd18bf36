"""The way from an empty installation to live figures, step by step; how far one is, the database alone knows."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.companies import public_address
from accounts.models import Domain, Person, User
from accounts.signin import joining, operators
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import post_addresses
from wallboard.queues.models import PollState, Target
from wallboard.screens.models import Screen

TITLES: dict[str, str | Promise] = {
    "address": _("Address of this site"),
    "provider": _("Your provider"),
    "login": _("Sign-in of your people"),
    "link": _("You"),
    "events": _("Call events"),
    "queues": _("Queues"),
    "people": _("People"),
    "targets": _("Targets"),
    "tv": _("A TV"),
}
NEEDED = ("provider", "login", "link", "events")  # without these a board is not live, or nobody else can look at it
DONE = "done"
ENOUGH_PEOPLE = 2
LOOPBACK = ("localhost", "127.0.0.1")


@dataclass(frozen=True)
class Step:
    """One page of the wizard."""

    key: str
    is_done: bool

    @property
    def title(self) -> str | Promise:
        """As the page and the list of steps name it."""
        return TITLES[self.key]

    @property
    def is_needed(self) -> bool:
        """Whether there is no way round it."""
        return self.key in NEEDED


def of(domain: Domain, user: User) -> list[Step]:
    """All steps in their order, as far as this administrator got."""
    queues = domain.queues.all()
    people = Person.objects.filter(domain=domain).exclude(extension=joining.LOCAL_EXTENSION)
    done = {
        "address": is_address_settled(user),
        "provider": PollState.objects.filter(domain=domain, read_at__isnull=False).exists(),
        "login": bool(domain.login_client_id),
        "link": joining.local_person(user) is None,
        "events": are_events_ready(domain),
        "queues": queues.exists() and not queues.filter(name="").exists(),
        "people": people.count() >= ENOUGH_PEOPLE,
        "targets": Target.objects.filter(domain=domain, queue=None).exists(),
        "tv": Screen.objects.filter(domain=domain).exists(),
    }
    return [Step(key, done[key]) for key in TITLES]


def is_address_settled(user: User) -> bool:
    """Whether the site is at an address that others reach, or this administrator has no say in that."""
    host = str(public_address.parts().hostname)
    is_for_trying = host in LOOPBACK or host.endswith(".localhost")
    return not is_for_trying or public_address.is_fixed() or not operators.may_change_address(user)


def are_events_ready(domain: Domain) -> bool:
    """Whether the provider's initialization message, or anything else it posts, came back to our present address."""
    rows = domain.subscriptions.filter(kind=Subscription.Kind.CALLS, state=Subscription.State.READY)
    return any(not post_addresses.is_elsewhere(row, domain) for row in rows)


def current(steps: list[Step]) -> str:
    """The key of the step to go on with: the first that is needed, else the first that is left, else DONE."""
    left = [step.key for step in steps if not step.is_done]
    needed = [key for key in left if key in NEEDED]
    return (needed or left or [DONE])[0]


def after(key: str) -> str:
    """The key of the step that follows, whether it is done or not."""
    keys = [*TITLES, DONE]
    return keys[keys.index(key) + 1]


def is_unfinished(domain: Domain, user: User) -> bool:
    """Whether anything needed is missing."""
    return any(step.is_needed and not step.is_done for step in of(domain, user))
