"""The texts of the replay's script: each goes through gettext here and reaches the page as JSON."""

from typing import Any

from django.utils.translation import gettext as _

from wallboard.boards.texts import board_texts


def replay_texts() -> dict[str, str]:
    """What the page says about the moment; {names} are filled in by the script."""
    return {
        "loading": _("Loading …"),
        "failed": _("This part of the day could not be loaded."),
        "signed_out": _("You can no longer see this board. Load the page again."),
        "gap": _("Not known: nothing was recorded from {since} to {until}."),
        "gap_day": _("Not known: nothing was recorded on this day."),
        "draft": _("Your draft, laid over this day"),
        "play": _("Play"),
        "pause": _("Pause"),
        "copied": _("The link to this moment is copied."),
        "not_copied": _("This browser did not copy the link. Copy the page’s address instead."),
        "saved": _("The picture is saved."),
        "not_saved": _("This browser cannot draw the picture. Take a screenshot instead."),
    }


def texts_of_then() -> dict[str, Any]:
    """The board's own texts, but that what was not known then is no trouble of a connection."""
    texts = board_texts()
    texts["line"] = {**texts["line"], "silent": _("Not recorded since {time}."), "last": ""}
    return texts
