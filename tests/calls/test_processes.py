"""Real web processes on a real database, without Redis: what they acknowledged is there, whatever is killed."""

import asyncio
import json
import os
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.calls.conftest import SECRETS
from tests.calls.events import event
from tests.harness.commands import Commands
from tests.harness.database import own_database
from tests.harness.setting_up import migrate
from tests.harness.site import bare_environment
from wallboard.demo.processes import Child, free_port, procfile, wait_until

pytestmark = pytest.mark.flow
STATES = ("progressing", "ringing", "active", "ended")
CALLS = 60
PROBE = b"nonsense"  # kept as unreadable, like all that comes over a right secret
MAKE = f"""
from accounts.encryption import sealed
from accounts.models import Domain
from wallboard.calls.webhooks import hook_secrets
from wallboard.calls.models import Subscription
domain = Domain.objects.create(slug="acme", name="Acme", base_url="http://127.0.0.1:1", client_id="id")
secret = "{SECRETS["calls"]}"
Subscription.objects.create(
    domain=domain, kind="calls", secret=sealed(secret), secret_hash=hook_secrets.hash_of(secret)
)
"""
SHOW = """
import json
import os
from wallboard.calls.models import Delivery, Leg, Presence
legs = Leg.objects.order_by("from_call_id")
kept = Delivery.objects.exclude(body="nonsense")
print("SHOWN" + json.dumps({
    "bodies": list(kept.values_list("body", flat=True)),
    "unapplied": kept.filter(applied_at=None).count(),
    "legs": list(legs.values_list("from_call_id", "from_state", "to_state", "to_user", "is_answered", "ranks")),
    "people": list(Presence.objects.order_by("person__extension").values_list("person__extension", "state")),
}))
"""


class Webs:
    """Two web processes on one database of their own."""

    def __init__(self, folder: Path, database_url: str, env: dict[str, str]) -> None:
        self.env = env | {"DATABASE_URL": database_url or f"sqlite:///{folder / 'own.sqlite3'}"}
        self.commands = Commands(self.env)
        self.ports = [free_port(), free_port()]
        self.children = [
            Child(f"web{port}", procfile(port)["web"], folder / f"{port}.log", self.env) for port in self.ports
        ]

    def start(self, number: int) -> None:
        self.children[number].start()
        assert wait_until(lambda: self.answers(self.ports[number]), 30), self.children[number].tail()

    def answers(self, port: int) -> bool:
        try:
            return asyncio.run(deliver([(port, PROBE)])) == [204]
        except aiohttp.ClientError:
            return False

    def shown(self) -> Any:
        return json.loads(self.commands.manage("shell", "-v", "0", "-c", SHOW).split("SHOWN")[1])


MakeWebs = Callable[..., Webs]


@pytest.fixture
def make_webs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeWebs]:
    with ExitStack() as running:

        def make(**env: str) -> Webs:
            folder = tmp_path_factory.mktemp("webs")
            names = ("SECRET_KEY", "TOKEN_KEYS", "PUBLIC_URL", "REDIS_URL", "STATIC_ROOT")
            Path(os.environ["STATIC_ROOT"]).mkdir(parents=True, exist_ok=True)
            own = bare_environment(**{name: os.environ[name] for name in names}, ALLOWED_HOSTS="127.0.0.1", **env)
            webs = Webs(folder, running.enter_context(own_database()), own)
            migrate(webs.env)
            running.callback(webs.commands.stop)
            webs.commands.manage("shell", "-v", "0", "-c", MAKE)
            for number, child in enumerate(webs.children):
                running.callback(child.stop)
                webs.start(number)
            return webs

        yield make


async def deliver(bodies: Iterable[tuple[int, bytes]], at_once: int = 40) -> list[int | None]:
    """POST each body to the web process at its port; gives the statuses, None where no answer came."""
    gate = asyncio.Semaphore(at_once)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def post(port: int, body: bytes) -> int | None:
            async with gate:
                try:
                    url = f"http://127.0.0.1:{port}/hooks/{SECRETS['calls']}/"
                    async with session.post(url, data=body) as answer:
                        return answer.status
                except (aiohttp.ClientError, OSError):
                    return None

        return await asyncio.gather(*(post(port, body) for port, body in bodies))


def burst() -> list[bytes]:
    """Every event of some calls."""
    return [event(state, call=f"c{n}", leg=f"l{n}", user=str(100 + n % 7)) for n in range(CALLS) for state in STATES]


def test_two_processes_give_the_same_state_as_one(make_webs: MakeWebs) -> None:
    one, two = make_webs(), make_webs()
    bodies = burst()
    asyncio.run(deliver([(one.ports[0], body) for body in bodies], at_once=1))

    chance = random.Random(7)
    mixed = [(port, body) for body in bodies for port in chance.choices(two.ports, k=chance.randint(1, 4))]
    chance.shuffle(mixed)
    statuses = asyncio.run(deliver(mixed))

    assert set(statuses) == {204}
    expected, found = one.shown(), two.shown()
    assert len(found["bodies"]) == len(mixed)
    assert found["unapplied"] == 0
    assert found["legs"] == expected["legs"]
    assert found["people"] == expected["people"] == [[str(100 + n), "idle"] for n in range(7)]


@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_acknowledged_survives_kill_9_in_the_middle_of_a_burst(make_webs: MakeWebs, seed: int) -> None:
    webs = make_webs()
    chance = random.Random(seed)
    bodies = [(chance.choice(webs.ports), body) for body in burst()]
    chance.shuffle(bodies)

    async def killed_in_between() -> list[int | None]:
        sending = asyncio.create_task(deliver(bodies))
        await asyncio.sleep(chance.uniform(0.05, 0.4))
        webs.children[0].kill()
        return await sending

    statuses = asyncio.run(killed_in_between())
    webs.children[0].stop()
    webs.start(0)
    shown = webs.shown()

    acknowledged = [body.decode() for (_, body), status in zip(bodies, statuses, strict=True) if status == 204]
    assert None in statuses
    assert len(acknowledged) > 20
    assert set(acknowledged) - set(shown["bodies"]) == set()
    assert shown["unapplied"] == 0
