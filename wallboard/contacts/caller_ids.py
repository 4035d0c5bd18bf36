"""How a contact is reached, written the one way in which calls are compared with it."""

import re

from wallboard.calls import numbers

# Down to two digits, and with the star codes that phones of a company dial.
EXTENSION = re.compile(r"[0-9*#]{2,8}")
LONGEST = 200


def normalize(text: str, country: str) -> str:
    """A phone number as E.164 (read as dialled in `country`), an extension as its digits, a SIP address in small
    letters without its scheme; "" for all else."""
    # Before any parsing: a file or a form may hold anything.
    if len(text) > LONGEST or numbers.is_withheld(text):
        return ""
    if number := numbers.e164(text, country):
        return number
    bare = numbers.shown(text, country).lower()
    return bare if EXTENSION.fullmatch(bare) or numbers.SIP.fullmatch(bare) else ""


def shown(address: str, country: str) -> str:
    """An address as people of `country` read it."""
    return numbers.shown(address, country)
