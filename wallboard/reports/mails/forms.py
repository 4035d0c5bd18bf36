"""What somebody chooses of a report by mail."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from wallboard.reports.models import ReportMail

PARTS = (
    ("queues", _("Queues")),
    ("people", _("People")),
    ("calls", _("Calls from outside")),
    ("alerts", _("Response to alerts")),
)


class MailForm(forms.ModelForm):  # type: ignore[type-arg]
    """When, what, and for administrators to whom; without people it is for whoever makes it."""

    hour = forms.IntegerField(label=_("Hour"), min_value=0, max_value=23, initial=7)
    parts = forms.MultipleChoiceField(
        label=_("Tables"), choices=PARTS, initial=["queues"], widget=forms.CheckboxSelectMultiple
    )
    people = forms.ModelMultipleChoiceField(
        label=_("For"), queryset=Person.objects.none(), required=False, widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = ReportMail
        fields = ("every", "hour", "parts", "people")
        labels = {"every": _("When")}

    def __init__(self, person: Person, data: Any = None) -> None:
        super().__init__(data, label_suffix="")
        if person.role == Person.Role.ADMINISTRATOR:
            able = Person.objects.filter(domain=person.domain, user__is_active=True)
            people: Any = self.fields["people"]
            people.queryset = able.exclude(role=Person.Role.AGENT).order_by("name", "pk")
        else:
            del self.fields["people"]
