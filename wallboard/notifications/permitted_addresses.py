"""Which addresses messages may go to: public ones, and those in networks that the operator lists.

Knows no Django: the process that sends through apprise reads it as well.
"""

import ipaddress
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Network = IPv4Network | IPv6Network
GLOBAL_V6 = IPv6Network("2000::/3")
# In there, and yet nobody's address: tunnels that carry IPv4 to who knows where, protocol and documentation ranges.
CLOSED_V6 = tuple(IPv6Network(each) for each in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
NAT64 = IPv6Network("64:ff9b::/96")
CLOSED_V4 = (IPv4Network("192.88.99.0/24"),)  # relays of 6to4


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Networks and single addresses as people write them; raises ValueError at one that is none."""
    return tuple(ipaddress.ip_network(text, strict=False) for text in texts)


def is_permitted(address: str, allowed: Iterable[Network]) -> bool:
    """Whether a connection to this address may be opened; `allowed` is what the operator lists."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return is_listed(address, allowed) or _is_public(found)


def is_listed(address: str, allowed: Iterable[Network]) -> bool:
    """Whether the operator lists this address or a network that it lies in."""
    found = ipaddress.ip_address(address)
    return any(found.version == network.version and found in network for network in allowed)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast and not _is_in(address, CLOSED_V4)
    if address in NAT64:
        return _is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    return address in GLOBAL_V6 and address.is_global and not _is_in(address, CLOSED_V6)


def _is_in(address: IPv4Address | IPv6Address, closed: Iterable[Network]) -> bool:
    return any(address in network for network in closed)
