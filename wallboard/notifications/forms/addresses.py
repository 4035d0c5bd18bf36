"""Where messages go to, and the mail server that they leave by."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import NameField, WithoutColons
from wallboard.notifications import outbound
from wallboard.notifications.channels import apprise
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.mail_servers import ServerSettings
from wallboard.notifications.models import MailServer


class WithCheckedUrl:
    """For forms whose `url` is an address that we are to call."""

    cleaned_data: dict[str, Any]

    def clean_url(self) -> str:
        """An address that may be used as far as it shows itself."""
        url: str = self.cleaned_data["url"].strip()
        if url:
            try:
                outbound.checked(url)
            except outbound.Refused as refusal:
                raise forms.ValidationError(refusal.reason) from None
        return url


class AddressForm(WithoutColons, forms.Form):
    """An e-mail address."""

    address = forms.EmailField(label=_("E-mail address"), max_length=254)


class MailServerForm(WithoutColons, forms.ModelForm):  # type: ignore[type-arg]
    """How a company sends mail. An empty password leaves the one that is stored."""

    password = forms.CharField(
        label=_("Password"),
        required=False,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=_("Empty: as it is stored. It has to be typed again for another server or user."),
    )
    sender = forms.EmailField(label=_("Sender"), max_length=254)
    port = forms.IntegerField(label=_("Port"), min_value=1, max_value=65535, initial=587)

    class Meta:
        model = MailServer
        fields = ("host", "port", "security", "username", "sender")
        labels = {"host": _("Server"), "security": _("Protection"), "username": _("User")}

    def server(self) -> ServerSettings:
        """What the checked form asks for."""
        return ServerSettings(**{name: self.cleaned_data[name] for name in (*self.Meta.fields, "password")})


class ChatForm(WithoutColons, forms.Form):
    """The address of a chat, an SMS gateway or a pager, as apprise writes it."""

    address = forms.CharField(
        label=_("Address"), max_length=1000, widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"})
    )
    name = NameField(label=_("Name"), max_length=120, required=False, help_text=_("Empty: the service’s name."))
    service: apprise.Service

    def clean_address(self) -> str:
        """An address of a service that is known; what it says is not tried yet."""
        address: str = self.cleaned_data["address"].strip()
        try:
            self.service = apprise.recognized(address)
        except (apprise.NotUnderstood, NotSent) as reason:
            raise forms.ValidationError(str(reason)) from None
        return address


class WebhookForm(WithCheckedUrl, WithoutColons, forms.Form):
    """Where a webhook goes."""

    url = forms.CharField(label=_("Address"), max_length=2000, widget=forms.URLInput({"placeholder": "https://"}))
    name = NameField(label=_("Name"), max_length=120, required=False, help_text=_("Empty: the name of the host."))
