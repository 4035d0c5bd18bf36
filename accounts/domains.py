"""What is set of a company: provider and credentials, region, retention, how its figures are read; and the company that
the environment describes."""

from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.db import transaction
from django.dispatch import Signal
from django.utils.translation import gettext

from accounts import audit, validators
from accounts.companies import addresses
from accounts.encryption import Sealed, WrongKey, sealed
from accounts.models import Domain, Grant
from accounts.signin import rights
from accounts.tokens import clients
from wallboard.telephony import user_names

SLUG = "main"
RETENTION_COLUMNS = ("calls_kept_days", "notes_kept_days", "replay_kept_days", "log_kept_days", "samples_kept_days")
READING_COLUMNS = ("wait_unit", "call_time_zone")
FOUND_COLUMNS = (*READING_COLUMNS, "hidden_waits", "period_waits")  # the last two only calibration sets
REGION_COLUMNS = ("time_zone", "country")
ENVIRONMENT_COLUMNS = ("base_url", "client_id", "client_secret", "login_client_id", "login_client_secret")
PROVIDER_COLUMNS = ("provider_domain", "hidden_waits", "period_waits")  # learned of one provider
provider_left = Signal()  # with `domain_id`: other rooms forget what they hold of that provider


@transaction.atomic
def from_environment() -> Domain | None:
    """Create or update the domain of the PROVIDER_* settings; None where they are not set. Safe to repeat.

    Address and credentials follow the environment; name, zones, country and the rest stay as they were edited.
    """
    if not settings.PROVIDER_BASE_URL:
        return None
    _check("PROVIDER_BASE_URL", settings.PROVIDER_BASE_URL, validators.provider_address)
    _check("PROVIDER_TIME_ZONE", settings.PROVIDER_TIME_ZONE, validators.time_zone)
    domain = _existing() or _new()
    before = audit.snapshot(domain, *ENVIRONMENT_COLUMNS, *PROVIDER_COLUMNS)
    is_changed = _take_over(domain)
    domain.save()
    changes = audit.differences(before, audit.snapshot(domain, *before))
    audit.log_changes(domain.pk, "company changed", domain.slug, changes)
    if is_changed:
        clients.forget_company_token(domain)
    return domain


def unconnected() -> Domain:
    """A company of which nothing is known yet, for somebody to connect in the browser."""
    name, key = gettext("Your company"), addresses.new_callback_key()
    domain = Domain.objects.create(slug=SLUG, name=name, callback_key=key)
    audit.log(domain.pk, "company added", domain.slug)
    return domain


def is_of_environment(domain: Domain) -> bool:
    """Whether the PROVIDER_* settings describe this company: then they win over what is entered elsewhere."""
    described = _existing() if settings.PROVIDER_BASE_URL else None
    return described is not None and described.pk == domain.pk


@transaction.atomic
def connect(domain: Domain, base_url: str, client_id: str, client_secret: str) -> None:
    """Keep address and credentials that were tried; an empty secret keeps the stored one."""
    before = audit.snapshot(domain, *ENVIRONMENT_COLUMNS)
    if base_url != domain.base_url:
        before |= audit.snapshot(domain, *PROVIDER_COLUMNS)
        leave_provider(domain)
    domain.base_url, domain.client_id = base_url, client_id
    if client_secret:
        domain.client_secret = sealed(client_secret)
    _save_credentials(domain, before)
    clients.forget_company_token(domain)


def leave_provider(domain: Domain) -> None:
    """Before another base address is kept: drop the grants, and of the row that is given, which the caller saves, the
    login credentials and what was learned of the provider so far; rooms hear of it by `provider_left`.

    What was meant for one host is never sent to another: people sign in anew.
    """
    domain.login_client_id, domain.login_client_secret = "", sealed("")
    domain.provider_domain = domain.hidden_waits = domain.period_waits = ""
    Grant.objects.filter(domain_id=domain.pk).delete()
    if domain.pk:
        provider_left.send(Domain, domain_id=domain.pk)


def set_login(domain: Domain, client_id: str, client_secret: str) -> None:
    """Keep the login credentials; an empty secret keeps the stored one."""
    before = audit.snapshot(domain, *ENVIRONMENT_COLUMNS)
    domain.login_client_id = client_id
    if client_secret:
        domain.login_client_secret = sealed(client_secret)
    _save_credentials(domain, before)


def set_name(domain: Domain, name: str) -> None:
    """What the company is called on every page."""
    if name and name != domain.name:
        audit.log(domain.pk, "company changed", domain.slug, {"name": [domain.name, name]})
        domain.name = name
        domain.save(update_fields=["name"])


