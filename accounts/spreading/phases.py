"""When in an interval each company has its turn, so that a thousand of them are not looked at in the same moment."""

import math
from zlib import crc32

from django.conf import settings

# Multiples of the golden ratio: the fractions of any run of numbers lie evenly, however many there are.
GOLDEN = (math.sqrt(5) - 1) / 2


def phase(domain_id: int) -> float:
    """The company's place in any interval, from 0 up to 1; always the same one."""
    # Another one in each installation: many with one company each would ask the same provider in step.
    return (domain_id * GOLDEN + crc32(settings.PUBLIC_URL.encode()) / 2**32) % 1.0


def seconds_until(domain_id: int, interval: float, at: float) -> float:
    """Seconds from the moment `at` (since 1970) until the company's next turn in an interval of so many seconds."""
    return (phase(domain_id) * interval - at) % interval


def nearest(domain_id: int, interval: float, at: float) -> float:
    """How many seconds from then its nearest turn is away; it lies behind where that is negative."""
    ahead = seconds_until(domain_id, interval, at)
    return ahead if ahead <= interval / 2 else ahead - interval
