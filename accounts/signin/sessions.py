"""Sessions of users: which are alive, and the end of all of them."""

from collections.abc import Iterable
from datetime import timedelta
from functools import partial

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from accounts.signin import rights
from accounts.signin.start_throttle import WINDOW_SECONDS
from wallboard.live import control


def end(user_id: int) -> None:
    """End all sessions of the user, in every browser, and its open sockets within seconds of the commit."""
    User.objects.filter(pk=user_id).update(session_round=F("session_round") + 1)
    close_sockets(user_id)


def close_sockets(*user_ids: int) -> None:
    """Make open pages of these users connect again, after the commit, so that changed rights hold at once.

    Where Redis cannot be told, within two seconds, if what they may see has really changed.
    """
    for user_id in user_ids:
        rights.changed(user_id=user_id)
    # robust: a Redis that is away must not make an error of what is saved.
    transaction.on_commit(partial(_close_all, user_ids), robust=True)


def _close_all(user_ids: Iterable[int]) -> None:
    # Where Redis does not answer the first, it is not asked for the rest: each would hold the request for a second.
    all(map(control.close_user, user_ids))


def live_user_ids() -> set[int]:
    """Users with a session that does not run out within minutes, ended ones included until the table is cleared.

    Visitors, of whom there may be many, have none that lasts longer, and are not looked at.
    """
    soon = timezone.now() + timedelta(seconds=WINDOW_SECONDS)
    alive = Session.objects.filter(expire_date__gt=soon).iterator()
    ids = (session.get_decoded().get(SESSION_KEY) for session in alive)
    return {int(user_id) for user_id in ids if user_id}
