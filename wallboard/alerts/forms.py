"""The rules as a person writes them: one line for the company, one for each queue."""

from dataclasses import asdict
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.limits import Limit
from accounts.models import Domain
from wallboard.alerts.models import Rule
from wallboard.alerts.rules import DEFAULT_RULE, LONGEST_SECONDS, EffectiveRule, RuleInput, stored_inputs
from wallboard.queues.models import Queue


class RuleForm(forms.Form):
    """One rule. An empty field inherits `inherited`, which the page shows in its place."""

    level = forms.ChoiceField(label=_("Raises an alert"), required=False)
    stays_seconds = forms.IntegerField(
        label=_("After (seconds)"), required=False, min_value=0, max_value=LONGEST_SECONDS
    )
    cooldown_seconds = forms.IntegerField(
        label=_("Quiet afterwards (seconds)"), required=False, min_value=0, max_value=LONGEST_SECONDS
    )

    def __init__(self, inherited: EffectiveRule, whose: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.whose = whose
        usual = _("usual: %(level)s") % {"level": Rule.RaiseFrom(inherited.level).label}
        level = self.fields["level"]
        level.choices = [("", usual), *Rule.RaiseFrom.choices]  # type: ignore[attr-defined]
        for name in ("stays_seconds", "cooldown_seconds"):
            self.fields[name].widget.attrs["placeholder"] = str(getattr(inherited, name))
        for name, field in self.fields.items():
            field.widget.attrs["aria-label"] = f"{field.label}, {whose}"
            if self.is_bound and name in self.errors:
                field.widget.attrs["aria-invalid"] = "true"

    def rule_input(self) -> RuleInput:
        """What the checked form asks for."""
        values = self.cleaned_data
        return RuleInput(values["level"], values["stays_seconds"], values["cooldown_seconds"])


class RuleForms:
    """The rules that somebody with this limit may set: the company's where they see all of it, then each queue's."""

    def __init__(self, domain: Domain, limit: Limit, posted: Any = None) -> None:
        stored = stored_inputs(domain.pk)
        default = DEFAULT_RULE.overridden_by(stored.get(None, RuleInput()))
        shown = [
            each for each in Queue.objects.filter(domain=domain, is_hidden=False) if limit.shows_queue(each.number)
        ]
        self.queues: list[Queue | None] = [*([] if limit.is_set else [None]), *shown]
        self.forms = [
            RuleForm(
                default if queue else DEFAULT_RULE,
                str(queue) if queue else str(_("every queue")),
                posted,
                prefix=f"q{queue.pk}" if queue else "all",
                initial=asdict(stored.get(queue.number if queue else None, RuleInput())),
            )
            for queue in self.queues
        ]

    def are_valid(self) -> bool:
        """Whether every line can be kept."""
        return not any(form.errors for form in self.forms)

    def inputs(self) -> dict[Queue | None, RuleInput]:
        """What the checked forms ask for."""
        return {queue: form.rule_input() for queue, form in zip(self.queues, self.forms, strict=True)}
