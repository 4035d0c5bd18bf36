"""The texts that scripts need for alerts: on boards, on TVs and on the alerts page."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.languages.plurals import counted
from wallboard.alerts import wording


def texts(*, has_advice: bool = False) -> dict[str, Any]:
    """Every text by its name, in the reader's language; the scripts fill in {names}.

    Advice is for those who can follow it: a TV does without.
    """
    return {
        "levels": {"watch": _("Watch"), "late": _("Late")},
        "reasons": wording.reasons(),
        "kinds": wording.kinds(has_advice=has_advice),
        "for": _("for {span}"),
        "more": _("and {n} more"),
        "acknowledge": _("Acknowledge"),
        "acknowledge_one": _("Acknowledge {name}"),
        "acknowledged": _("Acknowledged by {name}, {time}"),
        "failed": _("Not acknowledged: the server did not answer. Try again."),
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
        "muted": _("{name} muted until {time} · {reason}"),
        "everything": _("Everything"),
        "nothing": _("No open alerts."),
        "unknown": _("Not connected: open alerts are not known."),
    }


def badge_texts() -> dict[str, Any]:
    """The texts of the badge in the bar of every page."""
    return {
        "open": counted(lambda n: ngettext("{n} open alert", "{n} open alerts", n)),
        "unknown": _("Not connected: open alerts are not known."),
        "blocked": _("Sound is blocked: click to allow it"),
    }
