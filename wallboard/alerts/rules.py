"""When an attention is raised: from which level on, after how long, and how soon again."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.db import transaction

from accounts import audit
from accounts.models import Domain
from wallboard.alerts.models import Rule
from wallboard.queues.models import Queue

LONGEST_SECONDS = 3600
From = Rule.From


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody set; "" and None are inherited from the company's rule, or from FIRST."""

    level: str = ""
    stays_seconds: int | None = None
    cooldown_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """A rule in force. Times in seconds: how long the level stays before, how long it is quiet after the last one."""

    level: str
    stays_seconds: int
    cooldown_seconds: int

    def with_own(self, wish: Wish) -> "Terms":
        """These terms, with the wish's own wherever it says something."""
        return Terms(
            wish.level or self.level,
            self.stays_seconds if wish.stays_seconds is None else wish.stays_seconds,
            self.cooldown_seconds if wish.cooldown_seconds is None else wish.cooldown_seconds,
        )

    def counts(self, level: str) -> bool:
        """Whether a queue at this level is on its way to an attention."""
        return level == From.LATE if self.level == From.LATE else self.level == From.WATCH and level != "normal"


FIRST = Terms(From.LATE, 30, 120)  # a level is often back to normal within one or two readings


@dataclass(frozen=True, slots=True)
class Book:
    """Every rule of a company."""

    default: Terms
    own: Mapping[str, Terms]

    def of(self, number: str) -> Terms:
        return self.own.get(number, self.default)

    @property
    def longest_cooldown(self) -> int:
        """In seconds, over all rules."""
        return max(terms.cooldown_seconds for terms in (self.default, *self.own.values()))


def wishes(domain_id: int) -> dict[str | None, Wish]:
    """What was set, by the number of the queue; None is the company's."""
    rows = Rule.objects.filter(domain_id=domain_id)
    names = ("queue__number", "level", "stays_seconds", "cooldown_seconds")
    return {row[0]: Wish(*row[1:]) for row in rows.values_list(*names)}


def book(domain_id: int) -> Book:
    """The rules in force, in one query."""
    found = wishes(domain_id)
    default = FIRST.with_own(found.pop(None, Wish()))
    return Book(default, {str(number): default.with_own(wish) for number, wish in found.items()})


def save(domain: Domain, wanted: Mapping[Queue | None, Wish]) -> None:
    """Keep these rules, None for the company's; one that says nothing is dropped. They hold from the next reading."""
    before = wishes(domain.pk)
    with transaction.atomic():
        for queue, wish in wanted.items():
            number = queue.number if queue else None
            old = before.get(number, Wish())
            if wish != old:
                _keep(domain, queue, wish)
                changes = audit.differences(asdict(old), asdict(wish))
                audit.note_changes(domain.pk, "alert rule changed", number or "every queue", changes)


def _keep(domain: Domain, queue: Queue | None, wish: Wish) -> None:
    if wish == Wish():
        Rule.objects.filter(domain=domain, queue=queue).delete()
    else:
        Rule.objects.update_or_create(domain=domain, queue=queue, defaults=asdict(wish))
