"""Forms of boards: they check and hand over; editing.py saves."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import NameField, WithoutColons
from accounts.languages import choosing
from accounts.models import Domain
from wallboard.boards import layout, starters, time_zones
from wallboard.boards.cards.parsing import MAX_NUMBERS
from wallboard.boards.editing import BoardInput
from wallboard.boards.models import Board
from wallboard.queues.models import Queue

AS_READ = _("as each person reads")
AS_READ_ON_TVS = _("Where none is chosen, TVs show the company’s language.")


class BoardForm(WithoutColons, forms.Form):
    """All that can be chosen about a board without scripts. Queues come as their numbers, in the order they should
    stand in. Cards on a grid stay as they are: `grid` is that layout.
    """

    name = NameField(label=_("Name"), max_length=120)
    theme = forms.ChoiceField(label=_("Colours"), choices=Board.Theme.choices)
    notice = forms.CharField(
        label=_("Notice line"),
        max_length=200,
        required=False,
        help_text=_("One line to the floor, beside the name."),
        widget=forms.TextInput({"dir": "auto"}),
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), required=False)
    language = forms.ChoiceField(label=_("Language"), required=False, help_text=AS_READ_ON_TVS)
    sections = forms.MultipleChoiceField(
        label=_("Sections"), choices=list(layout.SECTIONS.items()), widget=forms.CheckboxSelectMultiple
    )
    every_queue = forms.ChoiceField(
        label=_("Queues"),
        choices=[("1", _("All queues, new ones too")), ("", _("Only these, in this order"))],
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, domain: Domain, *args: Any, grid: layout.Layout | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queues = list(Queue.objects.filter(domain=domain, is_hidden=False))
        chosen = self.get_initial_for_field(self.fields["time_zone"], "time_zone") or ""
        self.fields["time_zone"].choices = time_zones.zone_choices(domain, chosen)  # type: ignore[attr-defined]
        self.fields["language"].choices = choosing.choices(AS_READ)  # type: ignore[attr-defined]
        self.grid = grid if grid is not None and grid.cards is not None else None
        if self.grid is not None:
            del self.fields["sections"], self.fields["every_queue"]

    def clean(self) -> dict[str, Any]:
        """Find which queues are ticked, ordered by the places they were given: lowest first, ties as they were."""
        cleaned = super().clean() or {}
        ticked = self.data.getlist("queue") if hasattr(self.data, "getlist") else []
        known = {queue.number for queue in self.queues}
        chosen = [number for number in ticked if number in known]
        cleaned["queues"] = sorted(chosen, key=self._place)
        if not cleaned.get("every_queue") and not chosen and layout.QUEUES in cleaned.get("sections", []):
            self.add_error("every_queue", _("Tick at least one queue, or show all of them."))
        # The layout would refuse it too, but not beside the field.
        if not cleaned.get("every_queue") and len(chosen) > MAX_NUMBERS:
            sentence = _("A board names at most %(most)d queues. Tick fewer, or show all of them.")
            self.add_error("every_queue", sentence % {"most": MAX_NUMBERS})
        return cleaned

    def _place(self, number: str) -> float:
        try:
            # Without a place, or with one that is no number, a queue comes last.
            return float(self.data.get(f"place-{number}", "") or "inf")
        except ValueError:
            return float("inf")

    def board_input(self) -> BoardInput:
        """What the checked form asks for."""
        values = self.cleaned_data
        if self.grid is not None:
            return self._input(self.grid)
        queues = None if values["every_queue"] else tuple(values["queues"])
        chosen = layout.Layout(tuple(name for name in layout.SECTIONS if name in values["sections"]), queues)
        return self._input(chosen)

    def _input(self, chosen: layout.Layout) -> BoardInput:
        values = self.cleaned_data
        names = (values["name"], values["theme"], values["notice"])
        return BoardInput(*names, chosen, values["time_zone"], values["language"])

    def queue_rows(self) -> list[dict[str, Any]]:
        """The queues for the page: the chosen ones first and in their order, then the rest."""
        if self.is_bound:
            chosen = [str(number) for number in getattr(self.data, "getlist", lambda _: [])("queue")]
        else:
            chosen = list(self.initial.get("queues") or ())
        place = {number: index + 1 for index, number in enumerate(chosen)}
        rows = sorted(self.queues, key=lambda queue: place.get(queue.number, len(place) + 1))
        return [
            {"queue": queue, "is_chosen": queue.number in place or not place, "place": index + 1}
            for index, queue in enumerate(rows)
        ]


def form_initial(board_input: BoardInput) -> dict[str, Any]:
    """The form's values for a board as it is."""
    return {
        "name": board_input.name,
        "theme": board_input.theme,
        "notice": board_input.notice,
        "time_zone": board_input.time_zone,
        "language": board_input.language,
        "sections": list(board_input.layout.sections),
        "every_queue": "1" if board_input.layout.queues is None else "",
        "queues": board_input.layout.queues,
    }


class NewBoardForm(WithoutColons, forms.Form):
    """A new board: its name, and what it begins as."""

    name = NameField(label=_("Name"), max_length=120)
    starter = forms.ChoiceField(
        label=_("Begin with"),
        choices=[(key, each.name) for key, each in starters.STARTERS.items()],
        required=False,
        widget=forms.RadioSelect,
        initial=starters.AUTOMATIC,
    )

    def __init__(self, domain: Domain, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.numbers = list(Queue.objects.filter(domain=domain, is_hidden=False).values_list("number", flat=True))

    def board_input(self) -> BoardInput:
        """What the checked form asks for."""
        starter = starters.STARTERS[self.cleaned_data["starter"] or starters.AUTOMATIC]
        return BoardInput(self.cleaned_data["name"], layout=starter.layout(self.numbers))

    def starter_rows(self) -> list[dict[str, Any]]:
        """The starters for the page, each with the places of its cards."""
        chosen = self["starter"].value() or starters.AUTOMATIC
        return [
            {
                "key": key,
                "starter": starter,
                "is_chosen": key == chosen,
                "cards": starter.layout(self.numbers or ["1"]).cards,
            }
            for key, starter in starters.STARTERS.items()
        ]
