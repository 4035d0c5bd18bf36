"""What an administrator says of a program that is told."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import NameField, TeamField, WithoutColons
from accounts.models import Domain, Team
from wallboard.notifications import outbound
from wallboard.outgoing.endpoints import EndpointInput
from wallboard.outgoing.kinds import KINDS
from wallboard.outgoing.models import Endpoint


class EndpointForm(WithoutColons, forms.Form):
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
    every_queue = forms.ChoiceField(
        choices=[("1", _("All queues, new ones too")), ("", _("Only these"))],
        required=False,
        widget=forms.RadioSelect,
    )
    queues = forms.MultipleChoiceField(label=_("Queues"), required=False, widget=forms.CheckboxSelectMultiple)
    team = TeamField(Team.objects.none(), label=_("People"), required=False, empty_label=_("Everybody"))

    def __init__(
        self, domain: Domain, posted: Mapping[str, Any] | None = None, endpoint: Endpoint | None = None
    ) -> None:
        super().__init__(posted, initial=initial_of(endpoint))
        queues = domain.queues.values_list("number", "name")
        choices = [(number, f"{name} ({number})" if name else number) for number, name in queues]
        self.fields["queues"].choices = choices  # type: ignore[attr-defined]
        self.fields["team"].queryset = domain.teams.all()  # type: ignore[attr-defined]
        if endpoint is not None:
            self.fields["url"].required = False
            self.fields["url"].help_text = _("Empty: as it is stored.")

    def clean_url(self) -> str:
        """An address that may be used as far as it shows itself."""
        url: str = self.cleaned_data["url"].strip()
        if url:
            try:
                outbound.checked(url)
            except outbound.Refused as refusal:
                raise forms.ValidationError(refusal.reason) from None
        return url

    def wanted(self) -> EndpointInput:
        """The endpoint that is asked for."""
        chosen = self.cleaned_data
        queues = None if chosen["every_queue"] else tuple(chosen["queues"])
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
        "every_queue": "1" if endpoint.only_queues is None else "",
        "queues": endpoint.only_queues or [],
        "team": endpoint.only_team_id,
    }


class SinceForm(WithoutColons, forms.Form):
    """Since when everything is to be sent again."""

    since = forms.DateTimeField(label=_("Since"), widget=forms.DateTimeInput({"type": "datetime-local"}))
