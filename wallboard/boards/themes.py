"""Which of the colour sheets hold for a theme, as media queries for the page's links: paper is light in each theme."""

from wallboard.boards.models import Board

ALWAYS, SCREEN, NEVER = "all", "screen", "not all"
MORE, DARK = "(prefers-contrast: more)", "screen and (prefers-color-scheme: dark)"
DARK_THEMES = (Board.Theme.DARK, Board.Theme.CALM_DARK, Board.Theme.CONTRAST)


def dark_media(theme: str) -> str:
    """When the dark sheet holds; views/frame.js knows the same."""
    return SCREEN if theme in DARK_THEMES else DARK if theme in (Board.Theme.SYSTEM, "") else NEVER


def contrast_media(theme: str) -> str:
    """When the high-contrast sheet holds."""
    return ALWAYS if theme == Board.Theme.CONTRAST else MORE


def contrast_dark_media(theme: str) -> str:
    """When its dark half does."""
    dark = dark_media(theme)
    return dark if dark == NEVER or theme == Board.Theme.CONTRAST else f"{dark} and {MORE}"
