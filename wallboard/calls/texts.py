"""What scripts say about people and calls, on boards, on the page of the people and on that of the calls."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import npgettext

from accounts.languages.plurals import counted
from wallboard.calls.presence import statuses


def live_texts() -> dict[str, Any]:
    """The texts in the reader's language; {names} are filled in by the scripts."""
    return {
        "seconds": _("{n} s"),
        "minutes": _("{n} min"),
        "hours": _("{n} h"),
        "short": {"seconds": _("{n} s"), "minutes": _("{n} m"), "hours": _("{n} h")},
        "no_data_since": _("no data since {time}"),
        "no_data_yet": _("no data yet"),
        "no_news": _("no news for {age}"),
        "events_starting": _("call events are starting"),
        "more_calls": _("and {n} more"),
        "waiting_calls": _("{n} waiting"),
        "withheld": _("number withheld"),
        "presence": {
            "unknown": _("not seen"),
            "idle": _("idle"),
            "calling": _("calling"),
            "ringing": _("ringing"),
            "talking": _("talking"),
        },
        "tallies": tally_texts(),
        "statuses": statuses.texts(),
        "calls": {
            "ringing": _("ringing"),
            "talking": _("talking"),
            "calling": _("calling"),
            "waiting": _("waiting"),
            "other": _("other"),
            "unconfirmed": _("unconfirmed"),
        },
        "ways": {"in": _("incoming"), "out": _("outgoing"), "internal": _("internal")},
        "why": since_text(),
    }


def tally_texts() -> dict[str, dict[str, str]]:
    """What stands behind a count of people, in the form that belongs to the count."""
    return {
        "idle": counted(lambda n: npgettext("behind a count of people", "idle", "idle", n)),
        "ringing": counted(lambda n: npgettext("behind a count of people", "ringing", "ringing", n)),
        "calling": counted(lambda n: npgettext("behind a count of people", "calling", "calling", n)),
        "talking": counted(lambda n: npgettext("behind a count of people", "talking", "talking", n)),
        "unknown": counted(lambda n: npgettext("behind a count of people", "not seen", "not seen", n)),
    }


def since_text() -> dict[str, str]:
    """Since when somebody or something is as it is."""
    return {"since": _("{level} since {time}")}
