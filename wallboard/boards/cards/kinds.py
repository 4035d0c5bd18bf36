"""The kinds of cards on a grid board, and the figures that a card can show."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from wallboard.forecast import card as forecast
from wallboard.reports.time_windows import TODAY

COLUMNS = 12
MIN_ROWS, MAX_ROWS = 4, 24
SIZES = ("small", "normal", "large")
FITS = ("contain", "cover")
NOW = "now"
AHEAD = "ahead"  # the next hour, as it is expected to be
WINDOWS = (NOW, "15", "30", "60", TODAY)


@dataclass(frozen=True)
class Kind:
    """What a kind of card is called, how small it may be, how large it is made, and which options it takes."""

    name: str | Promise
    least_width: int
    least_height: int
    usual_width: int
    usual_height: int
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """What a figure is called, the windows it can be told for, and of which queues and people it can be.

    Counts of something that happened have no `now`; of what phones are doing nothing but now is told. `name_over_time`
    is for a figure that is another one over a window than of this moment.
    """

    name: str | Promise
    windows: tuple[str, ...] = WINDOWS
    covers: tuple[str, ...] = ("queues",)
    name_over_time: str | Promise = ""


KINDS = {
    "totals": Kind(gettext_lazy("Totals"), 6, 1, 12, 2, ("queues", "levels")),
    "tiles": Kind(gettext_lazy("Queues"), 3, 2, 8, 7, ("queues", "levels")),
    "queue": Kind(gettext_lazy("One queue, big"), 2, 2, 4, 4, ("queues", "levels")),
    "table": Kind(gettext_lazy("Queue table"), 4, 2, 6, 6, ("queues", "levels")),
    "figure": Kind(gettext_lazy("Single figure"), 2, 1, 3, 3, ("figure", "window", "queues", "people", "levels")),
    "trend": Kind(gettext_lazy("Trend line"), 2, 1, 4, 3, ("queues", "levels", "window")),
    "ribbon": Kind(gettext_lazy("Day ribbon"), 3, 1, 6, 2, ("queues", "levels")),
    "people": Kind(gettext_lazy("People"), 2, 2, 4, 6, ("people",)),
    "calls": Kind(gettext_lazy("Live calls"), 3, 2, 4, 5, ("queues", "people", "levels")),
    "callbacks": Kind(gettext_lazy("Callers to call back"), 2, 1, 3, 3, ("queues", "levels")),
    "notice": Kind(gettext_lazy("Notice"), 2, 1, 12, 1, ("text",)),
    "clock": Kind(gettext_lazy("Clock"), 2, 1, 3, 2, ("zone",)),
    "text": Kind(gettext_lazy("Text"), 2, 1, 4, 3, ("text",)),
    "image": Kind(gettext_lazy("Picture"), 1, 1, 3, 3, ("image", "fit")),
}
WITHOUT_FIGURES = ("tiles", "queue", "figure", "notice", "text", "image")  # kinds that explain none of their own
FIGURES = {
    "waiting": Figure(gettext_lazy("callers waiting"), name_over_time=gettext_lazy("callers waiting on average")),
    "longest": Figure(gettext_lazy("longest wait")),
    "average": Figure(gettext_lazy("average wait so far")),
    "available": Figure(gettext_lazy("fewest available")),
    "agents": Figure(gettext_lazy("fewest agents")),
    "late_minutes": Figure(gettext_lazy("min with a queue over target"), WINDOWS[1:]),
    "watch_minutes": Figure(gettext_lazy("min with a queue on watch"), WINDOWS[1:]),
    "nobody_minutes": Figure(gettext_lazy("min nobody available"), WINDOWS[1:]),
    "most_waiting": Figure(gettext_lazy("most waiting")),
    "answered": Figure(gettext_lazy("answered"), WINDOWS[1:]),
    "unanswered": Figure(gettext_lazy("unanswered"), WINDOWS[1:]),
    "service_level": Figure(gettext_lazy("service level"), WINDOWS[1:]),
    "left_queue": Figure(gettext_lazy("left a queue unanswered"), WINDOWS[1:]),
    "answer_speed": Figure(gettext_lazy("average speed of answer"), WINDOWS[1:]),
    forecast.CALLS: Figure(gettext_lazy("calls expected"), (AHEAD,)),
    forecast.LONGEST: Figure(gettext_lazy("longest wait expected"), (AHEAD,)),
    forecast.PEOPLE: Figure(gettext_lazy("people needed"), (AHEAD,)),
    "talking": Figure(gettext_lazy("people talking"), (NOW,), ("people",)),
    "ringing": Figure(gettext_lazy("people ringing"), (NOW,), ("people",)),
    "idle": Figure(gettext_lazy("people idle"), (NOW,), ("people",)),
    "calls": Figure(gettext_lazy("calls up now"), (NOW,), ("queues", "people")),
}
