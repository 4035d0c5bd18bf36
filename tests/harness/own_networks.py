"""The networks that tests made for themselves on this machine: connections from tests may go there, and to loopback."""

from typing import Any

subnets: set[str] = set()  # as 10.64.1, of 256 addresses each


def is_ours(host: Any) -> bool:
    """Whether that address is of this machine."""
    return host in ("127.0.0.1", "::1", "localhost") or str(host).rpartition(".")[0] in subnets
