"""Text that strangers wrote, made harmless for a line of ours."""

# Not printable to Python, but Persian, Hindi and many emoji are misspelt without them.
JOINERS = "\u200c\u200d"


def one_line(text: str) -> str:
    """One line without control characters or marks that turn the writing round; joiners of letters and emoji stay."""
    return " ".join("".join(char if char.isprintable() or char in JOINERS else " " for char in text).split())
