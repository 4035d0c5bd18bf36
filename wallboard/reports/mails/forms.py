"""What somebody chooses of a report by mail."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.forms import with_gone
from accounts.models import Person
from wallboard.queues.models import Queue
from wallboard.reports.models import ReportMail

PARTS = (
    ("heat", _("Minutes over target by hour")),
    ("trends", _("Each queue beside its target")),
    ("queues", _("Queues")),
    ("service", _("Service level")),
    ("calls", _("Calls from outside")),
    ("people", _("People")),
    ("alerts", _("Response to alerts")),
)


class MailForm(forms.ModelForm):  # type: ignore[type-arg]
    """When, what, of which queues, and for administrators to whom; without people it is for whoever makes it."""

    hour = forms.IntegerField(label=_("Hour"), min_value=0, max_value=23, initial=7)
    parts = forms.MultipleChoiceField(
        label=_("Tables and charts"), choices=PARTS, initial=["queues"], widget=forms.CheckboxSelectMultiple
    )
    queues = forms.MultipleChoiceField(label=_("Queues"), required=False, widget=forms.CheckboxSelectMultiple)
    people = forms.ModelMultipleChoiceField(
        label=_("For"), queryset=Person.objects.none(), required=False, widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = ReportMail
        fields = ("every", "hour", "parts", "queues", "people")
        labels = {"every": _("When")}

    def __init__(
        self, person: Person, queues: Sequence[Queue], data: Any = None, instance: ReportMail | None = None
    ) -> None:
        super().__init__(data, label_suffix="", instance=instance)
        if len(queues) > 1 or (instance and instance.queues):
            of_queues: Any = self.fields["queues"]
            offered = [(queue.number, str(queue)) for queue in queues]
            of_queues.choices = with_gone(offered, instance.queues if instance else ())
        else:
            del self.fields["queues"]
        if person.role == Person.Role.ADMINISTRATOR:
            able = Q(user__is_active=True) & ~Q(role=Person.Role.AGENT)
            if instance:
                able |= Q(report_mails=instance)
            people: Any = self.fields["people"]
            people.queryset = Person.objects.filter(able, domain=person.domain).distinct().order_by("name", "pk")
        else:
            del self.fields["people"]
