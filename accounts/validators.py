"""What may stand in a company's settings."""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _
from phonenumbers import SUPPORTED_REGIONS

POLL_SECONDS = [MinValueValidator(0.2), MaxValueValidator(3600)]
RETENTION_DAYS = [MinValueValidator(1), MaxValueValidator(3650)]  # numbers of outsiders and notes; empty is for ever
LEAST_KEPT, MOST_KEPT = 30, 3650
KEPT_DAYS = [MinValueValidator(LEAST_KEPT), MaxValueValidator(MOST_KEPT)]  # calls, and minutes of queues
REPLAY_DAYS = [MaxValueValidator(3650)]  # what boards showed; 0 records nothing
HOST_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
NUMERIC = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")
EXTENSION = re.compile(r"\A[\w+][\w.+-]*\Z")
WRONG_EXTENSION = _(
    "An extension has at most 64 letters, digits, dots, dashes, underscores or plus signs, and no spaces."
)
LOCAL_ENDINGS = (".localhost", ".local", ".test", ".internal")


def provider_address(url: str) -> None:
    """An address that secrets may be sent to: https, or plain http inside this machine or network."""
    parts = _split(url)
    if (
        parts is None
        or parts.scheme not in ("http", "https")
        or not parts.hostname
        or parts.query
        or parts.fragment
        or parts.username
    ):
        raise ValidationError(_("The address must look like https://phones.example.com."))
    if parts.scheme == "http" and (not is_local(parts.hostname) or is_link_local(parts.hostname)):
        raise ValidationError(_("The address must start with https://, as secrets are sent to it."))


def authorize_path(path: str) -> None:
    """A path at the provider's own address, without a query: browsers with people in them are sent there."""
    parts = _split(path)
    is_plain = parts is not None and not (parts.scheme or parts.netloc or parts.query or parts.fragment)
    # Browsers take a backslash for a slash, so such a path could lead to another host.
    is_plain = is_plain and "\\" not in path
    if not path.startswith("/") or not is_plain or not path.isprintable() or " " in path:
        raise ValidationError(_("The path must look like /api/oauth/authorize/."))


def _split(address: str) -> SplitResult | None:
    """The parts of an address; None for what is none, such as https://[."""
    try:
        return urlsplit(address)
    except ValueError:
        return None


def host_name(name: str) -> None:
    """A name of a host as DNS has it, in small letters: browsers send it like that."""
    labels = name.split(".")
    # A name that ends in a number is an address to browsers.
    if len(name) > 253 or not all(map(HOST_LABEL.fullmatch, labels)) or NUMERIC.fullmatch(labels[-1]):
        raise ValidationError(_("A host name looks like acme.example.com: no https:// and no path."))


def is_local(host: str) -> bool:
    """Whether the host cannot be outside this machine or this private network.

    A name that ends in a number is an address to browsers and to the system (`134744072`, `0x8.8`), however written.
    """
    try:
        address = ip_address(host)
    except ValueError:
        if NUMERIC.fullmatch(host.rpartition(".")[2]):
            return False
        return "." not in host or host.endswith(LOCAL_ENDINGS)
    return address.is_loopback or address.is_private


def is_link_local(host: str) -> bool:
    """Whether the host is an address of the cable only, at which clouds hand credentials to whoever asks."""
    try:
        return ip_address(host).is_link_local
    except ValueError:
        return False


def time_zone(name: str) -> None:
    """A zone of the time zone database, such as Europe/Berlin."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        # A part of a name, such as Europe, is a folder: reading that is an OSError.
        raise ValidationError(_("“%(name)s” is no time zone such as Europe/Berlin."), params={"name": name}) from error


def country(code: str) -> None:
    """A country whose phone numbers can be read, by its two capital letters."""
    if code not in SUPPORTED_REGIONS:
        raise ValidationError(_("“%(code)s” is no country such as US or DE."), params={"code": code})


def language(code: str) -> None:
    """A language that pages can be read in, by its code (accounts/languages/catalogues.py)."""
    if code not in dict(settings.LANGUAGES):
        raise ValidationError(_("Choose a language from the list."))
