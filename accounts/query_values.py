"""What people ask for in an address, read so that nonsense does no harm."""

FURTHEST = 100_000  # no list of ours has more pages


def page_number(text: str) -> int:
    """The page that was asked for, 1 and up; the first where none or nonsense was."""
    return min(max(int(text), 1), FURTHEST) if text.isascii() and text.isdecimal() and len(text) < 7 else 1
