"""Forms of the contact pages: they check and hand over; address_book.py saves."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import WithoutColons
from accounts.models import Domain
from wallboard.contacts import address_book, caller_ids
from wallboard.contacts.address_book import ContactInput, InvalidInput
from wallboard.contacts.models import Contact


class ContactForm(WithoutColons, forms.Form):
    """A contact; its numbers one to a line."""

    name = forms.CharField(
        label=_("Name"), required=False, max_length=address_book.LONGEST_NAME, widget=forms.TextInput({"dir": "auto"})
    )
    company = forms.CharField(
        label=_("Company"),
        required=False,
        max_length=address_book.LONGEST_NAME,
        widget=forms.TextInput({"dir": "auto"}),
    )
    email = forms.CharField(
        label=_("E-mail"),
        required=False,
        max_length=address_book.LONGEST_EMAIL,
        widget=forms.TextInput({"dir": "ltr"}),
    )
    numbers = forms.CharField(
        label=_("Numbers"),
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
        max_length=4000,
        help_text=_("One to a line: phone numbers, extensions or SIP addresses."),
    )

    def __init__(self, domain: Domain, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.domain = domain

    def clean(self) -> dict[str, Any]:
        """The fields, and `contact_input` for address_book.save()."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            # Judged by the address book: forms, files and cards are to refuse the same.
            numbers = tuple(cleaned["numbers"].splitlines())
            entry = ContactInput(cleaned["name"], cleaned["company"], cleaned["email"], numbers)
            try:
                cleaned["contact_input"] = address_book.clean(self.domain, entry)
            except InvalidInput as error:
                raise forms.ValidationError(str(error)) from error
        return cleaned


def initial_of(contact: Contact) -> dict[str, str]:
    """What the form shows of a contact."""
    country = contact.domain.country
    numbers = "\n".join(_written(row.number, country) for row in contact.numbers.order_by("pk"))
    return {"name": contact.name, "company": contact.company, "email": contact.email, "numbers": numbers}


def _written(number: str, country: str) -> str:
    """The number as people write it, where it is read back as the same one; a few short ones are not."""
    shown = caller_ids.shown(number, country)
    return shown if caller_ids.normalize(shown, country) == number else number