def set_region(domain: Domain, time_zone: str, country: str) -> None:
    """Where the company is: by whose clock its days and hours go, and how its phone numbers are read from now on."""
    before = audit.snapshot(domain, *REGION_COLUMNS)
    domain.time_zone, domain.country = time_zone, country
    if changes := audit.differences(before, audit.snapshot(domain, *REGION_COLUMNS)):
        with transaction.atomic():
            domain.save(update_fields=REGION_COLUMNS)
            audit.log(domain.pk, "company changed", domain.slug, changes)
            rights.changed(domain_id=domain.pk)  # open pages and TVs load anew: they have the zone with them


def _save_credentials(domain: Domain, before: dict[str, object]) -> None:
    domain.save(update_fields=list(before))
    changes = audit.differences(before, audit.snapshot(domain, *before))
    audit.log_changes(domain.pk, "company changed", domain.slug, changes)


def set_retention(domain: Domain, calls_days: int | None, notes_days: int | None, **others: int | None) -> None:
    """Keep strangers on calls, and notes, for so many days from now on; None is for ever.

    `others` are the rest of RETENTION_COLUMNS by their names, where None leaves it as it is.
    """
    before = audit.snapshot(domain, *RETENTION_COLUMNS)
    domain.calls_kept_days, domain.notes_kept_days = calls_days, notes_days
    for column, days in others.items():
        if days is not None:
            setattr(domain, column, days)
    domain.save(update_fields=RETENTION_COLUMNS)
    audit.log_changes(
        domain.pk, "keeping changed", domain.slug, audit.differences(before, audit.snapshot(domain, *RETENTION_COLUMNS))
    )


def set_reading(
    domain: Domain,
    wait_unit: str,
    call_time_zone: str,
    hidden_waits: Collection[str] = (),
    period_waits: Collection[str] = (),
) -> None:
    """How the provider's waits and call times are read from now on; nothing happens where that is so already.

    `hidden_waits` are "longest" and "average" where these must not be shown as waits of now; `period_waits` are those
    of them that may be shown as waits of a period.
    """
    before = audit.snapshot(domain, *FOUND_COLUMNS)
    domain.wait_unit, domain.call_time_zone = wait_unit, call_time_zone
    domain.hidden_waits, domain.period_waits = " ".join(sorted(hidden_waits)), " ".join(sorted(period_waits))
    if changes := audit.differences(before, audit.snapshot(domain, *FOUND_COLUMNS)):
        domain.save(update_fields=FOUND_COLUMNS)
        audit.log(domain.pk, "company changed", domain.slug, changes)


def hides_wait(domain: Domain, name: str) -> bool:
    """Whether this wait ("longest", "average") must not be shown: it is none of now, or its unit is in doubt."""
    return name in domain.hidden_waits.split()


def learn_provider_domain(domain: Domain, name: str, by: str) -> str:
    """Store what the provider calls the company's domain, unless something stands there; gives what then stands."""
    # One statement: what an administrator types at the same moment stays.
    if Domain.objects.filter(pk=domain.pk, provider_domain="").update(provider_domain=name):
        audit.log(domain.pk, "provider domain learned", domain.slug, {"provider_domain": ["", name], "by": [None, by]})
    domain.refresh_from_db(fields=["provider_domain"])
    return domain.provider_domain


def learn_from_link(grant: Grant, extension: str) -> None:
    """A sign-in was found to be this extension, so the domain with which the provider named it is the company's."""
    names = [user_names.read(text) for text in (grant.named_by_token, grant.named_by_probe)]
    named = {name.domain for name in names if name.user == extension and name.domain}
    # Two domains prove neither.
    if len(named) == 1 and not grant.domain.provider_domain:
        learn_provider_domain(grant.domain, named.pop(), "sign-in")


def _existing() -> Domain | None:
    same = Domain.objects.filter(base_url=settings.PROVIDER_BASE_URL, client_id=settings.PROVIDER_CLIENT_ID)
    # By the credentials first: its slug may have been edited.
    return same.order_by("pk").first() or Domain.objects.filter(slug=SLUG).first()


def _new() -> Domain:
    zone = settings.PROVIDER_TIME_ZONE
    name, key = _name(settings.PROVIDER_BASE_URL), addresses.new_callback_key()
    return Domain(slug=SLUG, name=name, time_zone=zone, call_time_zone=zone, callback_key=key)


def _name(base_url: str) -> str:
    """A first name to be improved in the admin site: the provider's host, where that means anything to people."""
    host = urlsplit(base_url).hostname or ""
    return gettext("Your company") if validators.is_local(host) else host


def _take_over(domain: Domain) -> bool:
    """Set address and credentials; answers whether anything about the company-wide grant is new."""
    before = (domain.base_url, domain.client_id)
    if domain.base_url != settings.PROVIDER_BASE_URL:
        leave_provider(domain)
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
        # Sealed again, the same text is another: only what is opened can be compared.
        return isinstance(stored, Sealed) and stored.open() == text
    except WrongKey:
        return False


def _check(name: str, value: str, validate: Callable[[str], None]) -> None:
    try:
        validate(value)
    except ValidationError as error:
        raise ImproperlyConfigured(f"{name}: {error.messages[0]}") from error
