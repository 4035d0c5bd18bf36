"""The form of a company in the Django admin. Secrets go in here, but never come out."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts import domains
from accounts.encryption import sealed
from accounts.models import Domain

SECRETS = ("client_secret", "login_client_secret")
STORED_HELP = _("Empty keeps what is stored; what is stored is never shown.")


class DomainForm(forms.ModelForm):  # type: ignore[type-arg]
    """The credentials are write-only password inputs."""

    new_client_secret = forms.CharField(
        label=_("Client secret"), widget=forms.PasswordInput, required=False, help_text=STORED_HELP
    )
    new_login_client_secret = forms.CharField(
        label=_("Login client secret"), widget=forms.PasswordInput, required=False, help_text=STORED_HELP
    )

    class Meta:
        model = Domain
        fields = [
            field.name
            for field in Domain._meta.concrete_fields
            if field.editable and field.name not in ("id", *SECRETS)
        ]

    def clean_new_client_secret(self) -> str:
        secret: str = self.cleaned_data["new_client_secret"]
        if not secret and not self.instance.client_secret:
            raise forms.ValidationError(_("A new company needs its secret."))
        return secret

    def clean(self) -> dict[str, Any]:
        """The stored secret is only sent where it was sent before."""
        cleaned = super().clean() or {}
        is_elsewhere = not {"base_url", "client_id"}.isdisjoint(self.changed_data)
        if is_elsewhere and self.instance.client_secret and not cleaned.get("new_client_secret"):
            self.add_error("new_client_secret", _("Enter the secret that belongs to this address and client id."))
        return cleaned

    def save(self, commit: bool = True) -> Domain:
        if self.instance.pk and "base_url" in self.changed_data:
            login = self.instance.login_client_id if self.cleaned_data["new_login_client_secret"] else ""
            named = self.instance.provider_domain if "provider_domain" in self.changed_data else ""
            domains.leave_provider(self.instance)
            self.instance.provider_domain = named
            self.instance.login_client_id = login
        for name in SECRETS:
            if secret := self.cleaned_data[f"new_{name}"]:
                setattr(self.instance, name, sealed(secret))
        domain: Domain = super().save(commit)
        return domain
