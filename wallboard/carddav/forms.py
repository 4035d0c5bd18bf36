"""What an administrator says of an address book."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import NameField, WithoutColons
from wallboard.carddav.books import BookInput
from wallboard.contacts.models import SyncedBook
from wallboard.notifications.forms.addresses import WithCheckedUrl


class BookForm(WithCheckedUrl, WithoutColons, forms.Form):
    """Where it is, and who asks; of a book that is stored the address and the password may be left empty."""

    name = NameField(label=_("Name"), max_length=120, required=False, help_text=_("Empty: the name of the host."))
    url = forms.CharField(
        label=_("Address"),
        max_length=1000,
        widget=forms.URLInput({"placeholder": "https://", "autocomplete": "off", "dir": "ltr"}),
    )
    username = forms.CharField(
        label=_("User name"), max_length=200, widget=forms.TextInput({"autocomplete": "off", "dir": "auto"})
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=500,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )

    def __init__(self, posted: Mapping[str, Any] | None = None, book: SyncedBook | None = None) -> None:
        super().__init__(posted, initial={} if book is None else {"name": book.name, "username": book.username})
        if book is not None:
            for name in ("url", "password"):
                self.fields[name].required = False
                self.fields[name].help_text = _("Empty: as it is stored.")

    def clean_username(self) -> str:
        """A name that can be sent: a colon would end it."""
        name: str = self.cleaned_data["username"]
        if ":" in name:
            raise forms.ValidationError(_("A user name has no colon."))
        return name

    def wanted(self) -> BookInput:
        """The book that is asked for."""
        chosen = self.cleaned_data
        return BookInput(chosen["name"], chosen["url"], chosen["username"], chosen["password"])
