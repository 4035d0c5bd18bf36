"""What people may write about queues: their hours, and their names and places."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.forms import NameField
from accounts.models import Domain
from wallboard.queues import queue_table
from wallboard.queues.hours import timetables
from wallboard.queues.hours.calendar import Range
from wallboard.queues.hours.timetables import BadHours, Timetable
from wallboard.queues.models import Hours, Queue

INHERITED, OWN, ALWAYS = "inherited", "own", "always"
DAY_NAMES = tuple(f"day{index}" for index in range(7))
# Enough for the most ranges and days that timetables takes, and no more to parse.
MOST_DAYS_LETTERS, MOST_RANGES_LETTERS = 15_000, 120


class RangesField(forms.CharField):
    """When a queue is open on one day, as timetables.read_ranges takes it."""

    def to_python(self, value: Any) -> Any:
        """The ranges. Raises ValidationError with what timetables says."""
        try:
            return timetables.read_ranges(super().to_python(value) or "")
        except BadHours as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    # CharField's validators measure text, and the value is a tuple by now.
    def run_validators(self, value: Any) -> None:
        """Nothing is left to check of ranges that were read."""


class ClosedDaysField(forms.CharField):
    """Days on which a queue is closed, one in each line."""

    widget = forms.Textarea({"rows": 5, "aria-describedby": "days-hint"})

    def to_python(self, value: Any) -> Any:
        """The days. Raises ValidationError with what timetables says."""
        try:
            return timetables.read_days(super().to_python(value) or "")
        except BadHours as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    def run_validators(self, value: Any) -> None:
        """Nothing is left to check of days that were read."""


class HoursForm(forms.Form):
    """The hours of one queue, or without a queue those of every other one."""

    kind = forms.ChoiceField(
        label=_("This queue is open"),
        choices=[
            (INHERITED, _("as every queue")),
            (OWN, _("hours of its own, as below")),
            (ALWAYS, _("always open")),
        ],
        widget=forms.RadioSelect,
    )
    closed_days = ClosedDaysField(label=_("Closed on these days"), required=False, max_length=MOST_DAYS_LETTERS)
    keeps_closed_days = forms.BooleanField(label=_("Closed on the days of every queue too"), required=False)
    counts_outside = forms.BooleanField(
        label=_("Count minutes over target while a queue is closed, too"), required=False
    )
    next_morning = forms.CharField(required=False, max_length=MOST_DAYS_LETTERS)

    def __init__(self, domain: Domain, queue: Queue | None, posted: Mapping[str, Any] | None = None) -> None:
        self.domain, self.queue = domain, queue
        self.doubtful: dict[str, list[Range]] = {}  # by field: ranges that must be confirmed
        row = Hours.objects.filter(domain=domain, queue=queue).first()
        self.stored = timetables.timetable_of(row) if row else Timetable()
        super().__init__(posted, initial=initial_of(row, queue), label_suffix="")
        for index in range(7):
            widget = forms.TextInput({"autocomplete": "off", "aria-describedby": "hint"})
            self.fields[f"day{index}"] = RangesField(
                label=WEEKDAYS[index], required=False, max_length=MOST_RANGES_LETTERS, widget=widget
            )
        for name in ("counts_outside",) if queue else ("kind", "keeps_closed_days"):
            del self.fields[name]

    @property
    def days(self) -> Iterator[forms.BoundField]:
        """The fields of the days of the week, Monday first."""
        return (self[f"day{index}"] for index in range(7))

    def clean(self) -> dict[str, Any]:
        """A choice leaves out nothing that was written; a queue with hours of its own is open at some time."""
        cleaned = super().clean() or {}
        kind = cleaned.get("kind", OWN)
        self._leave_out({INHERITED: (*DAY_NAMES, "closed_days"), ALWAYS: DAY_NAMES}.get(kind, ()), cleaned)
        # A week without any range is stored for “always open”; saving it for “own hours” would say the opposite.
        if self.queue is not None and kind == OWN and not self.errors and not any(map(cleaned.get, DAY_NAMES)):
            self.add_error("day0", _("Write when the queue is open on at least one day, or choose “always open”."))
        self._ask_about_nights(cleaned)
        self._mark()
        return cleaned

    def _leave_out(self, names: Sequence[str], cleaned: dict[str, Any]) -> None:
        """Drop these fields for the choice that was made; an error where something was written into one of them."""
        stored = dict(zip(DAY_NAMES, self.stored.week, strict=False)) | {"closed_days": self.stored.closed_days}
        written = [name for name in names if name in self.errors or cleaned[name] not in ((), stored.get(name))]
        for name in names:
            self.errors.pop(name, None)
            cleaned.pop(name, None)
        for name in written[:1]:
            text = _("The choice above leaves this out. Choose “hours of its own, as below”, or empty these fields.")
            self.add_error(name, text)

    def _ask_about_nights(self, cleaned: dict[str, Any]) -> None:
        """What would last until the next morning, and hardly was meant to, is saved only once it is confirmed."""
        confirmed = set(cleaned.get("next_morning", "").split())
        week = dict(zip(DAY_NAMES, self.stored.week or ((),) * 7, strict=True))
        for name in DAY_NAMES:
            # What is stored already was confirmed when it was written.
            spans = [span for span in cleaned.get(name, ()) if timetables.is_doubtful(span) and span not in week[name]]
            if spans:
                self.doubtful[name] = spans
        for name, spans in self.doubtful.items():
            for span in spans:
                if _key(name, span) not in confirmed:
                    self.add_error(name, _question(span))

    @property
    def confirmation(self) -> str:
        """What the confirmation stands for: it is good for these ranges and for no others."""
        return " ".join(_key(name, span) for name, spans in self.doubtful.items() for span in spans)

    @property
    def nights(self) -> list[str]:
        """The ranges to be confirmed, with their days."""
        return [f"{self[name].label} {timetables.shown_ranges(spans)}" for name, spans in self.doubtful.items()]

    def _mark(self) -> None:
        """Tie each message to its field for those who hear the page, and begin with the first that is wrong."""
        wrong = [name for name in (*DAY_NAMES, "closed_days") if name in self.errors]
        for name in wrong:
            attrs = self.fields[name].widget.attrs
            attrs["aria-describedby"] = f"{attrs['aria-describedby']} {self[name].auto_id}_error"
        for name in wrong[:1]:
            self.fields[name].widget.attrs["autofocus"] = True

    def save(self) -> None:
        """Save what was written; boards follow with the next reading."""
        values = self.cleaned_data
        if values.get("kind") == INHERITED:
            timetables.drop_hours(self.domain, self.queue)
            return
        week = tuple(values.get(name, ()) for name in DAY_NAMES)
        keeps, counts = values.get("keeps_closed_days", True), values.get("counts_outside", False)
        timetables.save_hours(self.domain, self.queue, Timetable(week, values["closed_days"], keeps, counts))


def _key(name: str, span: Range) -> str:
    return f"{name}:{span[0]}-{span[1]}"


def _question(span: Range) -> str:
    end = timetables.shown_ranges([span]).partition("–")[2]
    question = gettext("Closes at %(end)s of the next day? Then confirm it below.") % {"end": end}
    if meant := timetables.in_the_afternoon(span):
        question += " " + gettext("For the afternoon write %(range)s.") % {"range": timetables.shown_ranges([meant])}
    return question


def initial_of(row: Hours | None, queue: Queue | None) -> dict[str, Any]:
    """The hours as they are, as the form writes them."""
    known = timetables.timetable_of(row) if row else Timetable()
    week = known.week or ((),) * 7
    is_open_always = row is not None and not any(known.week) and queue is not None
    return {
        "kind": INHERITED if row is None else ALWAYS if is_open_always else OWN,
        **{name: timetables.shown_ranges(ranges) for name, ranges in zip(DAY_NAMES, week, strict=True)},
        "closed_days": timetables.shown_days(known.closed_days),
        "keeps_closed_days": known.keeps_closed_days,
        "counts_outside": known.counts_outside,
    }


class QueueForm(forms.Form):
    """One line of the table of queues; a half as place stands between two."""

    name = NameField(max_length=queue_table.MOST_NAME, required=False)
    group = NameField(max_length=queue_table.MOST_GROUP, required=False)
    place = forms.FloatField(min_value=-queue_table.FURTHEST_PLACE, max_value=queue_table.FURTHEST_PLACE)
    is_shown = forms.BooleanField(required=False)

    def __init__(self, queue: Queue, place: int, posted: Mapping[str, Any] | None = None) -> None:
        self.queue = queue
        initial = {"name": queue.name, "group": queue.group, "place": place, "is_shown": not queue.is_hidden}
        # The key, not the number: a number may hold what no name of a form field may.
        super().__init__(posted, prefix=f"q{queue.pk}", initial=initial, use_required_attribute=False)
        number = {"number": queue.number}
        labels = {
            "name": gettext("Name of %(number)s") % number,
            "group": gettext("Group of %(number)s") % number,
            "place": gettext("Place of %(number)s") % number,
            "is_shown": gettext("Show %(number)s on boards") % number,
        }
        for name, label in labels.items():
            self.fields[name].widget.attrs |= {"aria-label": label, "autocomplete": "off"}
        self.fields["name"].widget.attrs["placeholder"] = queue.number
        self.fields["group"].widget.attrs["list"] = "groups"
        self.fields["place"].widget.attrs |= {"class": "queue-place", "inputmode": "decimal"}

    def clean(self) -> dict[str, Any]:
        """Name and group are one line each."""
        cleaned = super().clean() or {}
        return cleaned | {name: " ".join(cleaned[name].split()) for name in ("name", "group") if name in cleaned}

    def cells(self) -> dict[str, str]:
        """What the line sends if nothing is written, by the names of its fields; "" where that is nothing."""
        values = {name: str(text) for name, text in self.initial.items()}
        values["is_shown"] = "on" if self.initial["is_shown"] else ""
        return {self.add_prefix(name): text for name, text in values.items()}

    def row(self) -> queue_table.Row:
        """What the checked form asks for."""
        values = self.cleaned_data
        return queue_table.Row(self.queue, values["place"], values["name"], values["group"], values["is_shown"])


def queue_forms(queues: Sequence[Queue], posted: Mapping[str, Any] | None = None) -> list[QueueForm]:
    """The table as it is, or as somebody wrote it."""
    return [QueueForm(queue, place, posted) for place, queue in enumerate(queues, start=1)]
