"""How the service level is counted, as a form: of the company, and the seconds of single queues."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from wallboard.queues.models import Queue
from wallboard.reports.service.rules import OwnSeconds
from wallboard.reports.service_level import FORMULAS, LONGEST_SECONDS, Rule


def _seconds(label: Any, *, is_required: bool) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=LONGEST_SECONDS, required=is_required)


class ServiceForm(forms.Form):
    """The rule of the company, and for each queue what it has of its own; empty is the company's."""

    formula = forms.ChoiceField(choices=[(key, each.name) for key, each in FORMULAS.items()])
    target = _seconds(_("Answered within (seconds)"), is_required=True)
    short = _seconds(_("Left early: within (seconds)"), is_required=True)
    is_open_only = forms.BooleanField(label=_("Count only calls that came in business hours"), required=False)

    def __init__(
        self,
        queues: Sequence[Queue],
        default: Rule,
        own: Mapping[str, OwnSeconds],
        posted: Mapping[str, Any] | None = None,
    ) -> None:
        initial: dict[str, Any] = {
            "formula": default.formula,
            "target": default.target,
            "short": default.short,
            "is_open_only": default.is_open_only,
        }
        self.queues = queues
        for queue in queues:
            seconds = own.get(queue.number, OwnSeconds())
            initial |= {f"target-{queue.pk}": seconds.target, f"short-{queue.pk}": seconds.short}
        super().__init__(posted, initial=initial, label_suffix="")
        for queue in queues:
            self.fields[f"target-{queue.pk}"] = _seconds(_("Answered within (seconds)"), is_required=False)
            self.fields[f"short-{queue.pk}"] = _seconds(_("Left early: within (seconds)"), is_required=False)

    def rows(self) -> Iterator[tuple[Queue, forms.BoundField, forms.BoundField]]:
        """Each queue with its two fields."""
        for queue in self.queues:
            yield queue, self[f"target-{queue.pk}"], self[f"short-{queue.pk}"]

    def rule(self) -> Rule:
        """The company's rule as it was sent."""
        sent = self.cleaned_data
        return Rule(sent["formula"], sent["target"], sent["short"], sent["is_open_only"])

    def own(self) -> dict[str, OwnSeconds]:
        """What was sent for each queue."""
        sent = self.cleaned_data
        return {each.number: OwnSeconds(sent[f"target-{each.pk}"], sent[f"short-{each.pk}"]) for each in self.queues}
