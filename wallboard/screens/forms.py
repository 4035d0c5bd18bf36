"""Forms of screens, rotations and embed links: they check and hand over; the modules of each save."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.forms import NameField
from accounts.languages import choosing
from accounts.models import Domain
from accounts.saving import stamps
from wallboard.boards import layout as layouts
from wallboard.boards.models import Board
from wallboard.screens.embeds import links, origins
from wallboard.screens.embeds.links import EmbedInput
from wallboard.screens.models import Rotation, Screen
from wallboard.screens.rotations import DEFAULT_SECONDS, MAX_SECONDS, MAX_STEPS, MIN_SECONDS, RotationInput

ROTATION_PREFIX = "rotation-"


@dataclass(frozen=True)
class ScreenContent:
    """What a screen is to show: a board, or a rotation that begins with it."""

    board: Board
    rotation: Rotation | None = None

    @property
    def value(self) -> str:
        """As the forms write it."""
        return f"{ROTATION_PREFIX}{self.rotation.pk}" if self.rotation is not None else str(self.board.pk)


def content_choices(domain: Domain) -> dict[str, ScreenContent]:
    """Everything that a screen of the company can show, boards first."""
    boards = [ScreenContent(board) for board in Board.objects.filter(domain=domain)]
    rotations = domain.rotations.prefetch_related("steps__board")
    # next() over what was prefetched: first() would ask the database once per rotation.
    firsts = ((rotation, next(iter(rotation.steps.all()), None)) for rotation in rotations)
    cycles = [ScreenContent(step.board, rotation) for rotation, step in firsts if step is not None]
    return {each.value: each for each in [*boards, *cycles]}


class ScreenForm(forms.Form):
    """A screen's name and what it shows."""

    name = NameField(label=_("Name"), max_length=120)
    board = forms.ChoiceField(label=_("Shows"))

    def __init__(
        self, domain: Domain, *args: Any, offered: dict[str, ScreenContent] | None = None, **kwargs: Any
    ) -> None:
        """`offered` is what content_choices found, where several forms of one page share it."""
        super().__init__(*args, **kwargs)
        self.offered = content_choices(domain) if offered is None else offered
        boards = [(value, str(each.board)) for value, each in self.offered.items() if each.rotation is None]
        cycles = [(value, str(each.rotation)) for value, each in self.offered.items() if each.rotation is not None]
        groups = [(_("Boards"), boards), (_("Rotations"), cycles)]
        self.fields["board"].choices = groups if cycles else boards  # type: ignore[attr-defined]

    @property
    def shows(self) -> ScreenContent:
        """What the checked form asks for."""
        return self.offered[self.cleaned_data["board"]]


class PairForm(ScreenForm):
    """The code that a TV shows, with the screen it shall become."""

    field_order = ("code", "name", "board", "has_sound")

    code = forms.CharField(label=_("Code on the TV"), max_length=12)
    has_sound = forms.BooleanField(label=_("Turn its sound on"), required=False)


class SettingsForm(ScreenForm):
    """All that can be set about a screen; `has_numbers` counts for administrators only.

    `stamp` says what the form was made from.
    """

    language = forms.ChoiceField(label=_("Language"), required=False)
    has_sound = forms.BooleanField(label=_("Alarm sound"), required=False)
    has_numbers = forms.BooleanField(label=_("Phone numbers"), required=False)

    def __init__(
        self, screen: Screen, posted: QueryDict | None = None, *, offered: dict[str, ScreenContent] | None = None
    ) -> None:
        initial = self.initial_of(screen)
        super().__init__(screen.domain, posted, initial=initial, prefix=f"s{screen.pk}", offered=offered)
        self.screen = screen
        self.stamp = (posted and posted.get("stamp")) or stamps.of(initial)
        self.fields["language"].choices = choosing.choices(_("as its board, else the company’s"))  # type: ignore[attr-defined]

    @staticmethod
    def initial_of(screen: Screen) -> dict[str, Any]:
        """The form's values for a screen as it is."""
        shows = ScreenContent(screen.board, screen.rotation)
        return {
            "name": screen.name,
            "board": shows.value,
            "language": screen.language,
            "has_sound": screen.has_sound,
            "has_numbers": screen.shows_numbers,
        }


