"""What an administrator says of a new token."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import NameField, TeamField, WithoutColons
from accounts.models import Domain, Team
from wallboard.api.scopes import SCOPES
from wallboard.api.tokens import TokenInput


class TokenForm(WithoutColons, forms.Form):
    """A program's name, what it may ask for, and which queues and people it sees."""

    name = NameField(label=_("Name of the program"), max_length=80)
    scopes = forms.MultipleChoiceField(
        label=_("What it may ask for"),
        choices=SCOPES.items(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose what it may ask for.")},
    )
    every_queue = forms.ChoiceField(
        choices=[("1", _("All queues, new ones too")), ("", _("Only these"))],
        required=False,
        widget=forms.RadioSelect,
    )
    queues = forms.MultipleChoiceField(label=_("Queues"), required=False, widget=forms.CheckboxSelectMultiple)
    team = TeamField(Team.objects.none(), label=_("People"), required=False, empty_label=_("Everybody"))

    def __init__(self, domain: Domain, posted: Mapping[str, Any] | None = None) -> None:
        super().__init__(posted, initial={"every_queue": "1"})
        queues = domain.queues.values_list("number", "name")
        choices = [(number, f"{name} ({number})" if name else number) for number, name in queues]
        self.fields["queues"].choices = choices  # type: ignore[attr-defined]
        self.fields["team"].queryset = domain.teams.all()  # type: ignore[attr-defined]

    def wanted(self) -> TokenInput:
        """The token that is asked for."""
        chosen = self.cleaned_data
        queues = None if chosen["every_queue"] else tuple(chosen["queues"])
        return TokenInput(chosen["name"], tuple(chosen["scopes"]), queues, chosen["team"])
