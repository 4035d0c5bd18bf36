"""The address of the installation, PUBLIC_URL: of the environment where that names one, else stored, set on a page.

What Django's settings hold of a stored one follows it in every process, without a restart: whoever needs the address
asks `url`, which looks into the database every few seconds, and so does each request (wallboard/middleware.py).
"""

import secrets
import time
from datetime import timedelta
from hashlib import sha256
from ipaddress import IPv4Address
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DatabaseError, InterfaceError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit, validators
from accounts.companies.installation_row import Installation
from accounts.models import Domain, User

ROW = 1
FRESH_SECONDS = 2.0  # how late a process may notice what another one changed
KEY_VALIDITY = timedelta(minutes=10)
HSTS_SECONDS = 31_536_000
DEFAULT_PORTS = {"http": 80, "https": 443}
_looked_at: float | None = None


def url() -> str:
    """The base address that people, TVs and the provider are given, but for companies with a host of their own."""
    follow()
    return str(settings.PUBLIC_URL)


def parts() -> SplitResult:
    """The same, split."""
    return urlsplit(url())


def is_fixed() -> bool:
    """Whether the environment names the address, which wins."""
    return bool(settings.IS_PUBLIC_URL_FIXED)


def is_due() -> bool:
    """Whether the next `follow` asks the database."""
    return not is_fixed() and (_looked_at is None or time.monotonic() - _looked_at >= FRESH_SECONDS)


def follow() -> None:
    """Let this process take up what another one stored."""
    global _looked_at
    if not is_due():
        return
    _looked_at = time.monotonic()
    try:
        row = Installation.objects.filter(pk=ROW).first()
    except (DatabaseError, InterfaceError):
        return  # what was known goes on
    if row is not None and row.public_url:
        _apply(row.public_url, row.previous_url)


def checked(text: str) -> str:
    """The address as it is stored. Raises ValidationError."""
    try:
        found = urlsplit(text.strip().rstrip("/"))
        port = found.port
    except ValueError:
        found, port = urlsplit(""), None
    host = found.hostname or ""
    is_more = found.path or found.query or found.fragment or found.username is not None or port == 0
    if found.scheme not in DEFAULT_PORTS or is_more or not _is_host(host):
        raise ValidationError(_("The address must look like https://wallboard.example.com, without a path."))
    if found.scheme == "http" and not validators.is_local(host):
        raise ValidationError(_("The address must start with https:// where its host can be reached from outside."))
    if settings.DEBUG and not validators.is_local(host):
        raise ValidationError(_("Switch DEBUG off first: it shows settings and code."))
    if Domain.objects.filter(host=host).exists():
        raise ValidationError(_("This is the host of a company. Give the installation another one."))
    return f"{found.scheme}://{host}" + ("" if port in (None, DEFAULT_PORTS[found.scheme]) else f":{port}")


def store(address: str) -> None:
    """Have every process use this address from now on; `checked` gave it, and the environment names none."""
    before = url()
    if address == before:
        Installation.objects.update_or_create(pk=ROW, defaults={"public_url": address})
        return
    with transaction.atomic():
        values = {"public_url": address, "previous_url": before}
        Installation.objects.update_or_create(pk=ROW, defaults=values)
        audit.log(None, "public address changed", address, {"address": [before, address]})
    _apply(address, before)


def is_stored() -> bool:
    """Whether somebody chose the address, on the page or with `manage.py setup --url`."""
    return Installation.objects.filter(pk=ROW).exclude(public_url="").exists()


def key_for(user: User) -> str:
    """A key with which this user goes on at the new address, where the browser has no session yet."""
    key = secrets.token_urlsafe(32)
    values = {"key_hash": _hash_of(key), "key_user": user, "key_until": timezone.now() + KEY_VALIDITY}
    Installation.objects.update_or_create(pk=ROW, defaults=values)
    return key


def user_of(key: str) -> User | None:
    """Whose key this is; it counts no second time."""
    good = Installation.objects.filter(pk=ROW, key_hash=_hash_of(key), key_until__gt=timezone.now())
    user = next((row.key_user for row in good.select_related("key_user")), None)
    # Changed by one statement: whoever comes second finds no row.
    if user is None or not good.update(key_hash="", key_user=None, key_until=None):
        return None
    return user if user.is_active else None


def leads_from(host: str) -> str | None:
    """Where plain http at this host is led to: from the previous one to the present, else to the same host."""
    return str(settings.PUBLIC.netloc) if settings.PREVIOUS_URL and host == _host_of(settings.PREVIOUS_URL) else None


def release(host: str | None) -> None:
    """The previous host is a company's now, and leads on no more."""
    row = Installation.objects.filter(pk=ROW).first()
    if host and row is not None and row.previous_url and host == _host_of(row.previous_url):
        Installation.objects.filter(pk=ROW).update(previous_url="")
        _apply(row.public_url, "")


def _host_of(address: str) -> str:
    return urlsplit(address).hostname or ""


def _apply(address: str, previous: str) -> None:
    """Set what settings.py derives of the address."""
    if (address, previous) == (settings.PUBLIC_URL, settings.PREVIOUS_URL):
        return
    old = {_host_of(each) for each in (settings.PUBLIC_URL, settings.PREVIOUS_URL)}
    new, is_https = urlsplit(address), address.startswith("https://")
    settings.PUBLIC_URL, settings.PUBLIC, settings.PREVIOUS_URL = address, new, previous
    settings.PORT_PART = f":{new.port}" if new.port else ""
    wanted = [host for host in (_host_of(address), _host_of(previous)) if host]
    kept = [host for host in settings.ALLOWED_HOSTS if host not in old or host in settings.FURTHER_HOSTS]
    settings.ALLOWED_HOSTS[:] = [*kept, *(host for host in dict.fromkeys(wanted) if host not in kept)]
    settings.IS_HTTPS = settings.SECURE_SSL_REDIRECT = is_https
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = is_https
    settings.SECURE_HSTS_SECONDS = HSTS_SECONDS if is_https else 0
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if is_https else None


def _is_host(host: str) -> bool:
    try:
        IPv4Address(host)
    except ValueError:
        try:
            validators.host_name(host)
        except ValidationError:
            return False
    return True


def _hash_of(key: str) -> str:
    return sha256(key.encode(errors="replace")).hexdigest()
