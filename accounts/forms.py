"""What administrators may send about people."""

from django import forms

from accounts.models import Person


class PersonForm(forms.Form):
    """Name and role of a person."""

    name = forms.CharField(max_length=200, required=False)
    role = forms.ChoiceField(choices=Person.Role.choices)


class NewPersonForm(forms.Form):
    """A person who has not been seen yet."""

    extension = forms.CharField(max_length=64)
    name = forms.CharField(max_length=200, required=False)


class LinkForm(forms.Form):
    """Which extension a waiting sign-in belongs to; `replace` signs out whoever it belonged to."""

    user = forms.IntegerField()
    extension = forms.CharField(max_length=64)
    replace = forms.BooleanField(required=False)
