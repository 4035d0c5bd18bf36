"""What administrators may send about people and teams, and days that anybody may ask for."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts import company_day, limits, validators
from accounts.languages.digits import ascii_digits
from accounts.models import Domain, Person, Team


class WithoutColons:
    """For forms whose labels end as they are written, as on all our pages."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


class NameField(forms.CharField):
    """A name or other words that people write, shown in their own direction."""

    widget = forms.TextInput({"dir": "auto"})


def with_gone(choices: Sequence[tuple[str, str]], stored: Iterable[str]) -> list[tuple[str, str]]:
    """These choices, and what is ticked and no longer shown: left out, the last one would come to mean all."""
    known = {value for value, _label in choices}
    gone = [(each, _("%(name)s (no longer shown)") % {"name": each}) for each in stored if each not in known]
    return [*choices, *gone]


class ExtensionField(forms.CharField):
    """An extension or user name as providers have it, in whatever digits it is typed."""

    def to_python(self, value: Any) -> str:
        """The text with ASCII digits."""
        return ascii_digits(super().to_python(value) or "")


class PasskeyForm(WithoutColons, forms.Form):
    """What somebody calls a key, to know it again."""

    name = NameField(label=gettext_lazy("Name of the passkey"), max_length=80, required=False)


class DayField(forms.DateField):
    """A day that calls and queues can have had."""

    widget = forms.DateInput({"type": "date"}, "%Y-%m-%d")

    def to_python(self, value: Any) -> Any:
        """The day. Raises ValidationError with a sentence that says which days there are."""
        try:
            day = super().to_python(value)
        except forms.ValidationError:
            raise self.refusal() from None
        if day and not company_day.FIRST <= day <= company_day.LAST:
            raise self.refusal()
        return day

    def refusal(self) -> forms.ValidationError:
        known = {"first": company_day.FIRST, "last": company_day.LAST}
        return forms.ValidationError(_("Choose a day between %(first)s and %(last)s.") % known)


class DaysForm(forms.Form):
    """Days one after the other, both ends included."""

    first = DayField(label=gettext_lazy("From"))
    last = DayField(label=pgettext_lazy("end of a period", "To"))

    def clean(self) -> dict[str, Any]:
        """The days must be in order."""
        cleaned = super().clean() or {}
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and first > last:
            raise forms.ValidationError(_("The first day must not be after the last."))
        return cleaned


class PersonForm(forms.Form):
    """Name and role of a person."""

    name = forms.CharField(max_length=200, required=False)
    role = forms.ChoiceField(choices=Person.Role.choices)


class NewPersonForm(forms.Form):
    """A person who has not been seen yet, by an extension or user name as a provider may have it."""

    extension = ExtensionField(
        label=gettext_lazy("Extension"),
        max_length=64,
        validators=[RegexValidator(validators.EXTENSION, validators.WRONG_EXTENSION)],
    )
    name = forms.CharField(label=gettext_lazy("Name"), max_length=200, required=False)


class LinkForm(forms.Form):
    """Which extension a waiting sign-in belongs to; `replace` signs out whoever it belonged to, and with
    `is_somebody_new` they keep nothing but their notes, under another name."""

    user = forms.IntegerField()
    extension = ExtensionField(max_length=64)
    replace = forms.BooleanField(required=False)
    is_somebody_new = forms.BooleanField(required=False)


class TeamField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """The team that somebody sees, or nothing for everybody."""

    def label_from_instance(self, obj: Any) -> str:
        return _("Only the team %(team)s") % {"team": obj}


class LimitedForm(WithoutColons, forms.Form):
    """Which queues and people of a company somebody or something sees, with what a subclass asks beside it.

    templates/accounts/_limit_choice.html draws these fields.
    """

    every_queue = forms.ChoiceField(
        choices=[("1", gettext_lazy("All queues, new ones too")), ("", gettext_lazy("Only these"))],
        required=False,
        widget=forms.RadioSelect,
    )
    queues = forms.MultipleChoiceField(
        label=gettext_lazy("Queues"), required=False, widget=forms.CheckboxSelectMultiple
    )
    team = TeamField(
        Team.objects.none(), label=gettext_lazy("People"), required=False, empty_label=gettext_lazy("Everybody")
    )

    def __init__(self, domain: Domain, posted: Mapping[str, Any] | None, initial: dict[str, Any]) -> None:
        super().__init__(posted, initial=initial)
        queues = domain.queues.values_list("number", "name")
        choices = [(number, f"{name} ({number})" if name else number) for number, name in queues]
        self.fields["queues"].choices = choices  # type: ignore[attr-defined]
        self.fields["team"].queryset = domain.teams.all()  # type: ignore[attr-defined]

    def chosen_queues(self) -> tuple[str, ...] | None:
        """The numbers of the queues, None for all."""
        return None if self.cleaned_data["every_queue"] else tuple(self.cleaned_data["queues"])


class LimitForm(LimitedForm):
    """Which queues and people somebody sees: all, or only these."""

    def __init__(self, person: Person, posted: Mapping[str, Any] | None = None) -> None:
        self.person = person
        super().__init__(person.domain, posted, limit_shown(person))

    def save(self) -> None:
        """Limit the person so; open pages of theirs follow at once."""
        limits.set_limit(self.person, self.chosen_queues(), self.cleaned_data["team"])


def limit_shown(row: Any) -> dict[str, Any]:
    """What the form shows of somebody, or something, that may be limited."""
    every_queue = "1" if row.only_queues is None else ""
    return {"every_queue": every_queue, "queues": row.only_queues or [], "team": row.only_team_id}


class TeamForm(forms.Form):
    """A team's name and people; with `team` as None a new one."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=80, widget=forms.TextInput({"autocomplete": "off", "dir": "auto"})
    )
    people = forms.MultipleChoiceField(
        label=gettext_lazy("People"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, domain: Domain, team: Team | None, posted: Mapping[str, Any] | None = None) -> None:
        self.domain, self.team = domain, team
        super().__init__(posted, initial=team_shown(team) if team else {}, label_suffix="")
        people = domain.people.order_by("extension").values_list("extension", "name")
        choices = [(extension, f"{name} ({extension})" if name else extension) for extension, name in people]
        self.fields["people"].choices = choices  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        """No other team of the company may have this name."""
        return free_team_name(self.cleaned_data["name"], self.domain.pk, self.team.pk if self.team else None)

    def save(self) -> Team:
        """Make or change the team; open pages of those limited to it follow at once."""
        return limits.save_team(self.domain, self.cleaned_data["name"], self.cleaned_data["people"], self.team)


class TeamRowForm(forms.ModelForm):  # type: ignore[type-arg]
    """A team in the admin site. Once it exists its company is no field, by which the model would find a double name."""

    class Meta:
        model = Team
        fields = ["domain", "name", "people"]

    def clean_name(self) -> str:
        """No other team of the company may have this name."""
        return free_team_name(self.cleaned_data["name"], self.instance.domain_id, self.instance.pk)


def free_team_name(name: str, domain_id: int | None, team_id: int | None) -> str:
    """The name, where no other team of the company has it. Raises ValidationError."""
    if Team.objects.filter(domain_id=domain_id or 0, name=name).exclude(pk=team_id or 0).exists():
        raise forms.ValidationError(_("There is a team of this name already."))
    return name


def team_shown(team: Team) -> dict[str, Any]:
    """What the form shows of a team."""
    return {"name": team.name, "people": sorted(limits.members(team.pk))}
