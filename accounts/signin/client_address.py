"""Where a request comes from: the address of the browser, behind as many reverse proxies as TRUSTED_PROXIES names."""

from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest

MAX_LENGTH = 64


def of_request(request: HttpRequest | None) -> str:
    """The client's address, "" where there is none. X-Forwarded-For is believed as far as our own proxies wrote it."""
    if request is None:
        return ""
    return resolve(request.headers.get("X-Forwarded-For", ""), str(request.META.get("REMOTE_ADDR", "")))


def resolve(forwarded_for: str, peer: str) -> str:
    """As of_request(), from the header and the address of whoever opened the connection."""
    hops = settings.TRUSTED_PROXIES
    forwarded = [part.strip() for part in forwarded_for.split(",")]
    # From the right: each proxy adds whom it saw, and what stands further left a visitor may have made up.
    is_known = hops and len(forwarded) >= hops and forwarded[-hops]
    return (forwarded[-hops] if is_known else peer)[:MAX_LENGTH]


def proxies_differ(request: HttpRequest) -> bool:
    """Whether this request came through another number of proxies than TRUSTED_PROXIES names.

    With fewer named, everybody would share the proxy's address, and a single visitor could use up what the throttles
    leave to all. Only for those who look at the settings: a visitor can write such headers, too.
    """
    hops = settings.TRUSTED_PROXIES
    forwarded = [part for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    if not hops:
        return bool(forwarded) or (settings.IS_HTTPS and "X-Forwarded-Proto" in request.headers)
    return len(forwarded) < hops


def network_of(address: str) -> str:
    """What limits are counted by: an IPv4 address itself, of IPv6 the /48 that one customer may have."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    # A server that listens on IPv6 sees visitors over IPv4 as mapped addresses.
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 80 << 80))
