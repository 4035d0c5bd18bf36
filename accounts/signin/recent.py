"""How long ago somebody proved who they are, by a sign-in of whatever kind: some changes want it to be minutes.

A browser that was left open for a moment shall not be enough to leave a key of one's own in somebody else's account.
"""

import time
from typing import Any

from django.http import HttpRequest

SIGNED_IN_AT = "signed_in_at"
SECONDS = 15 * 60


def note(request: HttpRequest | None, **_: Any) -> None:
    """Somebody signs in with this request."""
    if request is not None:
        request.session[SIGNED_IN_AT] = int(time.time())


def is_recent(request: HttpRequest) -> bool:
    """Whether this session's sign-in is minutes old."""
    signed_in_at: int = request.session.get(SIGNED_IN_AT, 0)
    return 0 <= time.time() - signed_in_at < SECONDS
