"""Sessions of users: which are alive, and the end of all of them."""

from functools import partial

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from wallboard.live import control


def end(user_id: int) -> None:
    """End all sessions of the user, in every browser, and its open sockets within seconds of the commit."""
    User.objects.filter(pk=user_id).update(session_round=F("session_round") + 1)
    close_sockets(user_id)


def close_sockets(user_id: int) -> None:
    """Make open pages of the user connect again, after the commit, so that changed rights hold at once."""
    transaction.on_commit(partial(control.close_user, user_id), robust=True)


def live_user_ids() -> set[int]:
    """Users with a session that has not run out, ended ones included until the table is cleared."""
    alive = Session.objects.filter(expire_date__gt=timezone.now()).iterator()
    ids = (session.get_decoded().get(SESSION_KEY) for session in alive)
    return {int(user_id) for user_id in ids if user_id}
