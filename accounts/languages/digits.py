"""Digits of any script as the ones that providers and stored numbers have."""

import unicodedata


def ascii_digits(text: str) -> str:
    """The text with each decimal digit, such as the ٣ of an Arabic keyboard or a full-width one, as 0 to 9."""
    return text if text.isascii() else "".join(str(unicodedata.decimal(each, each)) for each in text)
