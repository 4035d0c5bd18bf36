"""One look at a company: every kind that the rooms below can tell of, each for itself."""

import logging
from collections.abc import Callable, Collection, Mapping

from accounts.models import Domain
from wallboard.alerts import conditions
from wallboard.alerts.detecting import asking, callbacks, people, provider, queues
from wallboard.alerts.detecting.findings import Finding

log = logging.getLogger(__name__)
Detector = Callable[[Domain], Finding]
OFTEN: Mapping[str, Detector] = {
    "nobody": queues.nobody,
    "no_ring": queues.no_ring,
    "figures": provider.figures,
    "events": provider.events,
}
# These read the calls of an hour or of days, or are about minutes.
SELDOM: Mapping[str, Detector] = {
    "subscription": provider.subscriptions,
    "phone": people.phones,
    "status": people.statuses,
    "callback": callbacks.overdue,
}


def worth(domain_ids: Collection[int], *, often: bool) -> dict[int, list[str]]:
    """The kinds that are worth a look, by company; most companies are not among these."""
    found, detectors = (asking.often(domain_ids), OFTEN) if often else (asking.seldom(domain_ids), SELDOM)
    kinds = {domain_id: [kind for kind in detectors if kind in asked] for domain_id, asked in found.items()}
    return {domain_id: each for domain_id, each in kinds.items() if each}


def look(domain: Domain, detectors: Mapping[str, Detector]) -> None:
    """Look for these kinds and report what was found. One that fails keeps none of the others."""
    for kind, detect in detectors.items():
        try:
            found = detect(domain)
            conditions.report(domain, kind, found.states, judged=found.judged, why_ended=found.why_ended)
        except Exception:
            log.exception("%s: alerts of the kind %s cannot be judged", domain.slug, kind)
