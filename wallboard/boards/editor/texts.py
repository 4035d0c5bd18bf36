"""The texts of the editor's scripts; {names} are filled in by the scripts."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.languages.plurals import counted


def editor_texts() -> dict[str, Any]:
    """All texts of the editor in the reader's language."""
    return {
        **status_texts(),
        **draft_texts(),
        **merge_texts(),
        **panel_texts(),
        "options": option_texts(),
        "level_of": level_texts(),
        "windows": {
            "now": _("now"),
            "15": _("last 15 minutes"),
            "30": _("last 30 minutes"),
            "60": _("last hour"),
            "today": _("today"),
            "ahead": _("next hour"),
        },
        "sizes": {"small": _("small"), "normal": _("normal"), "large": _("large")},
        "fits": {"contain": _("whole picture"), "cover": _("fill the card")},
    }


def status_texts() -> dict[str, Any]:
    """What the status line says after each step."""
    return {
        "added": _("{card} added at column {x}, row {y}"),
        "moved": _("{card} moved to column {x}, row {y}"),
        "resized": _("{card} is {w} wide, {h} high"),
        "pushed": counted(lambda n: ngettext("{n} card made room", "{n} cards made room", n)),
        "pushed_one": _("{card} made room"),
        "removed": _("{card} removed. Ctrl+Z brings it back"),
        "changed": _("{card} changed"),
        "settings_changed": _("Board settings changed"),
        "undone": _("Undone"),
        "redone": _("Done again"),
        "nothing_to_undo": _("Nothing to undo"),
        "nothing_to_redo": _("Nothing to do again"),
        "at_edge": _("{card} is at the edge"),
        "no_room": _("There is no room there. Move or shrink a card, or add rows in the board settings"),
        "no_room_new": _("There is no room for another card. Shrink one, or add rows in the board settings"),
        "smallest": _("{card} is as small as it can be read"),
        "too_many": _("A board has at most {n} cards"),
        "no_queues": _("No queue has been read yet, so there is none to show big"),
        "arranged": _("The cards can be moved now"),
        "rows_taken": _("Cards stand in the lowest rows. Move them up first"),
        "place": _("{card}. Column {x}, row {y}, {w} wide, {h} high"),
    }


def draft_texts() -> dict[str, str]:
    """How the draft is doing."""
    return {
        "published": _("Everything is published"),
        "saving": _("Saving …"),
        "saved": _("Saved as draft {time}"),
        "saved_by": _("Draft of {time} by {name}"),
        "not_saved": _("Not saved: no connection. Trying again"),
        "signed_out": _("Not saved: you are signed out. Sign in again in another tab"),
        "refused": _("Not saved: {why}"),
        "publishing": _("Publishing …"),
        "now_published": _("Published. Open boards and TVs show it already"),
        "discarded": _("Draft discarded"),
        "also_here": _("{names} is editing too"),
        "also_here_many": _("{names} are editing too"),
        "you_too": _("You are editing in another window too"),
        "removed_board": _("This board was deleted"),
    }


def merge_texts() -> dict[str, Any]:
    """What is said and asked when two people changed the same board."""
    return {
        "somebody": _("Somebody"),
        "theirs": {
            "moved": _("{name} moved “{card}”; kept"),
            "changed": _("{name} changed “{card}”; kept"),
            "added": _("{name} added “{card}”; kept"),
            "removed": _("{name} removed “{card}”; kept"),
            "settings": _("{name} changed the board’s {field}; kept"),
            "arranged": _("{name} arranged the board anew; kept"),
        },
        "made_room": _("“{card}” moved to make room"),
        "left_out": _("There was no room left for “{card}”"),
        "both": _("{name} changed the same card"),
        "both_settings": _("{name} changed the same setting"),
        "both_layout": _("{name} arranged the whole board anew while you changed it"),
        "both_text": _("Which one shall stay? Nothing else is touched."),
        "yours": _("Yours"),
        "of_name": _("{name}’s"),
        "keep_yours": _("Keep yours"),
        "keep_theirs": _("Keep {name}’s"),
        "kept_yours": _("Yours is kept"),
        "kept_theirs": _("{name}’s is kept"),
        "was_removed": _("removed"),
        "place_of": _("column {x}, row {y}, {w} × {h}"),
        "cards_of": counted(lambda n: ngettext("{n} card", "{n} cards", n)),
        "automatic": _("automatic"),
    }


