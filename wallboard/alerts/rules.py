"""When an alert is raised: from which level on, after how long, and how soon again."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.db import transaction

from accounts import audit
from accounts.models import Domain
from wallboard.alerts.models import Rule
from wallboard.queues.models import Level, Queue

LONGEST_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class RuleInput:
    """A rule as somebody set it; "" and None are inherited from the company's rule, or from DEFAULT_RULE."""

    level: str = ""
    stays_seconds: int | None = None
    cooldown_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class EffectiveRule:
    """A rule in force. Times in seconds: how long the level must last, how long the next alert waits."""

    level: str
    stays_seconds: int
    cooldown_seconds: int

    def overridden_by(self, own: RuleInput) -> "EffectiveRule":
        """This rule, with the values of `own` wherever it sets any."""
        return EffectiveRule(
            own.level or self.level,
            self.stays_seconds if own.stays_seconds is None else own.stays_seconds,
            self.cooldown_seconds if own.cooldown_seconds is None else own.cooldown_seconds,
        )

    def applies_to(self, level: str) -> bool:
        """Whether a queue at this level is on its way to an alert."""
        if self.level == Rule.RaiseFrom.LATE:
            return level == Level.LATE
        return self.level == Rule.RaiseFrom.WATCH and level != Level.NORMAL


DEFAULT_RULE = EffectiveRule(Rule.RaiseFrom.LATE, 30, 120)  # many levels are normal again a reading or two later


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of a company in force: the default one, and those of single queues by number."""

    default: EffectiveRule
    own: Mapping[str, EffectiveRule]

    def of(self, number: str) -> EffectiveRule:
        return self.own.get(number, self.default)

    @property
    def longest_cooldown(self) -> int:
        """In seconds, over all rules."""
        return max(rule.cooldown_seconds for rule in (self.default, *self.own.values()))


def stored_inputs(domain_id: int) -> dict[str | None, RuleInput]:
    """The stored rules by the number of the queue; None is the company's."""
    rows = Rule.objects.filter(domain_id=domain_id)
    names = ("queue__number", "level", "stays_seconds", "cooldown_seconds")
    return {row[0]: RuleInput(*row[1:]) for row in rows.values_list(*names)}


def rule_set(domain_id: int) -> RuleSet:
    """The rules in force, in one query."""
    return effective(stored_inputs(domain_id))


def effective(inputs: Mapping[str | None, RuleInput]) -> RuleSet:
    """The rules that hold with these settings, by the number of the queue; None is the company's."""
    found = dict(inputs)
    default = DEFAULT_RULE.overridden_by(found.pop(None, RuleInput()))
    return RuleSet(default, {str(number): default.overridden_by(own) for number, own in found.items()})


def save(domain: Domain, wanted: Mapping[Queue | None, RuleInput]) -> None:
    """Store these rules, None for the company's; an empty one is deleted. They hold from the next reading on."""
    before = stored_inputs(domain.pk)
    with transaction.atomic():
        for queue, new in wanted.items():
            number = queue.number if queue else None
            old = before.get(number, RuleInput())
            if new != old:
                _store(domain, queue, new)
                changes = audit.differences(asdict(old), asdict(new))
                audit.log_changes(domain.pk, "alert rule changed", number or "every queue", changes)


def _store(domain: Domain, queue: Queue | None, rule: RuleInput) -> None:
    # A row that sets nothing would look like a rule in the admin site.
    if rule == RuleInput():
        Rule.objects.filter(domain=domain, queue=queue).delete()
    else:
        Rule.objects.update_or_create(domain=domain, queue=queue, defaults=asdict(rule))
