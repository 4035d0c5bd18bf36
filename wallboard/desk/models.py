"""Whom a company knows, what an agent writes, and which of their pages shows a call."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Domain, Person


class Claim(models.Model):
    """The one page of a person that pops for a call; it lapses unless the page keeps renewing it."""

    person = models.ForeignKey(Person, models.CASCADE, related_name="claims")
    call_id = models.CharField(max_length=200)
    page = models.CharField(max_length=64)
    until = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "call_id"], name="one_pop_per_call_and_person")]


class Contact(models.Model):
    """Somebody outside whom the company knows."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="contacts")
    name = models.CharField(max_length=120)
    company = models.CharField(max_length=120, blank=True)
    email = models.CharField(max_length=200, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index(fields=["domain", "name"])]

    def __str__(self) -> str:
        return self.name


class ContactNumber(models.Model):
    """One way to reach a contact, as addresses.normal() writes it. A switchboard's number may belong to several."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="numbers")
    number = models.CharField(max_length=200)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["contact", "number"], name="one_number_once_per_contact")]
        indexes = [models.Index(fields=["domain", "number"], name="contact_by_number")]


class ContactWord(models.Model):
    """A word by which a contact is found, as finding.py writes it. On PostgreSQL it is compared byte by byte, so that
    its index knows beginnings."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+", db_index=False)
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="words", db_index=False)
    word = models.CharField(max_length=40)

    class Meta:
        indexes = [
            models.Index(fields=["domain", "word", "contact"], name="contact_by_word"),
            models.Index(fields=["contact", "word"], name="words_of_contact"),
        ]


class Import(models.Model):
    """A file of contacts on its way in. Its text is dropped once it is in, and after a day in any case.

    `columns` says for each column what it holds (sheets.ROLES); `errors` holds [line number, text] of the first bad
    lines; a count is of lines.
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
    heard_at = models.DateTimeField(auto_now_add=True)


class Outcome(models.Model):
    """A word for how a call went, offered on every card of the company. One that is retired stays on old notes."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="outcomes")
    name = models.CharField(max_length=40)
    order = models.PositiveSmallIntegerField(default=0)
    is_offered = models.BooleanField(default=True)

    class Meta:
        ordering = ["domain", "order", "name"]
        constraints = [models.UniqueConstraint(fields=["domain", "name"], name="one_outcome_per_name")]

    def __str__(self) -> str:
        return self.name


class LinkHost(models.Model):
    """A host that links on cards may lead to, with its port where it has one."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="link_hosts")
    host = models.CharField(max_length=200, help_text=_("As in crm.example.com; no https://, no path."))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "host"], name="one_link_host")]

    def __str__(self) -> str:
        return self.host


class Link(models.Model):
    """A way from the card into another program; crm.py says what `template` may be."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="links")
    name = models.CharField(max_length=40)
    template = models.CharField(max_length=1000)
    order = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["domain", "order", "name"]

    def __str__(self) -> str:
        return self.name


class Rule(models.Model):
    """When a person wants a card. `ignored` is as addresses.normal() writes it; after 0 seconds means never hide.

    While `is_quiet`, no card comes by itself, until `quiet_until` or, where that is empty, until the person says so.
    """

    class Pop(models.TextChoices):
        RING = "ring", _("as soon as it rings")
        ANSWER = "answer", _("once I answer")
        NEVER = "never", _("never")

    person = models.OneToOneField(Person, models.CASCADE, related_name="rule")
    pop = models.CharField(max_length=6, choices=Pop, default=Pop.RING)
    shows_internal = models.BooleanField(default=True)
    ignored = models.JSONField(default=list)
    hide_after_seconds = models.PositiveSmallIntegerField(default=0)
    opens = models.ForeignKey(Link, models.SET_NULL, null=True, related_name="+")
    is_quiet = models.BooleanField(default=False)
    quiet_until = models.DateTimeField(null=True)


class Note(models.Model):
    """What a person kept about a call: text, outcome and whom they took the caller for.

    It is kept with the caller's number; `stamp` grows with every change.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="notes")
    person = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="notes")
    call_id = models.CharField(max_length=200)
    number_e164 = models.CharField(_("number"), max_length=64, blank=True)
    text = models.TextField(max_length=4000, blank=True)
    outcome = models.ForeignKey(Outcome, models.SET_NULL, null=True, related_name="notes")
    contact = models.ForeignKey(Contact, models.SET_NULL, null=True, related_name="notes")
    stamp = models.BigIntegerField(default=0)
    written_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "call_id"], name="one_note_per_call_and_person")]
        indexes = [models.Index(fields=["domain", "number_e164", "-written_at"])]


class CallBack(models.Model):
    """What people decided about a caller whom nobody answered; whether they still wait, callbacks.py tells."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="call_backs")
    number_e164 = models.CharField(_("number"), max_length=64)
    owner = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="call_backs")
    snoozed_until = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)
    done_by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "number_e164"], name="one_call_back_per_number")]
