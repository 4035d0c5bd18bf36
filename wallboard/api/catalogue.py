"""Everything that the API answers, in the order of the documentation."""

from wallboard.api.endpoints import Endpoint
from wallboard.api.resources import (
    alerts,
    boards,
    call_backs,
    calls,
    configuration,
    contacts,
    notes,
    people,
    queues,
    reports,
    today,
)

ROOMS = (queues, people, calls, alerts, today, reports, boards, contacts, call_backs, notes, configuration)
ENDPOINTS: tuple[Endpoint, ...] = tuple(endpoint for room in ROOMS for endpoint in room.ENDPOINTS)


def by_path() -> dict[str, dict[str, Endpoint]]:
    """The endpoints by address and method."""
    found: dict[str, dict[str, Endpoint]] = {}
    for endpoint in ENDPOINTS:
        found.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return found
