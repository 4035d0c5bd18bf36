"""What an administrator says of a program that is told."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import LimitedForm, NameField, WithoutColons, limit_shown
from accounts.models import Domain
from wallboard.notifications.forms.addresses import WithCheckedUrl
from wallboard.outgoing.endpoints import EndpointInput, address_of
from wallboard.outgoing.kinds import KINDS
from wallboard.outgoing.models import Endpoint


class EndpointForm(WithCheckedUrl, LimitedForm):
    """Where it is, what it hears, and of which queues and people."""

    url = forms.CharField(label=_("Address"), max_length=2000, widget=forms.URLInput({"placeholder": "https://"}))
    name = NameField(label=_("Name"), max_length=120, required=False, help_text=_("Empty: the name of the host."))
    kinds = forms.MultipleChoiceField(
        label=_("What it is told"),
        choices=KINDS.items(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose what it is told.")},
    )
    shows_numbers = forms.BooleanField(label=_("With numbers and names of callers, not masked"), required=False)

    def __init__(
        self, domain: Domain, posted: Mapping[str, Any] | None = None, endpoint: Endpoint | None = None
    ) -> None:
        super().__init__(domain, posted, initial_of(endpoint))
        if endpoint is not None:
            self.fields["url"].required = False
            self.fields["url"].help_text = _("Empty: as it is stored.")

    def wanted(self) -> EndpointInput:
        """The endpoint that is asked for."""
        chosen, queues = self.cleaned_data, self.chosen_queues()
        told = tuple(chosen["kinds"])
        return EndpointInput(chosen["name"], chosen["url"], told, queues, chosen["team"], chosen["shows_numbers"])


def initial_of(endpoint: Endpoint | None) -> dict[str, Any]:
    """What the form shows of an endpoint, or of a new one."""
    if endpoint is None:
        return {"every_queue": "1"}
    return {
        "name": endpoint.name,
        "kinds": endpoint.kinds,
        "shows_numbers": endpoint.shows_numbers,
        **limit_shown(endpoint),
    }


def stored_in(endpoint: Endpoint) -> list[object]:
    """What the form edits: what it shows, and the address, which it does not show."""
    return [initial_of(endpoint), address_of(endpoint)["url"]]


class SinceForm(WithoutColons, forms.Form):
    """Since when everything is to be sent again."""

    since = forms.DateTimeField(label=_("Since"), widget=forms.DateTimeInput({"type": "datetime-local"}))
