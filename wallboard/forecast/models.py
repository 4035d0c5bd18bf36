"""What was counted of past days, what the next hour is expected to bring, and how such forecasts did."""

from django.db import models

from wallboard.queues.json_field import WholeJson
from wallboard.queues.models import Queue


class CountedDay(models.Model):
    """One day of one queue by the company's clock, counted from call events (history.Counted as JSON).

    It outlives the calls that it was counted from and says nothing about anybody. `basis` names what it
    rests on (history.bases).
    """

    queue = models.ForeignKey(Queue, models.CASCADE, related_name="+")
    day = models.DateField()
    basis = models.CharField(max_length=200)
    counted = WholeJson()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["queue", "day"], name="one_counted_day_per_queue")]
        indexes = [models.Index(fields=["day"])]


class NextHour(models.Model):
    """The newest forecast of a queue (outlook.Outlook as JSON), for the hour that begins then."""

    queue = models.OneToOneField(Queue, models.CASCADE, related_name="+")
    begins_at = models.DateTimeField()
    made_at = models.DateTimeField()
    outlook = WholeJson()


class ForecastDay(models.Model):
    """The forecasts of one queue's hours of one day as they were made: {hour of the clock: accuracy.Made as JSON}.

    `seen` is null until the day is over and counted; then of how many of its hours it is known what came, and how the
    forecasts of these did (accuracy.Accuracy; the errors are sums here).
    """

    queue = models.ForeignKey(Queue, models.CASCADE, related_name="+")
    day = models.DateField()
    hours = WholeJson()
    seen = models.PositiveSmallIntegerField(null=True)
    inside = models.PositiveSmallIntegerField(default=0)
    compared = models.PositiveSmallIntegerField(default=0)
    error = models.FloatField(default=0)
    error_last_week = models.FloatField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["queue", "day"], name="one_forecast_day_per_queue")]
        indexes = [models.Index(fields=["day"])]
