"""How a company counts its service level, what was counted of the last day, and the reports that go out by mail."""

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Domain, Person
from wallboard.notifications.models import Delivery
from wallboard.queues.json_field import WholeJson
from wallboard.queues.models import Queue


class ServiceRule(models.Model):
    """How the service level is counted: of the company, or with a queue the seconds that this has of its own.

    What a queue leaves empty is the company's. Nothing that was counted is kept: figures follow a change backwards.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="service_rules")
    queue = models.OneToOneField(Queue, models.CASCADE, null=True, blank=True, related_name="service_rule")
    formula = models.CharField(max_length=4, blank=True)
    target_seconds = models.PositiveIntegerField(null=True, blank=True)
    short_seconds = models.PositiveIntegerField(null=True, blank=True)
    is_open_only = models.BooleanField(default=False)

    class Meta:
        # A unique queue does not hold for rows without one: NULLs are all different to a database.
        constraints = [
            models.UniqueConstraint(
                fields=["domain"], condition=models.Q(queue__isnull=True), name="one_service_rule_per_domain"
            )
        ]

    def __str__(self) -> str:
        return str(self.queue) if self.queue is not None else str(_("every other queue"))

    def clean(self) -> None:
        """A rule's queue belongs to the rule's domain."""
        if self.queue is not None and self.queue.domain_id != self.domain_id:
            raise ValidationError({"queue": _("This queue belongs to another domain.")})


class ServiceDay(models.Model):
    """Calls of queues of the last day, counted by the worker, so that boards never count them.

    `quarters` is {begin of a quarter of an hour: {number: tally}}, `minutes` the same of the last hour by the minute;
    begins in seconds since 1970, tallies as service.today.Tally. `stamp` says by which rules and answers they were
    counted, and `locked` is why there are none: [[question, what is missing], ...].
    """

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="+")
    at = models.DateTimeField()
    counted_whole_at = models.DateTimeField()
    stamp = models.CharField(max_length=64)
    quarters = WholeJson(default=dict)
    minutes = WholeJson(default=dict)
    locked = WholeJson(default=list)


class OfQueue(models.Model):
    """What a queue showed over some time, added up from its samples: each row what day_figures makes of them."""

    queue = models.ForeignKey(Queue, models.CASCADE, related_name="+")
    day = models.DateField()
    late_seconds = models.FloatField()
    watch_seconds = models.FloatField()
    nobody_seconds = models.FloatField()
    measured_minutes = models.PositiveIntegerField()
    most_waiting = models.PositiveIntegerField()
    longest_wait_seconds = models.PositiveIntegerField(null=True)
    average_wait_seconds = models.FloatField(null=True)
    untold_waits = models.PositiveIntegerField()
    untold_averages = models.PositiveIntegerField()

    class Meta:
        abstract = True


class QueueDay(OfQueue):
    """One day of the company, which begins at its own hour (rollups/samples.py)."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["queue", "day"], name="one_queue_day")]
        indexes = [models.Index(fields=["day"])]


class QueueHour(OfQueue):
    """One hour of that day, by the clock on the wall: the hour that a day has twice is one."""

    hour = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["queue", "day", "hour"], name="one_queue_hour")]
        indexes = [models.Index(fields=["day"])]


