"""A company that is removed: first at the provider, then row by row here, by the worker, in pieces that hold up nobody.

When it starts, the company is paused already (accounts/companies/editing.py), so nothing comes in any more. The audit
log stays, as it outlives what it is about.
"""

import logging
import time
from collections.abc import Container, Iterator
from datetime import timedelta
from typing import Any

import redis
from django.apps import apps
from django.db import transaction
from django.db.models import ForeignKey, Model, Q, QuerySet
from django.utils import timezone

from accounts import audit, leases
from accounts.models import Domain, Person, Team, User
from wallboard.boards.models import Board
from wallboard.calls.models import Leg, Record
from wallboard.contacts.models import Contact
from wallboard.live import connections
from wallboard.queues.models import Queue
from wallboard.screens.models import Screen

log = logging.getLogger(__name__)
COUNTED: dict[str, type[Model]] = {
    "people": Person,
    "queues": Queue,
    "boards": Board,
    "screens": Screen,
    "contacts": Contact,
    "calls": Leg,
    "records": Record,
}
PATIENCE = timedelta(minutes=10)  # for the provider to delete its subscriptions; after that they run out by themselves
PIECE = 1000  # rows in one transaction
WORK_SECONDS = 15.0  # of one task, which comes again until all is done
LEASE_SECONDS = 60.0


def counts(domain: Domain) -> dict[str, int]:
    """How much of everything goes with this company."""
    return {name: model._default_manager.filter(domain=domain).count() for name, model in COUNTED.items()}


def go_on() -> None:
    """Remove what is to be removed, as far as there is time."""
    for domain in Domain.objects.exclude(removal_at=None):
        if lease := leases.acquire(f"removal:{domain.pk}", LEASE_SECONDS):
            with lease:
                remove(domain)


def remove(domain: Domain) -> bool:
    """Delete one piece after the other; whether the company is gone."""
    asked_at = domain.removal_at
    is_at_provider = domain.subscriptions.exclude(provider_id="").exists()
    if asked_at is None or (is_at_provider and timezone.now() - asked_at < PATIENCE):
        return False
    until = time.monotonic() + WORK_SECONDS
    for rows in _everything(domain):
        while _delete_piece(rows):
            if time.monotonic() > until:
                return False
    _forget_feeds(domain.pk)
    with transaction.atomic():
        audit.log(domain.pk, "company removed", domain.slug)
        domain.delete()
    log.warning("Domain %s is removed.", domain.slug)
    return True


def _everything(domain: Domain) -> Iterator[QuerySet[Any]]:
    """The rows of every table that hang on the company, those that hang on others of them first."""
    of_company = Q(person__domain=domain) | Q(grant__domain=domain)
    yield User.objects.filter(of_company, is_superuser=False, is_staff=False, is_operator=False)
    direct = {model: name for model in apps.get_models() if (name := _key_to(model, {Domain}, even_null=True))}
    for model in apps.get_models():
        if model not in direct and (name := _key_to(model, direct)):
            owner = model._meta.get_field(name).related_model
            yield model._default_manager.filter(**{f"{name}__{direct[owner]}": domain})  # type: ignore[index]
    # People may be limited to a team, which cannot go before them.
    for model in sorted(direct, key=lambda each: (each is Team, each is Person)):
        yield model._default_manager.filter(**{direct[model]: domain})


def _key_to(model: type[Model], targets: Container[object], *, even_null: bool = False) -> str:
    """The first foreign key of this table to one of these, "" for none."""
    keys = (field for field in model._meta.concrete_fields if isinstance(field, ForeignKey))
    return next((key.name for key in keys if key.related_model in targets and (even_null or not key.null)), "")


def _delete_piece(rows: QuerySet[Any]) -> bool:
    """Delete the next rows; whether there were any."""
    with transaction.atomic():
        piece = list(rows.values_list("pk", flat=True)[:PIECE])
        rows.model._default_manager.filter(pk__in=piece).delete()
    return bool(piece)


def _forget_feeds(domain_id: int) -> None:
    """What Redis holds for browsers; without Redis nothing does, and numbers of companies are never given twice."""
    try:
        client = connections.client()
        for key in client.scan_iter(match=f"wallboard:feed:{{{domain_id}:*", count=1000):
            client.delete(key)
    except redis.RedisError:
        log.warning("The feeds of domain %d could not be deleted.", domain_id)
