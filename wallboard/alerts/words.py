"""What the scripts say about attentions: on boards, on TVs and on the page of the attentions."""

from typing import Any

from django.utils.translation import gettext as _


def words() -> dict[str, Any]:
    """Every text by its name, in the reader's language; {names} are filled in by the scripts."""
    return {
        "levels": {"watch": _("Watch"), "late": _("Late")},
        "reasons": {
            "longest_wait": _("longest wait too long"),
            "waiting": _("too many waiting"),
            "available": _("too few available"),
            "": "",
        },
        "for": _("for {span}"),
        "more": _("and {n} more"),
        "acknowledge": _("Acknowledge"),
        "acknowledge_one": _("Acknowledge {name}"),
        "taken": _("{name} takes care of it, {time}"),
        "failed": _("The server could not be told. Try again."),
        "as_of": _("as of {time}"),
        "title": _("{level}: {name}"),
        "notice": _("{level} for {span}"),
        "seconds": _("{n} s"),
        "minutes": _("{n} min"),
        "hours": _("{n} h"),
        "sound_off": _("Turn sound on"),
        "sound_on": _("Sound on"),
        "sound_blocked": _("Sound is blocked"),
        "sound_blocked_here": _("Muted: click to turn sound on"),
        "notify": _("Notify me"),
        "nothing": _("Nothing needs anybody right now."),
        "unknown": _("Not connected: what is open now is not known."),
    }
