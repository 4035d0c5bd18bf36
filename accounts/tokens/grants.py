"""The upkeep of sign-ins: whom the provider no longer knows loses the session, what nobody uses is forgotten."""

import logging
from datetime import timedelta

from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts import audit, leases
from accounts.encryption import WrongKey
from accounts.models import Grant, User
from accounts.signin import identity, joining, sessions
from accounts.tokens import clients
from wallboard.telephony import errors

log = logging.getLogger(__name__)
LEASE_SECONDS = 60  # from each sign-in on; above what one refresh can take
UNUSED_HOURS = 24  # a grant without any session is forgotten after this long


def maintain() -> None:
    """Refresh what is about to end and tidy up; one process at a time."""
    lease = leases.acquire("grants", LEASE_SECONDS)
    if lease is None:
        return
    with lease:
        alive = sessions.live_user_ids()
        for grant in Grant.objects.filter(user__in=alive, refused_at=None).select_related("user", "domain"):
            # One refresh took so long that another process has taken over.
            if not lease.renew(LEASE_SECONDS):
                return
            check(grant)
        forget_unused(alive)
        identity.forget_old_probes()
        audit.forget_old()
        # Django leaves them there for ever.
        Session.objects.filter(expire_date__lt=timezone.now()).delete()


def check(grant: Grant) -> None:
    """Prove that the provider still stands behind a sign-in; ends the user's sessions where it does not."""
    if not grant.user.is_active or grant.ends_at <= timezone.now():
        clients.refuse(grant)
        return
    # Nothing to ask with: this sign-in ends with its access token.
    if not grant.refresh_issued_at:
        return
    try:
        clients.GrantTokenSource(grant)()
    except errors.ProviderError as error:
        log.info("A sign-in could not be confirmed: %s", error.kind)
    except WrongKey:
        log.warning("The sign-in of user %d cannot be opened with any of TOKEN_KEYS.", grant.user_id)
    except Grant.DoesNotExist:
        log.info("A sign-in was forgotten meanwhile.")


def forget_unused(alive: set[int]) -> None:
    """Forget the tokens of those who are signed in nowhere, and sign-ins that never came to belong to anybody."""
    idle = Grant.objects.exclude(user__in=alive).filter(signed_in_at__lt=timezone.now() - timedelta(hours=UNUSED_HOURS))
    nobodies = User.objects.filter(person=None, is_superuser=False, is_staff=False, is_operator=False)
    # Whoever has a password or a passkey has a way in without the provider.
    nobodies.filter(joining.WITHOUT_PASSWORD, grant__in=idle, passkeys=None).delete()
    idle.delete()
