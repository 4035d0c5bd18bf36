"""The kinds of alerts beside a queue's level: what each is about, and when it is raised where no rule says more."""

from dataclasses import dataclass
from enum import StrEnum

from wallboard.queues.models import Level


class About(StrEnum):
    """What the subject of an alert is, and with it who may hear of it."""

    QUEUE = "queue"
    PERSON = "person"
    COMPANY = "company"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind; `stays_seconds` is how long it must have lasted, `cooldown_seconds` how long the next one waits."""

    name: str
    about: About
    level: str
    stays_seconds: int
    cooldown_seconds: int = 300
    is_on: bool = True


KINDS = {
    each.name: each
    for each in (
        Kind("nobody", About.QUEUE, Level.LATE, 60, 120),
        Kind("no_ring", About.QUEUE, Level.LATE, 60),
        Kind("service", About.QUEUE, Level.WATCH, 300, 1800),
        Kind("callback", About.QUEUE, Level.WATCH, 3600),
        Kind("phone", About.PERSON, Level.WATCH, 300, 1800),
        Kind("status", About.PERSON, Level.WATCH, 900, 0, is_on=False),
        Kind("mismatch", About.COMPANY, Level.WATCH, 300, 1800),
        Kind("figures", About.COMPANY, Level.LATE, 60, 60),
        Kind("events", About.COMPANY, Level.LATE, 120, 120),
        Kind("subscription", About.COMPANY, Level.LATE, 600, 0),
        Kind("screen", About.COMPANY, Level.WATCH, 300),
        Kind("proof", About.COMPANY, Level.WATCH, 0, 3600),
    )
}
# Whose subject is an extension where they are about no queue; who is rung directly has call-backs of their own.
OF_PERSONS = frozenset(kind.name for kind in KINDS.values() if kind.about is About.PERSON) | {"callback"}
