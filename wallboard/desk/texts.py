"""The texts that the desk's scripts put together; `{…}` is filled in by the page."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.languages.plurals import counted
from wallboard.calls.presence import statuses


def texts() -> dict[str, Any]:
    """Every text by its name, in the reader's language."""
    return _of_calls() | _of_card() | _of_rules() | _of_connection() | _of_side_column()


def _of_calls() -> dict[str, str]:
    """How a call stands, on its card, on a line and in the title."""
    return {
        "ringing": _("Ringing you"),
        "talking": _("Talking"),
        "answered": _("Ended"),
        "missed": _("Missed"),
        "taken": _("Taken by {by}"),
        "ended": _("Ended"),
        "close": _("Close"),
        "hide": _("Hide card"),
        "talked": _("talked {length}"),
        "rang": _("rang {length}"),
        "title": _("Desk"),
        "title_ringing": _("Ringing: {name}"),
        "title_talking": _("{name} · Desk"),
        "title_count": _("({n}) {title}"),
        "elsewhere": _("Shown in your other tab"),
        "not_loaded": _("Who it is could not be fetched. Trying again."),
        "as_of": _("as of {time}"),
    }


def _of_card() -> dict[str, str]:
    """Earlier calls, and how saving the note goes."""
    return {
        "unanswered": _("unanswered"),
        "no_answer": _("no answer"),
        "going_on": _("still going on"),
        "you_called": _("{who} called them"),
        "rang_queue": _("rang {queue} for {length}"),
        "rang_for": _("rang for {length}"),
        "by_number": _("from {number}"),
        "by": _("{by}: {text}"),
        "noted": _("{outcome}: {text}"),
        "rules_kept": _("Saved; it counts from the next call on."),
        "save_failed": _("Not saved. Try again in a moment."),
        "kept": _("Saved {time}"),
        "keeping": _("Saving…"),
        "waiting_to_keep": _("Not saved yet; kept in this browser"),
        "too_late": _("This call is too old to save a note for; the text is kept in this browser"),
    }


def _of_rules() -> dict[str, str]:
    """Quiet hours, ignored callers and the sound."""
    return {
        "quiet_on": _("Quiet: calls are only listed under “Your calls today”."),
        "quiet_until": _("Quiet until {time}: calls are only listed under “Your calls today”."),
        "ignored": _("{name} brings up no card any more."),
        "not_ignored": _("{name} brings up a card again."),
        "sound_waits": _("The browser lets this page sound after your next click or key."),
    }


def _of_connection() -> dict[str, Any]:
    """What cannot be relied on, and since when."""
    return {
        "was": _("was {state}"),
        "statuses": statuses.texts(),
        "day_derived": _("Derived from call events since the company's day began"),
        "day_doubtful": _("Call events are missing: these may be too low"),
        "silent": _("No connection since {time}. Your phone may ring without showing here."),
        "events_down": _("Call events since {time} are missing. Your phone may ring without showing here."),
        "events_never": _("There are no call events yet. Your phone may ring without showing here."),
        "events_starting": _("Call events are being set up. Your phone may ring without showing here for a moment."),
        "signed_out": _(
            "You are signed out. Reload the page to sign in again; what you typed is kept in this browser."
        ),
        "not_allowed": _("This page is not open to you any more."),
    }


def _of_side_column() -> dict[str, Any]:
    """Colleagues, the day and the queues."""
    return {
        "idle": _("idle"),
        "rings": _("ringing"),
        "calling": _("calling"),
        "unknown": _("not seen yet"),
        "no_news": _("no news for {age}"),
        "minutes": _("{n} min"),
        "hours": _("{n} h"),
        "days": _("{n} d"),
        "under_a_minute": _("under 1 min"),
        "free": _("{n} idle"),
        "nobody_free": _("no phone is idle"),
        "nobody_found": _("Nobody by that name or extension."),
        "nobody_yet": _("Colleagues appear here after their first call."),
        "no_calls": _("No calls yet today."),
        "no_such_calls": _("No call of today with that name or number."),
        "more_calls": _("{n} more; look for a name or number to find them."),
        "dialled": _("you called, {how}"),
        "out_ringing": _("ringing"),
        "out_talking": _("talking"),
        "reached": _("reached"),
        "out_calling": _("You are calling"),
        "out_unreached": _("No answer"),
        "call_again": _("Call again"),
        "no_queues": _("No queues yet."),
        "backs_counts": _("{open} open, {mine} yours"),
        "backs_oldest": _("the oldest waits for {age}"),
        "backs_young": _("{n} under an hour"),
        "backs_today": _("{n} today"),
        "backs_older": _("{n} older"),
        "backs_more": _("Show {n} more"),
        "backs_of": _("{by} {n}"),
        "backs_free": _("nobody yet {n}"),
        "today_at": _("Today {time}"),
        "yesterday_at": _("Yesterday {time}"),
        "backs_waited": _("waited {length}"),
        "backs_times": counted(lambda n: ngettext("called {n} time", "called {n} times", n)),
        "backs_owner": _("{by} calls back"),
        "back_taken": _("A colleague has taken this one."),
        "no_call_backs": _("Nobody waits for a call back."),
        "waiting": _("{n} waiting"),
        "longest": _("longest {length}"),
        "watch": _("watch"),
        "late": _("late"),
        "no_figures_since": _("no figures since {time}"),
        "no_figures": _("no figures yet"),
    }
