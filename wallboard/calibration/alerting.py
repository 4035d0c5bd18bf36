"""What was proven about the provider and is no longer so, told to the alerts."""

from collections.abc import Collection

from accounts.models import Domain
from wallboard.alerts import conditions
from wallboard.alerts.conditions import State
from wallboard.calibration import findings

KIND = "proof"


def under_way(domain_ids: Collection[int]) -> set[int]:
    """Of these companies those with an alert of the kind that is open, or pending."""
    return {pk for pk, kind in conditions.under_way(domain_ids) if kind == KIND}


def report(domain: Domain) -> None:
    """Report every point whose proof is contradicted; one that an administrator overruled locks nothing any more."""
    lost = [each for each in findings.standings(domain.pk).values() if each.is_lost]
    states = [State(each.question, reason=each.question) for each in lost]
    conditions.report(domain, KIND, states)
