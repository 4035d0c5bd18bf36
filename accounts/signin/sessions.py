"""Sessions of users: which are alive, whose they are, and the end of all of them."""

from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from functools import partial
from itertools import chain
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare

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


def users_of(keys: Collection[str]) -> dict[str, User]:
    """Who is signed in with each of these session keys; one of no living session is missing.

    The checks are those of django.contrib.auth.get_user(), for many at once. It would also give a session whose hash is
    that of a former SECRET_KEY another key: that only a page can do, which sends the browser its new cookie.
    """
    rows = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    contents = {row.session_key: row.get_decoded() for row in rows}
    ids = {key: int(each[SESSION_KEY]) for key, each in contents.items() if SESSION_KEY in each}
    users = User.objects.in_bulk(set(ids.values()))
    return {
        key: users[user_id]
        for key, user_id in ids.items()
        if user_id in users and _is_of(contents[key], users[user_id])
    }


def _is_of(content: Mapping[str, Any], user: User) -> bool:
    """Whether what a session holds is a living sign-in of that user."""
    held = content.get(HASH_SESSION_KEY)
    if not held or not user.is_active or content.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return False
    hashes = chain((user.get_session_auth_hash(),), user.get_session_auth_fallback_hash())
    return any(constant_time_compare(held, each) for each in hashes)
