"""The known secrets of one process, as they are read again and again."""

import asyncio
import threading
import time
from unittest.mock import Mock

import pytest
from django.db import InterfaceError, OperationalError

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


async def test_what_a_reading_under_way_finds_waits_for_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    readings, go_on = list[float](), threading.Event()

    def read() -> dict[str, HookTarget]:
        readings.append(time.monotonic())
        assert go_on.wait(5)
        return {hash_of("right"): HookTarget(1, 1)}

    monkeypatch.setattr(hook_secrets, "from_database", read)
    known = HookSecrets()
    first = asyncio.create_task(known.find("right"))
    await until(lambda: len(readings) == 1)
    second = asyncio.create_task(known.find("right"))
    await asyncio.sleep(0.01)
    go_on.set()

    assert {await first, await second} == {HookTarget(1, 1)}
    assert len(readings) == 1


@pytest.mark.parametrize("failure", [OperationalError, InterfaceError])
async def test_where_they_cannot_be_read_ahead_the_first_delivery_reads_them(
    failure: type[Exception], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    answers = [failure("away"), {hash_of("right"): HookTarget(1, 1)}]
    monkeypatch.setattr(hook_secrets, "from_database", Mock(side_effect=answers))
    known = HookSecrets()

    known.read_ahead(5)

    assert f"could not be read ahead ({failure.__name__})" in caplog.text
    assert await known.find("right") == HookTarget(1, 1)