def panel_texts() -> dict[str, str]:
    """The settings beside the board."""
    return {
        "card_settings": _("Settings of {card}"),
        "all_queues": _("All queues, new ones too"),
        "these_queues": _("Only these, in this order"),
        "board_queues": _("Which queue"),
        "all_people": _("Everybody, new people too"),
        "these_people": _("Only these"),
        "column": _("Column"),
        "row": _("Row"),
        "width": _("Width"),
        "height": _("Height"),
        "up": _("Move {name} up"),
        "down": _("Move {name} down"),
        "watch_from": _("Watch from"),
        "late_from": _("Late from"),
        "above": _("when it rises"),
        "below": _("when it falls"),
        "levels_targets": _("Empty: the queues’ own targets."),
        "levels_none": _("Empty: it never turns."),
        "levels_order": _("Late must not be reached before watch."),
        "company_zone": _("The company’s"),
        "company_zone_is": _("The company’s: {zone}"),
        "notice_hint": _("Empty: the board’s notice line."),
        "upload": _("Upload a picture"),
        "uploading": _("Uploading …"),
        "upload_hint": _("PNG, JPEG or WebP, at most 5 MB and 6000 pixels a side."),
        "upload_failed": _("The picture could not be sent. Try again."),
        "delete_image": _("Delete {name}"),
        "no_image": _("No picture yet"),
        "nothing_found": _("Nothing is known yet; it appears here with the provider’s first answer."),
        "remove_card": _("Remove this card"),
        "level_way": _("Counts"),
        "board_settings": _("Board"),
        "rows_hint": _("All rows together fill the screen: more rows, smaller cards."),
        "make_automatic": _("Let it arrange itself again"),
        "automatic_hint": _("This board arranges itself for every screen."),
        "arrange": _("Arrange cards by hand"),
        "layout": _("Layout"),
        "empty_grid": _("An empty board. Add a card from the left, or press its button."),
    }


def level_texts() -> dict[str, str]:
    """What a card's levels count and in which unit, by its figure or its kind."""
    each_wait = _("seconds of each queue’s longest wait")
    return {
        "totals": _("callers waiting, all its queues together"),
        "tiles": each_wait,
        "queue": _("seconds of the longest wait"),
        "table": each_wait,
        "trend": _("callers waiting"),
        "ribbon": _("minutes with a queue over target in 24 hours"),
        "callbacks": _("callers to call back"),
        "waiting": _("callers waiting"),
        "longest": _("seconds of the longest wait"),
        "average": _("seconds of the average wait so far"),
        "available": _("available agents"),
        "agents": _("agents"),
        "late_minutes": _("minutes with a queue over target"),
        "watch_minutes": _("minutes on watch"),
        "nobody_minutes": _("minutes with nobody available"),
        "most_waiting": _("callers waiting at once"),
        "answered": _("answered calls"),
        "unanswered": _("unanswered calls"),
        "ahead_calls": _("calls expected"),
        "ahead_longest": _("seconds of the longest wait expected"),
        "ahead_people": _("people needed"),
        "service_level": _("percent of the service level"),
        "left_queue": _("callers who left a queue"),
        "answer_speed": _("seconds of the average speed of answer"),
        "talking": _("people talking"),
        "ringing": _("people ringing"),
        "idle": _("people idle"),
        "calls": _("calls up now"),
    }


def option_texts() -> dict[str, str]:
    """The options of cards."""
    return {
        "title": _("Title"),
        "size": _("Size of the figures"),
        "queues": _("Queues"),
        "people": _("People"),
        "levels": _("Levels: {what}"),
        "figure": _("Figure"),
        "window": _("Over"),
        "text": _("Text"),
        "zone": _("Time zone"),
        "image": _("Picture"),
        "fit": _("How it fits"),
        "place": _("Place"),
        "name": _("Name"),
        "theme": _("Colours"),
        "time_zone": _("Time zone"),
        "language": _("Language"),
        "notice": _("Notice line"),
        "rows": _("Rows"),
        "sections": _("Sections"),
    }
