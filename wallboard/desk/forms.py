"""Forms of the contact pages: they check and hand over; contacts.py saves."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Domain
from wallboard.desk import addresses, contacts
from wallboard.desk.contacts import Unsaid, Wish
from wallboard.desk.models import Contact


class ContactForm(forms.Form):
    """A contact; its numbers one to a line."""

    name = forms.CharField(label=_("Name"), required=False, max_length=contacts.LONGEST_NAME)
    company = forms.CharField(label=_("Company"), required=False, max_length=contacts.LONGEST_NAME)
    email = forms.CharField(label=_("E-mail"), required=False, max_length=contacts.LONGEST_EMAIL)
    numbers = forms.CharField(
        label=_("Numbers"),
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=4000,
        help_text=_("One to a line: phone numbers, extensions or SIP addresses."),
    )

    def __init__(self, domain: Domain, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.domain = domain

    def clean(self) -> dict[str, Any]:
        """The fields, and `wish` for contacts.save()."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            numbers = tuple(cleaned["numbers"].splitlines())
            wish = Wish(cleaned["name"], cleaned["company"], cleaned["email"], numbers)
            try:
                cleaned["wish"] = contacts.read(self.domain, wish)
            except Unsaid as error:
                raise forms.ValidationError(str(error)) from error
        return cleaned


def as_fields(contact: Contact, country: str) -> dict[str, str]:
    """What the form shows of a contact."""
    numbers = "\n".join(addresses.shown(row.number, country) for row in contact.numbers.order_by("pk"))
    return {"name": contact.name, "company": contact.company, "email": contact.email, "numbers": numbers}
