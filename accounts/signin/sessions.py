"""Sessions of users: which are alive, and the end of all of them."""

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


def close_sockets(user_id: int) -> None:
    """Make open pages of the user connect again, after the commit, so that changed rights hold at once.

    Where Redis cannot be told, within two seconds, if what they may see has really changed.
    """
    rights.changed(user_id=user_id)
    # robust: a Redis that is away must not make an error of what is saved.
    transaction.on_commit(partial(control.close_user, user_id), robust=True)


def live_user_ids() -> set[int]:
    """Users with a session that does not run out within minutes, ended ones included until the table is cleared.

    Visitors, of whom there may be many, have none that lasts longer, and are not looked at.
    """
    soon = timezone.now() + timedelta(seconds=WINDOW_SECONDS)
    alive = Session.objects.filter(expire_date__gt=soon).iterator()
    ids = (session.get_decoded().get(SESSION_KEY) for session in alive)
    return {int(user_id) for user_id in ids if user_id}
