"""Where the provider was told to post to, held against where the company is reached now."""

import msgspec

from accounts.companies import addresses
from accounts.encryption import WrongKey
from accounts.models import Domain
from wallboard.calls.models import Subscription


def is_elsewhere(row: Subscription, domain: Domain) -> bool:
    """Whether the provider was given an address at another one than the company's present base address."""
    address = _post_uri(row)
    return address is not None and not address.startswith(f"{addresses.of(domain)}/hooks/")


def is_at_home(row: Subscription, domain: Domain) -> bool:
    """Whether it was given one at the present base address; what cannot be read any more is not."""
    return _post_uri(row) is not None and not is_elsewhere(row, domain)


def _post_uri(row: Subscription) -> str | None:
    try:
        return str(msgspec.json.decode(row.request_body.open())["post_uri"])
    except (WrongKey, msgspec.MsgspecError, KeyError, TypeError):
        return None