class Rolled(models.Model):
    """That a day of a company was added up, and on which definitions (`stamp`); without a row it has to be counted."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    day = models.DateField()
    stamp = models.CharField(max_length=100)

    class Meta:
        abstract = True


class SampleDay(Rolled):
    """The day's samples are in QueueDay and QueueHour; `together` are the hours of many queues.

    `shown` says of which sets of queues they are (rollups/hours_of_sets.py).
    """

    shown = models.CharField(max_length=32, blank=True, default="", db_default="")
    together = models.BinaryField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "day"], name="one_sample_day")]


class CallDay(Rolled):
    """Calls from outside, and what people's phones did: `everything` is one rollups.groups.Group, `groups` are the same
    apart by the queues and people of a call, for those who may see some of them only.

    `limits` is what may be seen with each limit that somebody had then, by its key; `limits_stamp` is that of them all.
    """

    everything = models.BinaryField()
    groups = models.BinaryField()
    limits = models.BinaryField(null=True)
    limits_stamp = models.CharField(max_length=32, blank=True, default="", db_default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "day"], name="one_call_day")]


class QueueCallDay(Rolled):
    """The calls that came to queues, as QueueCall has them; callers are told apart, and named by nothing.

    `sums_stamp` says of which teams and shown queues its QueueCallSums are; where it is another one they do not hold.
    `sets_stamp` says of which queues together there are some beside. `has_again` says whether `again` of these holds.
    """

    calls = models.BinaryField()
    sums_stamp = models.CharField(max_length=32, blank=True, default="", db_default="")
    sets_stamp = models.CharField(max_length=32, blank=True, default="", db_default="")
    has_again = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "day"], name="one_queue_call_day")]


class QueueCallSum(models.Model):
    """What those calls come to, so that nobody reads them one by one (rollups/call_sums.py).

    Of the queue with that number: those that rang at a phone of a team, whose key `team` is, or all of them. Where
    `number` is empty, of all queues that were shown and of every team; where it begins with a space, of the queues that
    a limit lets somebody see (rollups/sums_of_sets.py). Of several queues it is also known who called (`callers`,
    rollups/repeat_callers.py) and, once that was counted, who called again on the day (`again`,
    rollups/second_calls.py).
    """

    of_day = models.ForeignKey(QueueCallDay, models.CASCADE, related_name="sums")
    team = models.CharField(max_length=32, blank=True)
    number = models.CharField(max_length=64, blank=True)
    offered = models.PositiveIntegerField()
    sums = models.BinaryField()
    callers = models.BinaryField(default=b"", db_default=b"")
    again = models.BinaryField(default=b"", db_default=b"")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["of_day", "team", "number"], name="one_queue_call_sum")]


class AskedLimit(models.Model):
    """A limit that something has asked for reports with, so that days are added up for it: a program has one, too.

    `queues` and `people` are those of accounts.limits.Limit, and `key` is its key (rollups/sum_keys.py).
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    key = models.CharField(max_length=32)
    queues = WholeJson(null=True)
    people = WholeJson(null=True)
    asked_on = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "key"], name="one_asked_limit")]

    def __str__(self) -> str:
        return self.key


class ReportMail(models.Model):
    """A report that goes out by mail, to these people. `owner` is whoever made it for themself; else the company's.

    `hour` is by the company's clock. `queues` are numbers, none for all that each of them may see. `since` is when it
    was set up, or began to go out at other times or to others: what was over before is not sent.
    """

    class Every(models.TextChoices):
        DAY = "day", _("every day")
        WEEK = "week", _("every week, on Monday")
        MONTH = "month", _("every month, on its first day")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="report_mails")
    owner = models.ForeignKey(Person, models.CASCADE, null=True, blank=True, related_name="+")
    people = models.ManyToManyField(Person, related_name="report_mails", blank=True)
    every = models.CharField(max_length=5, choices=Every, default=Every.WEEK)
    hour = models.PositiveSmallIntegerField(default=7)
    parts = WholeJson(default=list)
    queues = WholeJson(default=list)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.every} {self.hour}"


class ReportRun(models.Model):
    """That a report was made for somebody: the record of it, and what keeps it from being made twice.

    `is_extra`: by “Send one now”. `held_back` says why nothing was sent, else `delivery` is the message.
    """

    mail = models.ForeignKey(ReportMail, models.CASCADE, related_name="runs")
    person = models.ForeignKey(Person, models.CASCADE, related_name="+")
    first = models.DateField()
    last = models.DateField()
    is_extra = models.BooleanField(default=False)
    made_at = models.DateTimeField(default=timezone.now)
    delivery = models.ForeignKey(Delivery, models.SET_NULL, null=True, blank=True, related_name="+")
    held_back = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["mail", "person", "first", "last"],
                condition=models.Q(is_extra=False),
                name="one_report_per_period",
            )
        ]

    def __str__(self) -> str:
        return f"{self.person} {self.first} {self.last}"
