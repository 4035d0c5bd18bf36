"""What is muted, and until when."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.company_day import zone_of
from accounts.forms import NameField, WithoutColons
from accounts.limits import Limit
from accounts.models import Domain
from wallboard.queues.models import Queue


class MuteForm(WithoutColons, forms.Form):
    """What is muted, until when, and why. Without a time of day: for an hour."""

    queue = forms.ChoiceField(label=_("What"), required=False)
    until = forms.TimeField(label=_("Until"), required=False, widget=forms.TimeInput({"type": "time"}))
    reason = NameField(label=_("Reason"), max_length=120)

    def __init__(self, domain: Domain, limit: Limit, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._domain = domain
        self._queues = {
            each.number: each
            for each in Queue.objects.filter(domain=domain, is_hidden=False)
            if limit.shows_queue(each.number)
        }
        everything = [] if limit.is_set else [("", gettext("Everything"))]
        self.fields["queue"].choices = [*everything, *((key, str(each)) for key, each in self._queues.items())]  # type: ignore[attr-defined]
        self.fields["queue"].required = limit.is_set

    def queue_muted(self) -> Queue | None:
        """The queue, or None for everything."""
        return self._queues.get(self.cleaned_data["queue"])

    def ends_at(self) -> datetime:
        """When it ends: the next time that clocks of the company show what was typed."""
        now = timezone.now()
        wanted = self.cleaned_data["until"]
        if wanted is None:
            return now + timedelta(hours=1)
        zone = zone_of(self._domain)
        today = now.astimezone(zone).date()
        return next(each for each in _moments(wanted, today, zone) if each > now)


def _moments(wanted: time, today: date, zone: ZoneInfo) -> Iterator[datetime]:
    """When clocks show that time today and tomorrow: twice where an hour is repeated, later where one is left out."""
    for day in (today, today + timedelta(days=1)):
        first, second = (datetime.combine(day, wanted.replace(fold=fold), zone) for fold in (0, 1))
        yield first
        if first.astimezone(UTC) < second.astimezone(UTC):
            yield second
