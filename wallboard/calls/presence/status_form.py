"""The form in which people set their own status, on the page of the people and on the desk."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Domain
from wallboard.calls.models import Presence
from wallboard.calls.presence import statuses

MINUTES = (15, 30, 60)
BACK_AT, OPEN_END = "at", ""


class StatusForm(forms.Form):
    """Your status, and when it ends: in so many minutes, at a time of the clock, or when cleared."""

    status = forms.ChoiceField(choices=[each for each in Presence.Status.choices if each[0]])
    note = forms.CharField(max_length=statuses.LONGEST_NOTE, required=False)
    back = forms.ChoiceField(
        choices=[(OPEN_END, ""), *((str(each), "") for each in MINUTES), (BACK_AT, "")], required=False
    )
    until = forms.TimeField(required=False, error_messages={"invalid": gettext_lazy("Write the time like 13:30.")})

    def clean(self) -> dict[str, Any]:
        """Whoever will be back at a time of the clock writes that time."""
        cleaned = super().clean() or {}
        # A time that cannot be read has its own sentence already.
        if cleaned.get("back") == BACK_AT and "until" not in self.errors and cleaned.get("until") is None:
            raise forms.ValidationError(_("Write when you will be back, like 13:30."))
        return cleaned

    def moment(self, zone: str, now: datetime) -> datetime | None:
        """When it ends; None for an open end. Raises InvalidStatus."""
        back, until = self.cleaned_data["back"], self.cleaned_data["until"]
        if back == BACK_AT:
            return statuses.moment_of(until, zone, now)
        return now + timedelta(minutes=int(back)) if back else None


def choices_for(person_id: int, domain: Domain) -> dict[str, Any]:
    """What `calls/_status_fields.html` offers that person, and the status they have now."""
    return {
        "own": Presence.objects.filter(person_id=person_id).first() or Presence(),
        "choices": [each for each in Presence.Status.choices if each[0]],
        "minutes": MINUTES,
        "longest_note": statuses.LONGEST_NOTE,
        "zone": domain.time_zone,
    }
