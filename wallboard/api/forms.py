"""What an administrator says of a new token."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import LimitedForm, NameField
from accounts.models import Domain
from wallboard.api.scopes import SCOPES
from wallboard.api.tokens import TokenInput


class TokenForm(LimitedForm):
    """A program's name, what it may ask for, and which queues and people it sees."""

    name = NameField(label=_("Name of the program"), max_length=80)
    scopes = forms.MultipleChoiceField(
        label=_("What it may ask for"),
        choices=SCOPES.items(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose what it may ask for.")},
    )

    def __init__(self, domain: Domain, posted: Mapping[str, Any] | None = None) -> None:
        super().__init__(domain, posted, {"every_queue": "1"})

    def wanted(self) -> TokenInput:
        """The token that is asked for."""
        chosen = self.cleaned_data
        return TokenInput(chosen["name"], tuple(chosen["scopes"]), self.chosen_queues(), chosen["team"])
