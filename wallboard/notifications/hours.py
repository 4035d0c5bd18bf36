"""When something holds: days of the week and times of day, by the clock of the company."""

from datetime import datetime, timedelta

from django.db import models

EVERY_DAY = 127  # bits of a week, Monday first


class Hours(models.Model):
    """When something holds: on these days of the week between these times of the company; without times all day.

    A time that is not after the other one means: until the next morning.
    """

    days = models.PositiveSmallIntegerField(default=EVERY_DAY)
    from_time = models.TimeField(null=True, blank=True)
    until_time = models.TimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def holds(self, local: datetime) -> bool:
        """Whether it holds at this moment, given in the time zone of the company."""
        if self.from_time is None or self.until_time is None:
            return self._has_day(local)
        now = local.time()
        if self.from_time < self.until_time:
            return self._has_day(local) and self.from_time <= now < self.until_time
        if now >= self.from_time:
            return self._has_day(local)
        return now < self.until_time and self._has_day(local - timedelta(days=1))

    def _has_day(self, local: datetime) -> bool:
        return bool(self.days >> local.weekday() & 1)
