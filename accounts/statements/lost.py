"""What is to be done where the database goes away during a transaction: it may have kept what it did not answer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError


@contextmanager
def if_lost(act: Callable[[], object]) -> Iterator[None]:
    """Around a transaction: act where the database goes away meanwhile, and raise what it raised."""
    try:
        yield
    except (OperationalError, InterfaceError):
        act()
        raise
