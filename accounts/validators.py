"""What may stand in a company's settings."""

from ipaddress import ip_address
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from phonenumbers import SUPPORTED_REGIONS

LOCAL_ENDINGS = (".localhost", ".local", ".test", ".internal")


def provider_address(url: str) -> None:
    """An address that secrets may be sent to: https, or plain http inside this machine or network."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise ValidationError(_("The address must look like https://phones.example.com."))
    if parts.scheme == "http" and not is_local(parts.hostname):
        raise ValidationError(_("The address must start with https://, as secrets are sent to it."))


def is_local(host: str) -> bool:
    """Whether the host cannot be outside this machine or this private network."""
    try:
        address = ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(LOCAL_ENDINGS)
    return address.is_loopback or (address.is_private and not address.is_link_local)


def time_zone(name: str) -> None:
    """A zone of the time zone database, such as Europe/Berlin."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValidationError(_("“%(name)s” is no time zone such as Europe/Berlin."), params={"name": name}) from error


def country(code: str) -> None:
    """A country whose phone numbers can be read, by its two capital letters."""
    if code not in SUPPORTED_REGIONS:
        raise ValidationError(_("“%(code)s” is no country such as US or DE."), params={"code": code})
