"""What people may ask the call log for."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import DaysForm, WithoutColons
from wallboard.calls.log.filters import CallFilter, Direction, Outcome

LONGEST_TEXT = 100


class CallFilterForm(WithoutColons, DaysForm):
    """Which calls of the log are shown; empty fields ask for nothing."""

    field_order = ("q", "first", "last", "direction", "outcome")

    q = forms.CharField(
        label=_("Number, name, extension or queue"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.TextInput({"type": "search"}),
    )
    direction = forms.ChoiceField(label=_("Direction"), choices=[("", _("any")), *Direction.choices], required=False)
    outcome = forms.ChoiceField(label=_("Outcome"), choices=[("", _("any")), *Outcome.choices], required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["first"].required = self.fields["last"].required = False

    def call_filter(self) -> CallFilter:
        """What the form asks for; nothing in particular where it is wrong."""
        if not self.is_valid():
            return CallFilter()
        values = self.cleaned_data
        return CallFilter(values["q"], values["first"], values["last"], values["direction"], values["outcome"])

    def query(self, **others: Any) -> str:
        """The same for an address, with these values instead of its own and an & behind."""
        wanted = {**self.cleaned_data, **others} if self.is_valid() else {}
        parameters = {name: value for name, value in wanted.items() if value}
        return f"{urlencode(parameters)}&" if parameters else ""
