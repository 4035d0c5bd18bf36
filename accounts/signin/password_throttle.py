"""Guessing passwords is slow, at the admin site too: ten failures from an address, then a quarter of an hour's pause.

Fifty about one user, wherever they come from, make a pause for that user; it does not hold where that user signed in
before, so nobody can lock an administrator out from somewhere else. Everybody else signs in at the provider, which
looks after its own passwords.
"""

from datetime import timedelta

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts.companies import hosts
from accounts.models import FailedSignIn, KnownAddress, User
from accounts.signin import client_address, operators

MAX_PER_ADDRESS = 10  # from one address
MAX_FOR_USER = 50  # from anywhere: one address alone gets nobody there
WINDOW = timedelta(minutes=15)
KNOWN_ADDRESS_LIFETIME = timedelta(days=400)  # after the last sign-in from there
TOO_MANY = _("Too many wrong passwords from your address. Wait a quarter of an hour, or run “manage.py unlock”.")
PAUSED = _("Your company is paused here. Whoever runs this installation can resume it.")
TOO_MANY_FOR_USER = _(
    "Too many wrong passwords for this user. Sign in where you did before, wait a quarter of an hour, or run "
    "“manage.py unlock”."
)


class SlowForm(AuthenticationForm):
    """A sign-in that looks at the password only while address and user have tries left."""

    def clean(self) -> dict[str, object]:
        address = client_address.network_of(client_address.of_request(self.request))
        name = str(self.cleaned_data.get("username") or "")
        # Stored before it is judged: of a hundred at the same moment each counts those before it.
        attempt = FailedSignIn.objects.create(address=address, name_hash=hash_of(name))
        if refusal := refusal_of(attempt, name):
            # What nobody looked at does not make the pause longer.
            attempt.delete()
            raise ValidationError(refusal)
        # Raises where the password is wrong: then the attempt stays.
        cleaned: dict[str, object] = super().clean()
        attempt.delete()
        if (user := self.get_user()) is not None:
            remember_address(user, address)
        if self.request is not None:
            self.request.session.set_expiry(None)  # that of a visitor on the way to the provider is short
        return cleaned


class AdminSignInForm(SlowForm, AdminAuthenticationForm):
    """The admin site's sign-in."""


class LocalSignInForm(SlowForm):
    """The sign-in of a local account: of a person of a company with a password, or of an operator."""

    def confirm_login_allowed(self, user: User) -> None:
        """An account that stands for nobody has no page here. Raises ValidationError."""
        super().confirm_login_allowed(user)
        at_host = hosts.company_at(self.request) if self.request is not None else None
        try:
            if not operators.may_enter(user, at_host):
                raise self.get_invalid_login_error()
        except operators.Paused as error:
            raise ValidationError(PAUSED) from error


def hash_of(name: str) -> str:
    """What is kept of a user name that was typed; the same for "" always."""
    return salted_hmac("accounts.signin.password_throttle.name", name, algorithm="sha256").hexdigest() if name else ""


def refusal_of(attempt: FailedSignIn, name: str) -> str:
    """Why this attempt is one too many, "" where it is not. Counted before the password is looked at.

    A name that nobody has is treated as one that somebody has: the answer tells nothing.
    """
    now = timezone.now()
    # The later ones are of a clock that was set back since: they would lock people out until it is there.
    FailedSignIn.objects.filter(Q(at__lt=now - WINDOW) | Q(at__gt=now + WINDOW)).delete()
    earlier = FailedSignIn.objects.filter(pk__lt=attempt.pk)
    if earlier.filter(address=attempt.address).count() >= MAX_PER_ADDRESS:
        return str(TOO_MANY)
    if not name or earlier.filter(name_hash=attempt.name_hash).count() < MAX_FOR_USER:
        return ""
    known = KnownAddress.objects.filter(
        user__username=name, address=attempt.address, at__gt=now - KNOWN_ADDRESS_LIFETIME
    )
    return "" if known.exists() else str(TOO_MANY_FOR_USER)


def remember_address(user: User, address: str) -> None:
    """The user signed in from this address, and may do so again whatever others try elsewhere."""
    now = timezone.now()
    KnownAddress.objects.update_or_create(user=user, address=address, defaults={"at": now})
    KnownAddress.objects.filter(user=user, at__lt=now - KNOWN_ADDRESS_LIFETIME).delete()


def unlock(whom: str = "") -> int:
    """Forget the failures of an address, or about a user, or all; answers how many those were."""
    failures = FailedSignIn.objects.all()
    if whom:
        failures = failures.filter(Q(address=client_address.network_of(whom)) | Q(name_hash=hash_of(whom)))
    return failures.delete()[0]
