"""How a company counts its service level: read, and changed in one place."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from accounts import audit
from accounts.models import Domain
from wallboard.queues.models import Queue
from wallboard.reports.models import ServiceRule
from wallboard.reports.service_level import FORMULAS, Rule, Rules

COLUMNS = ("formula", "target_seconds", "short_seconds", "is_open_only")


@dataclass(frozen=True)
class OwnSeconds:
    """What a queue has of its own; None is the company's."""

    target: int | None = None
    short: int | None = None


def rules(domain_id: int) -> Rules:
    """The rules in force, in one query."""
    default, own = stored(domain_id)
    return together(default, own)


def stored(domain_id: int) -> tuple[Rule, dict[str, OwnSeconds]]:
    """The company's rule and what single queues have of their own, by queue number."""
    rows = ServiceRule.objects.filter(domain_id=domain_id).values_list("queue__number", *COLUMNS)
    default, own = Rule(), {}
    for number, formula, target, short, is_open_only in rows:
        if number is None:
            known = formula if formula in FORMULAS else Rule().formula  # another release may know more
            default = Rule(known, target, short, is_open_only)
        else:
            own[number] = OwnSeconds(target, short)
    return default, own


def together(default: Rule, own: Mapping[str, OwnSeconds]) -> Rules:
    """The rules that follow from the company's and from what queues have of their own."""
    found = {
        number: Rule(
            default.formula,
            default.target if seconds.target is None else seconds.target,
            default.short if seconds.short is None else seconds.short,
            default.is_open_only,
        )
        for number, seconds in own.items()
    }
    return Rules(default, found)


def save(domain: Domain, default: Rule | None, own: Mapping[str, OwnSeconds]) -> int:
    """Count by these from now on, what is past too; gives how many rows changed.

    What is None and queues that are not named stay as they are.
    """
    queues = {queue.number: queue for queue in Queue.objects.filter(domain=domain, number__in=list(own))}
    with transaction.atomic():
        changed = 0
        if default is not None:
            columns = (default.formula, default.target, default.short, default.is_open_only)
            changed += _set(domain, None, dict(zip(COLUMNS, columns, strict=True)))
        for number, seconds in own.items():
            if number in queues:
                values = {"target_seconds": seconds.target, "short_seconds": seconds.short}
                changed += _set(domain, queues[number], values)
    return changed


def choose_none(domain: Domain) -> None:
    """Count as where nobody has chosen a formula; what queues have of their own stays."""
    with transaction.atomic():
        row = ServiceRule.objects.filter(domain=domain, queue=None)
        before = row.values(*COLUMNS).first()
        if before is not None:
            row.delete()
            changes = audit.differences(before, dict.fromkeys(COLUMNS, ""))
            audit.log(domain.pk, "service level changed", "every queue", changes)


def _set(domain: Domain, queue: Queue | None, values: Mapping[str, object]) -> bool:
    """Store one row where it differs; a queue without anything of its own has none."""
    row = ServiceRule.objects.filter(domain=domain, queue=queue)
    before = row.values(*values).first() or dict.fromkeys(values)
    changes = audit.differences(before, values)
    if not changes:
        return False
    if queue is not None and not any(value is not None for value in values.values()):
        row.delete()
    else:
        ServiceRule.objects.update_or_create(domain=domain, queue=queue, defaults=values)
    audit.log(domain.pk, "service level changed", queue.number if queue else "every queue", changes)
    return True
