"""TVs and embed links: a credential each, what they show, and TVs that wait to be paired."""

from django.db import models

from accounts.models import Domain, Person
from wallboard.boards.models import Board
from wallboard.queues.json_field import WholeJson


class Rotation(models.Model):
    """Boards that a screen shows one after the other."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="rotations")
    name = models.CharField(max_length=120)

    class Meta:
        db_table = "boards_rotation"  # as in the releases in which it lay in another app
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Step(models.Model):
    """One board of a rotation, and for how long."""

    rotation = models.ForeignKey(Rotation, models.CASCADE, related_name="steps")
    board = models.ForeignKey(Board, models.CASCADE, related_name="steps")
    place = models.PositiveSmallIntegerField()
    seconds = models.PositiveIntegerField()

    class Meta:
        db_table = "boards_step"  # as in the releases in which it lay in another app
        ordering = ["place", "pk"]


class Screen(models.Model):
    """A TV: a read-only, revocable credential for one board or the boards of a rotation; numbers only where allowed.

    `language` is empty where it is that of its board, else of the company. `report` is what it said of itself last
    (screens/heartbeats.py reads it).
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="screens")
    # Only revoked screens go with their board: boards/editing.py refuses while a live one shows it.
    board = models.ForeignKey(Board, models.CASCADE, related_name="screens")
    # When a rotation goes, `board` is what its screens go on with.
    rotation = models.ForeignKey(Rotation, models.SET_NULL, null=True, blank=True, related_name="screens")
    language = models.CharField(max_length=16, blank=True, default="", db_default="")
    has_sound = models.BooleanField(default=False)
    shows_numbers = models.BooleanField(default=False)
    name = models.CharField(max_length=120)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    engine = models.CharField(max_length=200, blank=True)
    report = WholeJson(default=dict)

    class Meta:
        db_table = "boards_screen"  # as in the releases in which it lay in another app

    def __str__(self) -> str:
        return self.name


class Pairing(models.Model):
    """A TV that shows a short code and waits for a supervisor to enter it."""

    code = models.CharField(max_length=12, unique=True)
    device_hash = models.CharField(max_length=64, unique=True)  # as with a screen's token: the table opens nothing
    until = models.DateTimeField()
    screen = models.ForeignKey(Screen, models.CASCADE, null=True, blank=True)
    domain = models.ForeignKey(Domain, models.CASCADE, null=True, blank=True)  # whose host it is shown at, if any

    class Meta:
        db_table = "boards_pairing"  # as in the releases in which it lay in another app


class Embed(models.Model):
    """A link by which pages of other sites show a board, or one card of it, in a frame: read-only and revocable.

    `card` is empty where it is the whole board, `theme` and `language` where they are those of the board. `origins`
    are the sites that may frame it, each as scheme, host and port.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="embeds")
    # Only revoked links go with their board, as with screens.
    board = models.ForeignKey(Board, models.CASCADE, related_name="embeds")
    card = models.CharField(max_length=40, blank=True)
    name = models.CharField(max_length=120)
    token_hash = models.CharField(max_length=64, unique=True)
    origins = models.JSONField(default=list)
    theme = models.CharField(max_length=10, choices=Board.Theme, blank=True)
    language = models.CharField(max_length=16, blank=True)
    shows_numbers = models.BooleanField(default=False)
    created_by = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name
