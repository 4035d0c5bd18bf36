"""Which alerts are meant and when: what one person chooses, and the routes of a company."""

from collections.abc import Iterable, Sequence
from datetime import time
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.forms import NameField, WithoutColons, with_gone
from accounts.limits import Limit
from accounts.models import Domain, Person, Team
from wallboard.alerts import wording
from wallboard.alerts.models import LEVEL
from wallboard.notifications.hours import EVERY_DAY
from wallboard.notifications.models import Choice, Destination, Route, Step
from wallboard.notifications.routes import StepInput
from wallboard.queues.models import Level, Queue

DAYS = (_("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday"))
LONGEST_MINUTES = 24 * 60


def boxes(label: Any, help_text: Any = "") -> forms.MultipleChoiceField:
    """A list to tick; nothing ticked means any of them."""
    return forms.MultipleChoiceField(
        label=label, required=False, widget=forms.CheckboxSelectMultiple, help_text=help_text
    )


def minutes(label: Any, *, is_needed: bool = False) -> forms.IntegerField:
    """A number of whole minutes."""
    return forms.IntegerField(label=label, required=is_needed, min_value=0, max_value=LONGEST_MINUTES)


class FilterForm(WithoutColons, forms.Form):
    """Which alerts are meant, and when."""

    level = forms.ChoiceField(
        label=_("From which level"), choices=[(Level.LATE, _("late only")), (Level.WATCH, _("watch and late"))]
    )
    queues = boxes(_("Queues"), _("None ticked: all of them."))
    kinds = boxes(_("Alerts"), _("None ticked: all of them."))
    days = boxes(_("On these days"), _("None ticked: every day."))
    from_time = forms.TimeField(label=_("From"), required=False, widget=forms.TimeInput({"type": "time"}))
    until_time = forms.TimeField(label=_("Until"), required=False, widget=forms.TimeInput({"type": "time"}))
    tells_resolved = forms.BooleanField(label=_("Also say when it is over"), required=False)

    def __init__(self, domain: Domain, limit: Limit, stored: Choice | Route | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = [each for each in Queue.objects.filter(domain=domain) if limit.shows_queue(each.number)]
        queues = [(each.number, str(each)) for each in shown if not each.is_hidden]
        self._offer("queues", queues, stored.queues if stored else None)
        kinds = [(LEVEL, gettext("Watch and late of queues"))]
        kinds += [(name, each.word) for name, each in wording.words().items()]
        self._offer("kinds", kinds, stored.kinds if stored else None)
        self._offer("days", [(str(day), str(name)) for day, name in enumerate(DAYS)])

    def _offer(self, name: str, choices: Sequence[tuple[str, str]], stored: Iterable[str] | None = None) -> None:
        self.fields[name].choices = with_gone(choices, stored or ())  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Half a span of time is none."""
        values = super().clean() or {}
        if (values.get("from_time") is None) != (values.get("until_time") is None):
            self.add_error("until_time", _("Say both from and until, or neither."))
        return values

    def filter_values(self) -> dict[str, Any]:
        """What the checked form asks for, as models keep it."""
        values = self.cleaned_data
        return {
            "level": values["level"],
            "queues": values["queues"] or None,
            "kinds": values["kinds"] or None,
            "days": sum(1 << int(day) for day in values["days"]) or EVERY_DAY,
            "from_time": values["from_time"],
            "until_time": values["until_time"],
            "tells_resolved": values["tells_resolved"],
        }


def filter_initial(stored: Choice | Route) -> dict[str, Any]:
    """A stored filter as its form shows it."""
    is_daily = stored.days == EVERY_DAY
    return {
        "level": stored.level,
        "queues": stored.queues or [],
        "kinds": stored.kinds or [],
        "days": [] if is_daily else [str(day) for day in range(7) if stored.days >> day & 1],
        "from_time": _shown(stored.from_time),
        "until_time": _shown(stored.until_time),
        "tells_resolved": stored.tells_resolved,
    }


def _shown(moment: time | None) -> str:
    return moment.strftime("%H:%M") if moment else ""


class ChoiceForm(FilterForm):
    """What reaches a person."""

    is_subscribed = forms.BooleanField(
        label=_("Tell me about alerts by itself"),
        required=False,
        help_text=_("Off: you hear of what administrators send to you, and of nothing else."),
    )
    after_minutes = minutes(_("Only after (minutes)"))

    def values(self) -> dict[str, Any]:
        """What the checked form asks for."""
        after = (self.cleaned_data["after_minutes"] or 0) * 60
        return {**self.filter_values(), "is_subscribed": self.cleaned_data["is_subscribed"], "after_seconds": after}

    @staticmethod
    def initial_of(choice: Choice) -> dict[str, Any]:
        """A stored choice as the form shows it."""
        more = {"is_subscribed": choice.is_subscribed, "after_minutes": choice.after_seconds // 60}
        return {**filter_initial(choice), **more}


def members(label: Any, rows: QuerySet[Any]) -> Any:
    """A list of rows to tick."""
    return forms.ModelMultipleChoiceField(rows, label=label, required=False, widget=forms.CheckboxSelectMultiple)


class RouteForm(FilterForm):
    """A route of a company: which alerts, to whom, and to whom next."""

    name = NameField(label=_("Name"), max_length=120)
    is_enabled = forms.BooleanField(label=_("In force"), required=False)
    groups = boxes(_("Groups of queues"))
    after_minutes = minutes(_("After (minutes)"))
    repeat_minutes = minutes(_("Again every (minutes)"))
    escalate_minutes = minutes(_("If nobody has acknowledged it after (minutes)"))

    def __init__(self, domain: Domain, stored: Route | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(domain, Limit(), stored, *args, **kwargs)
        groups = Queue.objects.filter(domain=domain).exclude(group="").values_list("group", flat=True)
        self._offer("groups", [(each, each) for each in sorted(set(groups))], stored.groups if stored else None)
        named = Step.people.through.objects.filter(step__route=stored).values("person_id")
        people = Person.objects.filter(Q(is_hidden=False) | Q(pk__in=named), domain=domain).order_by(
            "name", "extension"
        )
        for step in ("first", "next"):
            self.fields[f"{step}_people"] = members(_("People"), people)
            self.fields[f"{step}_teams"] = members(_("Teams"), Team.objects.filter(domain=domain))
            shared = Destination.objects.filter(domain=domain, person=None)
            self.fields[f"{step}_destinations"] = members(_("Destinations of the company"), shared)

    def clean(self) -> dict[str, Any]:
        """A route leads somewhere, and on only after a time."""
        values = super().clean()
        if not self._step(values, "first", 0).is_for_anybody:
            self.add_error("first_people", _("Choose somebody, a team or a destination."))
        if self._step(values, "next", 0).is_for_anybody and not values.get("escalate_minutes"):
            self.add_error("escalate_minutes", _("Say after how many minutes."))
        if values.get("repeat_minutes") == 0:
            self.add_error("repeat_minutes", _("At least 1, or empty for once."))
        return values

    def values(self) -> dict[str, Any]:
        """The route that the checked form asks for."""
        values = self.cleaned_data
        repeat = values["repeat_minutes"] * 60 if values["repeat_minutes"] else None
        own = {"name": values["name"], "is_enabled": values["is_enabled"], "groups": values["groups"] or None}
        return {**self.filter_values(), **own, "repeat_seconds": repeat}

    def steps(self) -> list[StepInput]:
        """Its steps."""
        values = self.cleaned_data
        first = self._step(values, "first", values["after_minutes"] or 0)
        later = self._step(values, "next", values["escalate_minutes"] or 0)
        return [first, later] if later.is_for_anybody else [first]

    def _step(self, values: dict[str, Any], name: str, after: int) -> StepInput:
        people, teams, shared = (
            list(values.get(f"{name}_{kind}") or ()) for kind in ("people", "teams", "destinations")
        )
        return StepInput(after * 60, people, teams, shared)

    @staticmethod
    def initial_of(route: Route) -> dict[str, Any]:
        """A stored route as the form shows it."""
        found = {
            **filter_initial(route),
            "name": route.name,
            "is_enabled": route.is_enabled,
            "groups": route.groups or [],
            "repeat_minutes": route.repeat_seconds and route.repeat_seconds // 60,
        }
        minutes_of = {"first": "after_minutes", "next": "escalate_minutes"}
        for name, step in zip(minutes_of, route.steps.all(), strict=False):
            found[minutes_of[name]] = step.after_seconds // 60
            for kind in ("people", "teams", "destinations"):
                found[f"{name}_{kind}"] = sorted(getattr(step, kind).values_list("pk", flat=True))
        return found
