"""Whom a company knows, files and address books that contacts come from, and links into its other programs."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SealedField
from accounts.models import Domain, Person


class SyncedBook(models.Model):
    """An address book on a CardDAV server, whose contacts are followed here.

    `url` is what somebody entered. `generation` grows with each change of where it is and who asks: what was fetched
    before belongs to another book. Nothing is asked before `next_at`. `failure` says in words what went wrong last.
    `cards` counts the entries of the book, `left_out` those without a number. `country` is the company's as it was when
    they were read: numbers without one are taken for that country's.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="synced_books")
    name = models.CharField(max_length=120)
    url = SealedField()
    username = models.CharField(max_length=200)
    password = SealedField()
    generation = models.PositiveIntegerField(default=1)
    sync_token = models.TextField(blank=True)
    country = models.CharField(max_length=2, blank=True, default="", db_default="")
    is_paused = models.BooleanField(default=False)
    next_at = models.DateTimeField(default=timezone.now)
    tried_at = models.DateTimeField(null=True)
    synced_at = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    failure = models.CharField(max_length=300, blank=True)
    cards = models.PositiveIntegerField(default=0)
    left_out = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Contact(models.Model):
    """Somebody outside whom the company knows; one of a book is changed there and not here."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="contacts")
    book = models.ForeignKey(SyncedBook, models.CASCADE, null=True, related_name="contacts")
    name = models.CharField(max_length=120)
    company = models.CharField(max_length=120, blank=True)
    email = models.CharField(max_length=200, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "desk_contact"  # as in the releases in which it lay in another app
        indexes = [models.Index(fields=["domain", "name"])]

    def __str__(self) -> str:
        return self.name


class ContactNumber(models.Model):
    """One way to reach a contact, as caller_ids.normalize() writes it. A switchboard's number may belong to several."""

    # Beside the contact's, so that one index answers “who is this” while it rings.
    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="numbers")
    number = models.CharField(max_length=200)

    class Meta:
        db_table = "desk_contactnumber"  # as in the releases in which it lay in another app
        constraints = [models.UniqueConstraint(fields=["contact", "number"], name="one_number_once_per_contact")]
        indexes = [models.Index(fields=["domain", "number"], name="contact_by_number")]


class ContactWord(models.Model):
    """A word by which a contact is found, as search.py writes it. On PostgreSQL it is compared byte by byte, so that
    its index knows beginnings."""

    # Without indexes of their own: the two below begin with them, and a million contacts have many words.
    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+", db_index=False)
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="words", db_index=False)
    word = models.CharField(max_length=40)

    class Meta:
        db_table = "desk_contactword"  # as in the releases in which it lay in another app
        indexes = [
            models.Index(fields=["domain", "word", "contact"], name="contact_by_word"),
            models.Index(fields=["contact", "word"], name="words_of_contact"),
        ]


class SyncedCard(models.Model):
    """An entry of a book: the digest of its address, its version (`etag`), and the contact that it is here.

    No contact: it has no number, or one that was erased.
    """

    book = models.ForeignKey(SyncedBook, models.CASCADE, related_name="rows")
    digest = models.CharField(max_length=64)
    etag = models.CharField(max_length=200)
    contact = models.ForeignKey(Contact, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["book", "digest"], name="one_synced_card")]


class ErasedNumber(models.Model):
    """A number that must not come back from a book: as a digest by a key of the company, which is sealed."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    key = SealedField()
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "digest"], name="one_erased_number")]


class Import(models.Model):
    """A file of contacts on its way in. Its text is dropped once it is in, and after a day in any case.

    `columns` says for each column what it holds (import_files.ROLES); `errors` holds [line number, text] of the first
    bad lines; a count is of lines.
    """

    class State(models.TextChoices):
        NEW = "new", _("to be looked at")
        QUEUED = "queued", _("about to begin")
        RUNNING = "running", _("being read")
        FAULTY = "faulty", _("has bad lines")
        DONE = "done", _("done")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="imports")
    person = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+")
    file_name = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    delimiter = models.CharField(max_length=1)
    has_header = models.BooleanField(default=True)
    columns = models.JSONField(default=list)
    skips_bad = models.BooleanField(default=False)
    state = models.CharField(max_length=7, choices=State, default=State.NEW)
    lines = models.PositiveIntegerField(default=0)
    lines_read = models.PositiveIntegerField(default=0)
    bad = models.PositiveIntegerField(default=0)
    errors = models.JSONField(default=list)
    added = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)
    # By it a run that died is told from one that is slow.
    heard_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "desk_import"  # as in the releases in which it lay in another app


class LinkHost(models.Model):
    """A host that links on cards may lead to, with its port where it has one."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="link_hosts")
    host = models.CharField(max_length=200, help_text=_("As in crm.example.com; no https://, no path."))

    class Meta:
        db_table = "desk_linkhost"  # as in the releases in which it lay in another app
        constraints = [models.UniqueConstraint(fields=["domain", "host"], name="one_link_host")]

    def __str__(self) -> str:
        return self.host


class Link(models.Model):
    """A way from the card into another program; crm_links.py says what `template` may be."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="links")
    name = models.CharField(max_length=40)
    template = models.CharField(max_length=1000)
    order = models.PositiveSmallIntegerField(default=0)

    class Meta:
        db_table = "desk_link"  # as in the releases in which it lay in another app
        ordering = ["domain", "order", "name"]

    def __str__(self) -> str:
        return self.name
