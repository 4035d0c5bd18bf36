"""What people look at: boards, their drafts and their pictures."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts import validators
from accounts.models import Domain, Person


class Board(models.Model):
    """A wallboard: what it shows stands in `layout` (boards/layout.py reads and checks it).

    `time_zone` is empty where it is the company's, `language` where it is that of whoever looks at it.
    """

    class Theme(models.TextChoices):
        DARK = "dark", _("dark")
        LIGHT = "light", _("light")
        SYSTEM = "system", _("as the device")
        CONTRAST = "contrast", _("high contrast")
        CALM_DARK = "calm-dark", _("calm, dark")
        CALM_LIGHT = "calm-light", _("calm, light")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="boards")
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=80)
    theme = models.CharField(max_length=10, choices=Theme, default=Theme.SYSTEM)
    notice = models.CharField(max_length=200, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=16, blank=True, default="", db_default="", validators=[validators.language])
    layout = models.JSONField(default=dict, blank=True)
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["domain", "slug"], name="one_board_per_slug")]

    def __str__(self) -> str:
        return self.name


class Draft(models.Model):
    """What is being made of a board and not published yet; one per board, kept for its version when nothing is.

    `content` is null while there is no draft. `base` is what was published when the draft began, at `base_version`.
    """

    board = models.OneToOneField(Board, models.CASCADE, related_name="draft")
    version = models.BigIntegerField(default=0)
    content = models.JSONField(null=True, blank=True)
    base = models.JSONField(null=True, blank=True)
    base_version = models.BigIntegerField(default=0)
    saved_at = models.DateTimeField(null=True, blank=True)
    saved_by = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True)

    @property
    def who(self) -> str:
        """Who saved it last, "" where that is not known any more."""
        return (self.saved_by.name or self.saved_by.extension) if self.saved_by is not None else ""


class Image(models.Model):
    """A picture for boards, as images.py re-encoded it; it never changes, so browsers may keep it for good."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="images")
    name = models.CharField(max_length=120)
    digest = models.CharField(max_length=64)
    kind = models.CharField(max_length=10)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    data = models.BinaryField()
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name
