"""What a session keeps until the same browser comes back: a sign-in that was begun, a challenge for a passkey.

Each counts once and for ten minutes. Of what is kept under one name the latest few stay: tabs on their way at once.
"""

import time
from typing import Any

from django.contrib import auth
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.signin import start_throttle

# RFC 9700 section 4.7 asks for one use and a short life; people look for passwords meanwhile.
SECONDS = start_throttle.WINDOW_SECONDS
MOST = 8  # tabs that may be on their way at once
Kept = dict[str, Any]


def keep(session: SessionBase, name: str, key: str, value: Kept) -> None:
    """Remember this under the name and key."""
    kept = _young(session.get(name, {})) | {key: {**value, "at": int(time.time())}}
    session[name] = dict(list(kept.items())[-MOST:])
    if auth.SESSION_KEY not in session:
        session.set_expiry(SECONDS)  # of a visitor nothing else is kept; anybody can be one


def take(session: SessionBase, name: str, key: str) -> Kept | None:
    """Take it out of the stored session by compare-and-set: of equal requests at once one gets it."""
    while True:
        row = Session.objects.filter(session_key=session.session_key, expire_date__gt=timezone.now()).first()
        stored = row.get_decoded() if row else {}
        kept = _young(stored.get(name, {}))
        found: Kept | None = kept.pop(key, None)
        if row is None or found is None:
            return None
        unchanged = Session.objects.filter(session_key=row.session_key, session_data=row.session_data)
        if unchanged.update(session_data=session.encode(stored | {name: kept})):
            # This session was read before, and saving it must not bring back what was taken.
            session[name] = kept
            return found


def _young(kept: dict[str, Kept]) -> dict[str, Kept]:
    return {key: each for key, each in kept.items() if each["at"] > time.time() - SECONDS}
