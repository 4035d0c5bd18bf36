"""Types that every part of the simulator uses."""

from collections.abc import Generator
from typing import Any

from simpy import Event

JSON = dict[str, Any]
# A simpy process: it yields the events that it waits for.
Process = Generator[Event, Any, None]
