"""When alerts of the kinds beside a queue's level are raised, as the company has set it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.db import transaction

from accounts import audit
from accounts.models import Domain
from wallboard.alerts.kinds import KINDS
from wallboard.alerts.models import KindRule


@dataclass(frozen=True, slots=True)
class KindInput:
    """The rule of a kind as somebody set it; None and "" are as usual for the kind."""

    is_on: bool | None = None
    level: str = ""
    stays_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class EffectiveKindRule:
    """The rule of a kind in force. Times in seconds."""

    is_on: bool
    level: str
    stays_seconds: int
    cooldown_seconds: int


def usual(kind: str) -> EffectiveKindRule:
    """The rule of a kind where nobody set another."""
    known = KINDS[kind]
    return EffectiveKindRule(known.is_on, str(known.level), known.stays_seconds, known.cooldown_seconds)


def effective(kind: str, own: KindInput) -> EffectiveKindRule:
    """The rule that holds with these settings."""
    default = usual(kind)
    return EffectiveKindRule(
        default.is_on if own.is_on is None else own.is_on,
        own.level or default.level,
        default.stays_seconds if own.stays_seconds is None else own.stays_seconds,
        default.cooldown_seconds,
    )


def stored_inputs(domain_id: int) -> dict[str, KindInput]:
    """What the company has set, by kind; those of a kind that this release does not know are left out."""
    rows = KindRule.objects.filter(domain_id=domain_id, kind__in=KINDS)
    return {row[0]: KindInput(*row[1:]) for row in rows.values_list("kind", "is_on", "level", "stays_seconds")}


def rule_of(domain_id: int, kind: str) -> EffectiveKindRule:
    """The rule of one kind in force."""
    return effective(kind, stored_inputs(domain_id).get(kind, KindInput()))


def save(domain: Domain, wanted: Mapping[str, KindInput]) -> None:
    """Store these rules; one that sets nothing is deleted. They hold from the next look on."""
    with transaction.atomic():
        before = stored_inputs(domain.pk)
        for kind, new in wanted.items():
            old = before.get(kind, KindInput())
            if new == old:
                continue
            if new == KindInput():
                KindRule.objects.filter(domain=domain, kind=kind).delete()
            else:
                KindRule.objects.update_or_create(domain=domain, kind=kind, defaults=asdict(new))
            audit.log_changes(domain.pk, "alert rule changed", kind, audit.differences(asdict(old), asdict(new)))
