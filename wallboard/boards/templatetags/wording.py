"""Figures and times as the pages write them."""

from collections.abc import Mapping

from django import template
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds as 4:08, from an hour on as 1:02:05; none as a dash."""
    if seconds is None:
        return "–"
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def named(number: str, names: Mapping[str, str]) -> str:
    """The name that belongs to a number, or the number."""
    return names.get(number, number)


@register.filter
def direction(word: str) -> str:
    """Which way a call went, in a word; nothing where it is not known."""
    return {"in": _("in"), "out": _("out"), "internal": _("internal")}.get(word, "")


@register.filter
def outcome(word: str) -> str:
    """What became of a call."""
    return {"live": _("live"), "answered": _("answered"), "unanswered": _("unanswered")}.get(word, word)
