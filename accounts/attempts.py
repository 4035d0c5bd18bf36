"""Guessing passwords at the admin site is slow: ten failures from one address, then a pause of a quarter of an hour.

Only the address counts, so nobody can lock an administrator out from somewhere else. Everybody else signs in at the
provider, which looks after its own passwords.
"""

from datetime import timedelta

from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import FailedSignIn

MOST = 10
WINDOW = timedelta(minutes=15)
TOO_MANY = _("Too many wrong passwords from your address. Wait a quarter of an hour, or run “manage.py unlock”.")


class AdminSignInForm(AdminAuthenticationForm):
    """The admin site's sign-in, which looks at the password only while the address has tries left."""

    def clean(self) -> dict[str, object]:
        attempt = FailedSignIn.objects.create(address=address_of(self.request))
        if is_over(attempt):
            attempt.delete()
            raise ValidationError(TOO_MANY)
        cleaned: dict[str, object] = super().clean()
        attempt.delete()
        if self.request is not None:
            self.request.session.set_expiry(None)  # that of a visitor on the way to the provider is short
        return cleaned


def is_over(attempt: FailedSignIn) -> bool:
    """Whether the address had used up its tries before this one. Counted before the password is looked at."""
    FailedSignIn.objects.filter(at__lt=timezone.now() - WINDOW).delete()
    return FailedSignIn.objects.filter(address=attempt.address, pk__lt=attempt.pk).count() >= MOST


def address_of(request: HttpRequest | None) -> str:
    """Where a request comes from. X-Forwarded-For is believed only as far as proxies of our own wrote it."""
    if request is None:
        return ""
    return address(request.headers.get("X-Forwarded-For", ""), str(request.META.get("REMOTE_ADDR", "")))


def address(forwarded_for: str, remote: str) -> str:
    """As address_of(), from the header and the address of whoever connected."""
    hops = settings.TRUSTED_PROXIES
    forwarded = [part.strip() for part in forwarded_for.split(",")]
    is_known = hops and len(forwarded) >= hops and forwarded[-hops]
    return (forwarded[-hops] if is_known else remote)[:64]


def unlock(address: str = "") -> int:
    """Forget the failures of an address, or all; answers how many those were."""
    failures = FailedSignIn.objects.filter(address=address) if address else FailedSignIn.objects.all()
    return failures.delete()[0]
