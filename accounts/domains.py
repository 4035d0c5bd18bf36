"""The company that the environment describes: made once, kept up to date, edited in the admin site otherwise."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.utils.translation import gettext

from accounts import audit, tokens, validators
from accounts.crypto import Sealed, WrongKey, sealed
from accounts.models import Domain

SLUG = "main"
KEPT = ("calls_kept_days", "notes_kept_days")
FOLLOWED = ("base_url", "client_id", "client_secret", "login_client_id", "login_client_secret")  # the environment


def from_environment() -> Domain | None:
    """Create or update the domain of the PROVIDER_* settings; None where they are not set. Safe to repeat.

    Address and credentials follow the environment; name, zones, country and the rest stay as they were edited.
    """
    if not settings.PROVIDER_BASE_URL:
        return None
    _check("PROVIDER_BASE_URL", settings.PROVIDER_BASE_URL, validators.provider_address)
    _check("PROVIDER_TIME_ZONE", settings.PROVIDER_TIME_ZONE, validators.time_zone)
    domain = _known() or _new()
    before = audit.values(domain, *FOLLOWED)
    is_changed = _take_over(domain)
    domain.save()
    changes = audit.differences(before, audit.values(domain, *FOLLOWED))
    audit.note_changes(domain.pk, "company changed", domain.slug, changes)
    if is_changed:
        tokens.forget_company_token(domain)
    return domain


def keep_for(domain: Domain, calls_days: int | None, notes_days: int | None) -> None:
    """Keep strangers on calls, and notes, for so many days from now on; None is for ever."""
    before = audit.values(domain, *KEPT)
    domain.calls_kept_days, domain.notes_kept_days = calls_days, notes_days
    domain.save(update_fields=KEPT)
    audit.note_changes(
        domain.pk, "keeping changed", domain.slug, audit.differences(before, audit.values(domain, *KEPT))
    )


def _known() -> Domain | None:
    same = Domain.objects.filter(base_url=settings.PROVIDER_BASE_URL, client_id=settings.PROVIDER_CLIENT_ID)
    return same.order_by("pk").first() or Domain.objects.filter(slug=SLUG).first()


def _new() -> Domain:
    zone = settings.PROVIDER_TIME_ZONE
    return Domain(slug=SLUG, name=_name(settings.PROVIDER_BASE_URL), time_zone=zone, call_time_zone=zone)


def _name(base_url: str) -> str:
    """A first name to be improved in the admin site: the provider's host, where that means anything to people."""
    host = urlsplit(base_url).hostname or ""
    return gettext("Your company") if validators.is_local(host) else host


def _take_over(domain: Domain) -> bool:
    """Set address and credentials; answers whether anything about the company-wide grant is new."""
    before = (domain.base_url, domain.client_id)
    domain.base_url, domain.client_id = settings.PROVIDER_BASE_URL, settings.PROVIDER_CLIENT_ID
    is_changed = before != (domain.base_url, domain.client_id)
    if not _opens_to(domain.client_secret, settings.PROVIDER_CLIENT_SECRET):
        domain.client_secret = sealed(settings.PROVIDER_CLIENT_SECRET)
        is_changed = True
    if settings.PROVIDER_LOGIN_CLIENT_ID:
        domain.login_client_id = settings.PROVIDER_LOGIN_CLIENT_ID
        if not _opens_to(domain.login_client_secret, settings.PROVIDER_LOGIN_CLIENT_SECRET):
            domain.login_client_secret = sealed(settings.PROVIDER_LOGIN_CLIENT_SECRET)
    return is_changed


def _opens_to(stored: object, text: str) -> bool:
    try:
        return isinstance(stored, Sealed) and stored.open() == text
    except WrongKey:
        return False


def _check(name: str, value: str, validate: Callable[[str], None]) -> None:
    try:
        validate(value)
    except ValidationError as error:
        raise ImproperlyConfigured(f"{name}: {error.messages[0]}") from error
