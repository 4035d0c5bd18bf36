"""The texts of a TV's scripts; those of its boards stand in boards/texts.py."""

from django.utils.translation import gettext as _


def tv_texts() -> dict[str, str]:
    """The texts of a TV in the installation's language; {names} are filled in by the scripts."""
    return {
        "awake": _("screen kept awake"),
        "asleep": _("screen may sleep"),
        "absent": _("turn off the screen saver"),
        "insecure": _("needs https to stay awake; turn off the screen saver"),
        "foot": _("{name} · {wake}"),
    }
