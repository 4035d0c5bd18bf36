"""The question of a what-if, as it stands in the address of the reports page."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from wallboard.queues.models import Queue

MOST_HOURS, MOST_CHANGE = 12, 50


class Options(forms.Select):
    """A list of hundreds, written at once: Django draws each option with a template of its own."""

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        """The list with the chosen one."""
        chosen = mark_safe(" selected")
        rows = ((key, chosen if str(key) == str(value) else "", label) for key, label in self.choices)
        options = format_html_join("", '<option value="{}"{}>{}</option>', rows)
        own = self.build_attrs(self.attrs, {"name": name, **(attrs or {})})
        return format_html("<select{}>{}</select>", flatatt(own), options)


class WhatIfForm(forms.Form):
    """A queue, some hours of a past day, and how many people more (or fewer) there would have been."""

    what_queue = forms.ChoiceField(label=gettext_lazy("Queue"), widget=Options)
    what_day = forms.DateField(
        label=gettext_lazy("Day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    what_from = forms.IntegerField(label=gettext_lazy("From hour"), min_value=0, max_value=23)
    what_until = forms.IntegerField(label=gettext_lazy("Until hour"), min_value=1, max_value=24)
    what_change = forms.IntegerField(
        label=gettext_lazy("People more (−: fewer)"), min_value=-MOST_CHANGE, max_value=MOST_CHANGE
    )

    def __init__(self, data: Any, queues: Sequence[Queue], last: date, **more: Any) -> None:
        super().__init__(data, label_suffix="", auto_id="id_%s", **more)
        self.last = last
        choices: Any = self.fields["what_queue"]
        choices.choices = [(queue.number, str(queue)) for queue in queues]

    def clean_what_day(self) -> date:
        """A day that has been; what is to come stands in the forecast."""
        day: date = self.cleaned_data["what_day"]
        if day > self.last:
            raise forms.ValidationError(_("This day has not been yet."))
        if day.year < 2000:
            raise forms.ValidationError(_("Choose a day after 2000-01-01."))
        return day

    def clean_what_change(self) -> int:
        """As many people as there were need no model."""
        change: int = self.cleaned_data["what_change"]
        if change == 0:
            raise forms.ValidationError(_("Say how many people more or fewer, such as 2 or -1."))
        return change

    def clean(self) -> dict[str, Any]:
        """Hours in their order, and not too many."""
        cleaned = super().clean() or {}
        first, until = cleaned.get("what_from"), cleaned.get("what_until")
        if first is not None and until is not None:
            if until <= first:
                self.add_error("what_until", _("The last hour has to be after the first one."))
            elif until - first > MOST_HOURS:
                self.add_error("what_until", _("Choose at most %(hours)s hours.") % {"hours": MOST_HOURS})
        return cleaned
