"""What was proven about the provider and is no longer so, told to the alerts."""

from accounts.models import Domain
from wallboard.alerts import conditions
from wallboard.alerts.conditions import State
from wallboard.calibration import findings


def report(domain: Domain) -> None:
    """Report every point whose proof is contradicted."""
    contradicted = [each for each in findings.standings(domain.pk).values() if each.verdict == "contradicted"]
    states = [State(each.question, reason=each.question) for each in contradicted]
    conditions.report(domain, "proof", states)
