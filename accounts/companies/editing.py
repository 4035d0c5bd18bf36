"""Companies of this installation: added, renamed, moved to another host, paused, resumed, and asked to be removed.

The operator's page and `manage.py company` use it. A paused company is neither polled nor signed in to, its
subscriptions are deleted at the provider by the next look at them (calls/subscriptions/maintenance.py), its deliveries
are answered 404 as those to a wrong secret are, and its TVs say so. All of that hangs on `is_active` alone, so nothing
has to be put back when it is resumed.
"""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts import audit, validators
from accounts.companies import addresses, hosts, public_address
from accounts.models import Domain

COLUMNS = ("name", "slug", "host")
MOST_SLUG = 50


class NameDiffers(Exception):
    """What was typed to confirm a removal is not the company's name."""


def add(name: str, slug: str = "", host: str = "") -> Domain:
    """A company that its administrators connect. Raises ValidationError."""
    domain = Domain(name=name.strip(), slug=slug or free_slug(name), host=host.strip().lower() or None)
    domain.callback_key = addresses.new_callback_key()
    _check(domain)
    _check_name(domain)
    with transaction.atomic():
        domain.save()
        public_address.release(domain.host)
        audit.log(domain.pk, "company added", domain.slug, {name: [None, getattr(domain, name)] for name in COLUMNS})
    hosts.forget()
    return domain


def edit(domain: Domain, name: str, slug: str, host: str) -> None:
    """Keep what differs; subscriptions move to a new host by themselves. Raises ValidationError."""
    before = audit.snapshot(domain, *COLUMNS)
    domain.name, domain.slug, domain.host = name.strip(), slug.strip(), host.strip().lower() or None
    _check(domain)
    if domain.name != before["name"]:
        _check_name(domain)
    with transaction.atomic():
        domain.save(update_fields=COLUMNS)
        public_address.release(domain.host)
        changes = audit.differences(before, audit.snapshot(domain, *COLUMNS))
        audit.log_changes(domain.pk, "company changed", domain.slug, changes)
    hosts.forget()


def pause(domain: Domain) -> None:
    """Stop everything about a company, and keep it."""
    _switch(domain, False, "company paused")


def resume(domain: Domain) -> None:
    """Let a paused company go on; one that is being removed stays as it is."""
    if domain.removal_at is None:
        _switch(domain, True, "company resumed")


def ask_removal(domain: Domain, typed: str) -> None:
    """Have a company and everything of it deleted for good, by the worker. Raises NameDiffers."""
    if " ".join(typed.split()) != " ".join(domain.name.split()):
        raise NameDiffers
    with transaction.atomic():
        pause(domain)
        # Its name in the address, and its host, are free at once.
        Domain.objects.filter(pk=domain.pk, removal_at=None).update(removal_at=timezone.now(), host=None)
        domain.refresh_from_db()
        audit.log(domain.pk, "company removal asked", domain.slug)
    hosts.forget()


def free_slug(name: str) -> str:
    """A name for addresses that no company has."""
    stem = slugify(name)[: MOST_SLUG - 4] or "company"
    taken = set(Domain.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    return next(slug for slug in (stem, *(f"{stem}-{number}" for number in range(2, 1000))) if slug not in taken)


def _switch(domain: Domain, is_active: bool, what: str) -> None:
    if domain.is_active == is_active:
        return
    with transaction.atomic():
        domain.is_active = is_active
        # save() and not update(): open pages and TVs hear of it (signin/endings.py).
        domain.save(update_fields=["is_active"])
        audit.log(domain.pk, what, domain.slug)


def _check_name(domain: Domain) -> None:
    """People choose their company by its name, and so do operators who remove one; one that goes has none any more."""
    if Domain.objects.filter(name__iexact=domain.name, removal_at=None).exclude(pk=domain.pk).exists():
        raise ValidationError({"name": _("There is a company of this name already.")})


def _check(domain: Domain) -> None:
    """What the model says of these columns, and that the host is not the installation's own."""
    others = [field.name for field in Domain._meta.concrete_fields if field.name not in COLUMNS]
    domain.full_clean(exclude=others)
    if domain.host in hosts.of_settings():
        raise ValidationError({"host": _("This is the host of the installation itself; leave it empty instead.")})
    if domain.host and public_address.parts().scheme == "http" and not validators.is_local(domain.host):
        text = _("The installation is at plain http, so its companies can only be at names of this machine or network.")
        raise ValidationError({"host": text})
