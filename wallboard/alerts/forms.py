"""The rules as a person writes them: a line for the company, for each queue, and for each other kind of alert."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from accounts.limits import Limit
from accounts.models import Domain
from wallboard.alerts import wording
from wallboard.alerts.kinds import KINDS
from wallboard.alerts.models import Rule
from wallboard.alerts.rules import DEFAULT_RULE, LONGEST_SECONDS, EffectiveRule, RuleInput, stored_inputs
from wallboard.alerts.ruling import kind_rules
from wallboard.alerts.ruling.kind_rules import EffectiveKindRule, KindInput
from wallboard.alerts.ruling.widgets import PlainNumber, PlainSelect
from wallboard.queues.models import Level, Queue

LONGEST_KIND_SECONDS = 7 * 86_400


class RuleForm(forms.Form):
    """One rule. An empty field inherits `inherited`, which the page shows in its place."""

    level = forms.ChoiceField(label=_("Raises an alert"), required=False, widget=PlainSelect)
    stays_seconds = forms.IntegerField(
        label=_("After (seconds)"), required=False, min_value=0, max_value=LONGEST_SECONDS, widget=PlainNumber
    )
    cooldown_seconds = forms.IntegerField(
        label=_("Quiet afterwards (seconds)"),
        required=False,
        min_value=0,
        max_value=LONGEST_SECONDS,
        widget=PlainNumber,
    )

    def __init__(self, inherited: EffectiveRule, whose: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.whose = whose
        self.calls: int | None = None
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

    def stored(self) -> list[tuple[str, str]]:
        """The rules that the lines were made from."""
        return _set_in(self.forms)

    def inputs(self) -> dict[Queue | None, RuleInput]:
        """What the checked forms ask for."""
        return {queue: form.rule_input() for queue, form in zip(self.queues, self.forms, strict=True)}

    def numbered_inputs(self, domain: Domain) -> dict[str | None, RuleInput]:
        """All rules of the company as they would be with the checked forms, by the number of the queue."""
        asked = {queue.number if queue else None: each for queue, each in self.inputs().items()}
        return {**stored_inputs(domain.pk), **asked}

    def count(self, calls: Mapping[str, int]) -> None:
        """Show beside each line how often it would have called, by the number of the queue."""
        for queue, form in zip(self.queues, self.forms, strict=True):
            form.calls = sum(calls.values()) if queue is None else calls.get(queue.number, 0)


class KindForm(forms.Form):
    """The rule of one kind. An empty field is as usual for it, which the page shows in its place."""

    is_on = forms.ChoiceField(label=_("Raises an alert"), required=False)
    level = forms.ChoiceField(label=_("As"), required=False)
    stays_seconds = forms.IntegerField(
        label=_("After (seconds)"), required=False, min_value=0, max_value=LONGEST_KIND_SECONDS
    )

    def __init__(self, kind: str, usual: EffectiveKindRule, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = wording.words()[kind]
        self.kind, self.whose, self.advice = kind, known.word, known.do
        self.calls: int | None = None
        self.is_unknown = False
        levels = [(each.value, capfirst(str(each.label))) for each in (Level.WATCH, Level.LATE)]
        usually = _("usual: %(level)s")
        word = _("yes") if usual.is_on else _("no")
        choices = {
            "is_on": [("", usually % {"level": word}), ("yes", _("yes")), ("no", _("no"))],
            "level": [("", usually % {"level": Level(usual.level).label}), *levels],
        }
        for name, options in choices.items():
            self.fields[name].choices = options  # type: ignore[attr-defined]
        self.fields["stays_seconds"].widget.attrs["placeholder"] = str(usual.stays_seconds)
        for name, field in self.fields.items():
            field.widget.attrs["aria-label"] = f"{field.label}, {self.whose}"
            if self.is_bound and name in self.errors:
                field.widget.attrs["aria-invalid"] = "true"

    def kind_input(self) -> KindInput:
        """What the checked form asks for."""
        values = self.cleaned_data
        is_on = {"yes": True, "no": False}.get(values["is_on"])
        return KindInput(is_on, values["level"], values["stays_seconds"])


class KindForms:
    """The rules of all kinds beside queues' levels."""

    def __init__(self, domain: Domain, posted: Any = None) -> None:
        stored = kind_rules.stored_inputs(domain.pk)
        self.forms = [
            KindForm(kind, kind_rules.usual(kind), posted, prefix=kind, initial=_initial(stored.get(kind, KindInput())))
            for kind in KINDS
        ]

    def are_valid(self) -> bool:
        """Whether every line can be kept."""
        return not any(form.errors for form in self.forms)

    def stored(self) -> list[tuple[str, str]]:
        """The rules that the lines were made from."""
        return _set_in(self.forms)

    def inputs(self) -> dict[str, KindInput]:
        """What the checked forms ask for."""
        return {form.kind: form.kind_input() for form in self.forms}

    def effective(self) -> dict[str, EffectiveKindRule]:
        """The rules that would hold with the checked forms."""
        return {kind: kind_rules.effective(kind, wish) for kind, wish in self.inputs().items()}

    def count(self, calls: Mapping[str, int]) -> None:
        """Show beside each line how often it would have called; of some kinds nobody knows."""
        for form in self.forms:
            form.calls, form.is_unknown = calls.get(form.kind), form.kind not in calls


def _initial(stored: KindInput) -> dict[str, object]:
    is_on = "" if stored.is_on is None else "yes" if stored.is_on else "no"
    return {"is_on": is_on, "level": stored.level, "stays_seconds": stored.stays_seconds}


def _set_in(lines: Iterable[forms.Form]) -> list[tuple[str, str]]:
    # Without lines that set nothing: a queue that is new, or hidden, is no rule that somebody changed.
    return sorted((str(each.prefix), repr(each.initial)) for each in lines if set(each.initial.values()) - {"", None})
