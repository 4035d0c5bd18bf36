"""Which of the colour sheets hold for a theme, as media queries for the page's links."""

from wallboard.boards.models import Board

ALWAYS, NEVER, MORE, DARK = "all", "not all", "(prefers-contrast: more)", "(prefers-color-scheme: dark)"
DARK_THEMES = (Board.Theme.DARK, Board.Theme.CALM_DARK, Board.Theme.CONTRAST)


def dark_media(theme: str) -> str:
    """When the dark sheet holds; views/frame.js knows the same."""
    return ALWAYS if theme in DARK_THEMES else DARK if theme in (Board.Theme.SYSTEM, "") else NEVER


def contrast_media(theme: str) -> str:
    """When the high-contrast sheet holds."""
    return ALWAYS if theme == Board.Theme.CONTRAST else MORE


def contrast_dark_media(theme: str) -> str:
    """When its dark half does."""
    if theme == Board.Theme.CONTRAST:
        return ALWAYS
    dark = dark_media(theme)
    return MORE if dark == ALWAYS else f"{MORE} and {DARK}" if dark == DARK else NEVER
