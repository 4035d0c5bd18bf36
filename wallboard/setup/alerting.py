"""Figures of the provider that cannot be true beside what the phones do, told to the alerts."""

from collections.abc import Collection

from accounts.models import Domain
from wallboard.alerts import conditions
from wallboard.alerts.conditions import State
from wallboard.calls.subscriptions import health
from wallboard.setup import agent_mismatch


def worth(domain_ids: Collection[int]) -> set[int]:
    """Of these companies those of which report() may have something to say, asked in a few queries."""
    under_way = {pk for pk, kind in conditions.under_way(domain_ids) if kind == "mismatch"}
    return under_way | agent_mismatch.possible(domain_ids)


def report(domain: Domain) -> None:
    """Report the greatest difference between available agents and phones that can be idle."""
    if health.of(domain.pk).state != "live":
        conditions.report(domain, "mismatch", [], judged=())
        return
    found = agent_mismatch.of(domain)
    facts: dict[str, str | int] = {}
    if found is not None:
        facts = {"queue": str(found.queue), "available": found.available, "idle": found.idle}
    conditions.report(domain, "mismatch", [State(facts=facts)] if found else [])
