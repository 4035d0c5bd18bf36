"""Deliveries of a test's own, through the addresses that the provider was really given."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import aiohttp

from tests.calls.events import event, record
from tests.faults.installation import WEBS, Installation
from wallboard.simulator.floor.company import DOMAIN

STATES = ("progressing", "ringing", "active", "ended")


class Sender:
    """Posts to either web process as the provider would."""

    def __init__(self, site: Installation) -> None:
        self.ports = [site.ports[name] for name in WEBS]
        self._paths: dict[str, str] = site.oracle.value(
            "{row.kind: f'/hooks/{row.secret.open()}/' for row in Subscription.objects.exclude(state='retired')}"
        )

    def post(self, bodies: Iterable[tuple[int, bytes]], at_once: int = 20) -> list[int]:
        """Post each body to the web process of that number; gives the statuses, 0 where no answer came."""
        return asyncio.run(self._post(list(bodies), at_once))

    async def _post(self, bodies: list[tuple[int, bytes]], at_once: int) -> list[int]:
        gate = asyncio.Semaphore(at_once)
        timeout = aiohttp.ClientTimeout(total=30)
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as session:

            async def post(number: int, body: bytes) -> int:
                kind = "cdrs" if isinstance(json.loads(body), list) else "calls"
                address = f"http://127.0.0.1:{self.ports[number]}{self._paths[kind]}"
                async with gate:
                    try:
                        async with session.post(address, data=body) as answer:
                            return answer.status
                    except (aiohttp.ClientError, OSError):
                        return 0

            return list(await asyncio.gather(*(post(number, body) for number, body in bodies)))


def rounds(prefix: str, calls: int, people: Iterable[str]) -> list[list[bytes]]:
    """The deliveries of some calls, one round per state and one of detail records; ids begin with the prefix.

    They are to the floor's domain: the first calls teach it, and those to another one are set aside.
    """
    users = list(people)
    ends: list[dict[str, Any]] = [
        {
            "call": f"{prefix}-c{number}",
            "leg": f"{prefix}-l{number}",
            "user": users[number % len(users)],
            "domain": DOMAIN,
        }
        for number in range(calls)
    ]
    return [*([event(state, **names) for names in ends] for state in STATES), [record(**names) for names in ends]]
