"""The end of sessions: one call ends every session of a user and closes the sockets that it opened."""

from django.db.models import F

from accounts.models import User


def end(user: User) -> None:
    """End all sessions of the user, in every browser, and its open sockets within seconds."""
    from wallboard.live import control

    User.objects.filter(pk=user.pk).update(session_round=F("session_round") + 1)
    control.close_user(user.pk)
