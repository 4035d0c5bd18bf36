"""Programs that are told: added, changed, paused and removed, each with an entry in the audit log that shows no URL."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.db import transaction
from django.utils import timezone

from accounts import audit, limits
from accounts.encryption import sealed
from accounts.limits import Limit
from accounts.models import Domain, Person, Team
from wallboard.notifications.channels import webhooks
from wallboard.outgoing import kinds
from wallboard.outgoing.models import Delivery, Endpoint, Event

MOST_ENDPOINTS = 50  # of a company
State = Delivery.State


@dataclass(frozen=True)
class EndpointInput:
    """What an administrator wants of an endpoint; `queues` are numbers, None for all. No URL: as it is stored."""

    name: str
    url: str
    kinds: tuple[str, ...]
    queues: tuple[str, ...] | None = None
    team: Team | None = None
    shows_numbers: bool = False


def add(domain: Domain, wanted: EndpointInput, by: Person | None = None) -> tuple[Endpoint, str]:
    """A new endpoint, and its secret, which is stored sealed and not shown again. Raises outbound.Refused."""
    address = webhooks.new_address(wanted.url)
    with transaction.atomic():
        endpoint = Endpoint(domain=domain, made_by=by, address=sealed(json.dumps(address)))
        _set(endpoint, wanted)
        endpoint.save()
        audit.log(domain.pk, "webhook added", endpoint.name, {"kinds": ["", " ".join(endpoint.kinds)]})
        note_listeners(domain)
    return endpoint, address["secret"]


def change(endpoint: Endpoint, wanted: EndpointInput) -> None:
    """Change what it hears, and where it is. Raises outbound.Refused."""
    with transaction.atomic():
        names = ("name", "kinds", "only_queues", "only_team", "shows_numbers")
        before = audit.snapshot(endpoint, *names)
        if wanted.url:
            webhooks.new_address(wanted.url)
            endpoint.address = sealed(json.dumps({**address_of(endpoint), "url": wanted.url}))
            endpoint.retry_at = None
        _set(endpoint, wanted)
        endpoint.save()
        changes = audit.differences(before, {name: getattr(endpoint, name) for name in names})
        audit.log(endpoint.domain_id, "webhook changed", endpoint.name, changes)
        note_listeners(endpoint.domain)


def _set(endpoint: Endpoint, wanted: EndpointInput) -> None:
    if wanted.team is not None and wanted.team.domain_id != endpoint.domain_id:
        raise ValueError("The team is another company's.")
    endpoint.name, endpoint.kinds = wanted.name or host_of(endpoint), sorted(wanted.kinds)
    endpoint.only_queues = None if wanted.queues is None else sorted(wanted.queues)
    endpoint.only_team, endpoint.shows_numbers = wanted.team, wanted.shows_numbers


def note_listeners(domain: Domain) -> None:
    """Let the intake keep which calls change, where a program is to hear of them, and only there."""
    of_calls = any(kinds.OF_CALLS & set(each.kinds) for each in Endpoint.objects.filter(domain=domain))
    Domain.objects.filter(pk=domain.pk).update(tells_calls=of_calls)


def address_of(endpoint: Endpoint) -> dict[str, Any]:
    """URL and secrets. Raises encryption.WrongKey where no key opens it."""
    return cast(dict[str, Any], json.loads(endpoint.address.open()))


def host_of(endpoint: Endpoint) -> str:
    """Where it goes, for people: the rest of the URL may hold secrets."""
    return webhooks.host_of(address_of(endpoint))


def limit_of(endpoint: Endpoint) -> Limit:
    """What it may hear of."""
    queues = None if endpoint.only_queues is None else frozenset(map(str, endpoint.only_queues))
    return Limit(queues, None if endpoint.only_team_id is None else limits.members(endpoint.only_team_id))


def new_secret(endpoint: Endpoint) -> str:
    """Another secret; what was valid is so for another day."""
    fresh = webhooks.rotated(address_of(endpoint))
    endpoint.address = sealed(json.dumps(fresh))
    endpoint.save(update_fields=["address"])
    audit.log(endpoint.domain_id, "webhook changed", endpoint.name, {"secret": [audit.MASK, audit.MASK]})
    return str(fresh["secret"])


def pause(endpoint: Endpoint, *, paused: bool) -> None:
    """Hold back what is to be sent, or let it go."""
    if endpoint.is_paused != paused:
        Endpoint.objects.filter(pk=endpoint.pk).update(is_paused=paused, retry_at=None)
        endpoint.is_paused = paused
        audit.log(endpoint.domain_id, "webhook changed", endpoint.name, {"is_paused": [not paused, paused]})


def remove(endpoint: Endpoint) -> None:
    """Forget it, and what was sent to it."""
    domain = endpoint.domain
    with transaction.atomic():
        audit.log(domain.pk, "webhook removed", endpoint.name)
        endpoint.delete()
        note_listeners(domain)


def test(endpoint: Endpoint) -> None:
    """Send it something to try."""
    now = timezone.now()
    event = Event.objects.create(
        domain=endpoint.domain, kind=kinds.TEST, subject=f"{endpoint.pk} {now.isoformat()}", at=now
    )
    Delivery.objects.create(endpoint=endpoint, event=event)
    Endpoint.objects.filter(pk=endpoint.pk).update(retry_at=None)


def send_again(endpoint: Endpoint, *, delivery_id: int | None = None, since: datetime | None = None) -> int:
    """Send one once more, or all since a moment, under the ids that they had; gives how many."""
    chosen = Delivery.objects.filter(endpoint=endpoint).exclude(state=State.WAITING)
    chosen = chosen.filter(pk=delivery_id or 0) if since is None else chosen.filter(event__at__gte=since)
    now = timezone.now()
    fresh = {"state": State.WAITING, "asked_at": now, "due_at": now, "tries": 0, "ended_at": None, "outcome": ""}
    count = chosen.update(**fresh, lease=None, leased_until=None)
    if count:
        Endpoint.objects.filter(pk=endpoint.pk).update(retry_at=None)
        about = {"sent again": ["", str(count)]}
        audit.log(endpoint.domain_id, "webhook sent again", endpoint.name, about)
    return count
