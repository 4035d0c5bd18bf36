"""What an administrator enters in the wizard. A secret goes in and never comes out again."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import validators
from accounts.companies import public_address
from accounts.forms import ExtensionField, NameField, WithoutColons
from accounts.models import Domain
from wallboard.boards import time_zones
from wallboard.queues.models import Queue, Target
from wallboard.setup import regions

SECRET = forms.PasswordInput({"autocomplete": "off"})
PLAIN = forms.TextInput({"autocomplete": "off", "spellcheck": "false", "dir": "auto"})
LONGEST_SECONDS = 86_400


class RegionForm(WithoutColons, forms.Form):
    """Where the company is. What nobody has chosen yet the wizard leaves empty, for a suggestion of the browser's."""

    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"), help_text=gettext_lazy("Days and business hours go by its clock.")
    )
    country = forms.ChoiceField(
        label=gettext_lazy("Country"),
        help_text=gettext_lazy("A number without a country code is read as dialled there."),
    )

    def __init__(self, domain: Domain, posted: Mapping[str, Any] | None = None, *, is_asked: bool = False) -> None:
        is_open = is_asked and not regions.is_chosen(domain)
        stored = {} if is_open else regions.values(domain)
        super().__init__(posted, initial=stored)
        none = [("", "—")] if is_open else []
        zones = time_zones.choices(stored.get("time_zone", ""))
        self.fields["time_zone"].choices = [*none, *zones]  # type: ignore[attr-defined]
        self.fields["country"].choices = [*none, *regions.country_choices()]  # type: ignore[attr-defined]


class ProviderForm(RegionForm):
    """Where the provider is, and the credentials of the whole company. An empty secret is the stored one."""

    field_order = ("name", "time_zone", "country")

    name = NameField(label=gettext_lazy("Name of your company"), max_length=120)
    base_url = forms.CharField(
        label=gettext_lazy("Base address of the API"),
        max_length=300,
        validators=[validators.provider_address],
        widget=forms.URLInput({"placeholder": "https://phones.example.com", "autocomplete": "off"}),
    )
    client_id = forms.CharField(label=gettext_lazy("Client id"), max_length=300, widget=PLAIN)
    client_secret = forms.CharField(
        label=gettext_lazy("Client secret"), max_length=300, required=False, widget=SECRET, strip=True
    )

    def __init__(self, domain: Domain, posted: Mapping[str, Any] | None = None) -> None:
        super().__init__(domain, posted, is_asked=True)
        self.initial.update(name=domain.name, base_url=domain.base_url, client_id=domain.client_id)
        self.domain = domain

    def clean_base_url(self) -> str:
        """Without what portals show behind the host."""
        address: str = self.cleaned_data["base_url"].strip().rstrip("/")
        return address.removesuffix("/api")

    def clean(self) -> dict[str, Any]:
        """The stored secret is only sent where it was sent before."""
        cleaned = super().clean() or {}
        kept = (self.domain.base_url, self.domain.client_id)
        is_same = self.domain.client_secret and kept == (cleaned.get("base_url"), cleaned.get("client_id"))
        if not cleaned.get("client_secret") and not is_same:
            self.add_error("client_secret", _("Enter the secret that belongs to this address and client id."))
        return cleaned

    @property
    def secret(self) -> str:
        """The secret to try."""
        typed: str = self.cleaned_data["client_secret"]
        return typed or self.domain.client_secret.open()


class AddressForm(WithoutColons, forms.Form):
    """Where the installation is reached."""

    address = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=300,
        widget=forms.URLInput({"placeholder": "https://wallboard.example.com", "autocomplete": "off"}),
    )
    is_certain = forms.BooleanField(
        label=gettext_lazy("Take it all the same: this machine cannot reach it, but others can"), required=False
    )

    def clean_address(self) -> str:
        """As it is stored."""
        return public_address.checked(self.cleaned_data["address"])


class LoginForm(WithoutColons, forms.Form):
    """The credentials with which people sign in. An empty secret is the stored one."""

    client_id = forms.CharField(label=gettext_lazy("Login client id"), max_length=300, widget=PLAIN)
    client_secret = forms.CharField(
        label=gettext_lazy("Login client secret"), max_length=300, required=False, widget=SECRET
    )

    def __init__(self, domain: Domain, posted: Mapping[str, Any] | None = None) -> None:
        super().__init__(posted, initial={"client_id": domain.login_client_id})
        self.domain = domain

    def clean(self) -> dict[str, Any]:
        """A stored secret belongs to its client id."""
        cleaned = super().clean() or {}
        is_same = self.domain.login_client_secret and self.domain.login_client_id == cleaned.get("client_id")
        if not cleaned.get("client_secret") and not is_same:
            self.add_error("client_secret", _("Enter the secret that belongs to this client id."))
        return cleaned

    @property
    def secret(self) -> str:
        """The secret to try."""
        typed: str = self.cleaned_data["client_secret"]
        return typed or self.domain.login_client_secret.open()


class CompanyForm(WithoutColons, forms.Form):
    """What an operator says of a company; its administrators connect it."""

    name = NameField(label=gettext_lazy("Name"), max_length=120)
    slug = forms.SlugField(
        label=gettext_lazy("Short name"),
        max_length=50,
        required=False,
        help_text=gettext_lazy("Stands in addresses. Left empty, it is made of the name."),
        widget=PLAIN,
    )
    host = forms.CharField(
        label=gettext_lazy("Host name of its own"),
        max_length=253,
        required=False,
        help_text=gettext_lazy("Such as acme.example.com, without https://. Left empty, it is at this address."),
        widget=PLAIN,
    )


class ExtensionForm(WithoutColons, forms.Form):
    """One's own extension, where the provider does not name it."""

    extension = ExtensionField(label=gettext_lazy("Your extension"), max_length=40, widget=PLAIN)


class QueueNamesForm(WithoutColons, forms.Form):
    """A name for each queue that was found."""

    def __init__(self, queues: list[Queue], posted: Mapping[str, Any] | None = None) -> None:
        super().__init__(posted)
        self.queues = queues
        for queue in queues:
            suggestion = queue.name or _("Queue %(number)s") % {"number": queue.number}
            self.fields[f"queue-{queue.pk}"] = NameField(label=queue.number, max_length=120, initial=suggestion)

    def names(self) -> list[tuple[Queue, str]]:
        """Each queue with its new name."""
        return [(queue, self.cleaned_data[f"queue-{queue.pk}"]) for queue in self.queues]


class FirstTargetForm(WithoutColons, forms.Form):
    """From which longest wait on a queue is on watch, and late."""

    longest_wait_watch_seconds = forms.IntegerField(
        label=gettext_lazy("On watch from (seconds)"), min_value=1, max_value=LONGEST_SECONDS
    )
    longest_wait_late_seconds = forms.IntegerField(
        label=gettext_lazy("Late from (seconds)"), min_value=1, max_value=LONGEST_SECONDS
    )

    def __init__(self, target: Target | None, posted: Mapping[str, Any] | None = None) -> None:
        initial = {name: getattr(target, name) for name in self.base_fields} if target else {}
        super().__init__(posted, initial=initial)

    def clean(self) -> dict[str, Any]:
        """Late is never milder than watch."""
        cleaned = super().clean() or {}
        watch, late = (cleaned.get(name) for name in self.base_fields)
        if watch and late and late < watch:
            raise forms.ValidationError(_("The late level must not be reached before the watch level."))
        return cleaned
