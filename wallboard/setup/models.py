"""How a company looks, what it asks about callers, and the key to an installation that nobody administrates yet."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SealedField
from accounts.models import Domain
from wallboard.boards.models import Image


class Brand(models.Model):
    """A company's own look on pages and boards (brands.py): a colour as #rrggbb, a logo, and where reading begins."""

    class Direction(models.TextChoices):
        LANGUAGE = "", _("as the language reads")
        LTR = "ltr", _("left to right")
        RTL = "rtl", _("right to left")

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="brand")
    colour = models.CharField(max_length=7, blank=True)
    logo = models.ForeignKey(Image, models.SET_NULL, null=True, blank=True)
    direction = models.CharField(max_length=3, choices=Direction, blank=True)

    class Meta:
        db_table = "boards_brand"  # as in the releases in which it lay in another app

    def __str__(self) -> str:
        return str(self.domain)


class CallerSource(models.Model):
    """A company's own address that is asked for the record of a caller (callers/records.py), signed with `secret`.

    `outcome` says in words how the last question went that failed, or that one went well; `version` counts changes.
    """

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="caller_source")
    is_on = models.BooleanField(default=False)
    url = SealedField()
    secret = SealedField()
    version = models.PositiveIntegerField(default=1)
    asked_at = models.DateTimeField(null=True)
    is_failing = models.BooleanField(default=False)
    outcome = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return str(self.domain)


class FirstKey(models.Model):
    """The key that makes the first administrator (first_key.py): its hash, until when it counts, and of which company.

    Without a company it is the key to the installation.
    """

    domain = models.OneToOneField(Domain, models.CASCADE, null=True, blank=True)
    key_hash = models.CharField(max_length=64)
    until = models.DateTimeField()
