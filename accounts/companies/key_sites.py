"""The site that a passkey belongs to: the host that was asked for, be it the installation's or a company's own.

A browser makes and uses a key for one host only, and its answer names that host: no key counts at another one.
"""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.http import HttpRequest

from accounts.companies import addresses, hosts

DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Site:
    """`host` is what keys call the relying party, `domain_id` the company whose own host it is."""

    host: str
    origin: str
    domain_id: int | None = None

    @property
    def is_possible(self) -> bool:
        """Whether browsers know keys here: they want a name, and https unless it is this machine's own."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            ip_address(self.host)
        except ValueError:
            return self.origin.startswith("https://")
        return False


def of(request: HttpRequest) -> Site:
    """The site that was asked for; never another host than one that is known."""
    parts = urlsplit(addresses.here(request))
    # As browsers write it: without the port that goes without saying.
    port = f":{parts.port}" if parts.port not in (None, DEFAULT_PORTS[parts.scheme]) else ""
    shown = f"[{parts.hostname}]" if ":" in str(parts.hostname) else str(parts.hostname)
    return Site(str(parts.hostname), f"{parts.scheme}://{shown}{port}", hosts.company_at(request))
