"""The known secrets of one process, as they are read again and again."""

import asyncio
import threading
import time

import pytest

from tests.live.conftest import until
from wallboard.calls.webhooks import hook_secrets
from wallboard.calls.webhooks.hook_secrets import FRESH_SECONDS, HookSecrets, HookTarget, hash_of


async def test_secrets_are_read_again_before_a_delivery_has_to_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    readings, go_on = list[float](), threading.Event()
    go_on.set()

    def read() -> dict[str, HookTarget]:
        assert go_on.wait(5)
        readings.append(time.monotonic())
        return {hash_of("right"): HookTarget(len(readings), 1)}

    monkeypatch.setattr(hook_secrets, "from_database", read)
    known = HookSecrets()
    assert await known.find("right") == HookTarget(1, 1)

    go_on.clear()
    known._read_at -= FRESH_SECONDS / 2
    assert await known.find("right") == HookTarget(1, 1)
    go_on.set()
    await until(lambda: len(readings) == 2)
    await asyncio.sleep(0.01)

    assert await known.find("right") == HookTarget(2, 1)