class StepForm(forms.Form):
    """One board of a rotation; a line without a board is left out."""

    board = forms.ModelChoiceField(
        label=_("Board"), queryset=Board.objects.none(), required=False, empty_label=_("no board")
    )
    seconds = forms.IntegerField(
        label=_("Seconds"), min_value=MIN_SECONDS, max_value=MAX_SECONDS, initial=DEFAULT_SECONDS
    )

    def __init__(self, domain: Domain, *args: Any, **kwargs: Any) -> None:
        # A line without a board is left out, so browsers must not insist on its seconds.
        super().__init__(*args, **{"use_required_attribute": False, **kwargs})
        self.fields["board"].queryset = Board.objects.filter(domain=domain)  # type: ignore[attr-defined]


class RotationForm(forms.Form):
    """A rotation's name; its steps are the lines of `lines`, in their order."""

    name = NameField(label=_("Name"), max_length=120)

    def __init__(self, domain: Domain, posted: Any = None, rotation: Rotation | None = None) -> None:
        super().__init__(posted, initial={"name": rotation.name if rotation else ""}, label_suffix="")
        steps = list(rotation.steps.select_related("board")) if rotation else []
        self.lines = [
            StepForm(
                domain,
                posted,
                prefix=f"step{place}",
                initial={"board": steps[place].board, "seconds": steps[place].seconds} if place < len(steps) else {},
            )
            for place in range(MAX_STEPS)
        ]

    def clean(self) -> dict[str, Any]:
        """Read the lines; at least one must name a board."""
        cleaned = super().clean() or {}
        if any(line.errors for line in self.lines):
            raise forms.ValidationError(_("One of the lines is not valid; see below."))
        found = [(line.cleaned_data["board"], line.cleaned_data["seconds"]) for line in self.lines]
        cleaned["steps"] = tuple((board, seconds) for board, seconds in found if board is not None)
        if not cleaned["steps"]:
            raise forms.ValidationError(_("Choose at least one board."))
        return cleaned

    def rotation_input(self) -> RotationInput:
        """What the checked form asks for."""
        return RotationInput(self.cleaned_data["name"], self.cleaned_data["steps"])


class EmbedForm(forms.Form):
    """An embed link: what it shows, for which sites, and how; `has_numbers` counts for administrators only."""

    name = NameField(label=_("Name"), max_length=120)
    shows = forms.ChoiceField(label=_("Shows"))
    sites = forms.CharField(
        label=_("Sites that may show it"),
        help_text=_("One on each line, with scheme and port: https://intranet.example.com"),
        max_length=4000,
        widget=forms.Textarea({"rows": 3, "dir": "ltr", "spellcheck": "false", "autocapitalize": "off"}),
    )
    theme = forms.ChoiceField(label=_("Theme"), required=False)
    language = forms.ChoiceField(label=_("Language"), required=False)
    has_numbers = forms.BooleanField(label=_("Phone numbers"), required=False)

    def __init__(self, domain: Domain, *args: Any, may_allow_numbers: bool, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.boards = {str(board.pk): board for board in Board.objects.filter(domain=domain)}
        groups = [(board.name, _board_choices(board)) for board in self.boards.values()]
        self.fields["shows"].choices = groups  # type: ignore[attr-defined]
        self.fields["theme"].choices = [("", _("as its board")), *Board.Theme.choices]  # type: ignore[attr-defined]
        self.fields["language"].choices = choosing.choices(_("as its board, else the company’s"))  # type: ignore[attr-defined]
        if not may_allow_numbers:
            del self.fields["has_numbers"]

    def clean_sites(self) -> tuple[str, ...]:
        """The origins that were written."""
        try:
            return tuple(origins.parsed(self.cleaned_data["sites"]))
        except origins.BadOrigin as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    def wanted(self) -> EmbedInput:
        """What the checked form asks for."""
        values = self.cleaned_data
        board, _colon, card = values["shows"].partition(":")
        has_numbers = values.get("has_numbers", False)
        looks = {"theme": values["theme"], "language": values["language"], "shows_numbers": has_numbers}
        return EmbedInput(values["name"], self.boards[board], card, values["sites"], **looks)


def _board_choices(board: Board) -> list[tuple[str, str]]:
    cards = layouts.layout_of(board).cards or ()
    names = [(f"{board.pk}:{each.id}", links.card_name(board, each.id)) for each in cards]
    return [(str(board.pk), gettext("The whole board")), *names]
