"""The floor's time beside the wall clock."""

import asyncio
from random import Random

from wallboard.simulator.floor.company import build
from wallboard.simulator.floor.day import Day
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.service.pacing import Pacer


def at_rest(speed: float = 1.0) -> Pacer:
    return Pacer(Floor(build(Random(1), 2, 1), Random(1), Day(), speed=speed))


async def test_the_floor_follows_the_wall_clock_at_its_speed() -> None:
    pacer = at_rest(speed=50.0)
    happened: list[float] = []
    pacer.floor.env.timeout(10).callbacks.append(lambda _: happened.append(pacer.due()))
    running = asyncio.create_task(pacer.run())

    await asyncio.sleep(0.6)

    running.cancel()
    assert happened
    assert 10 <= happened[0] < 20
    pacer.catch_up()
    assert abs(pacer.floor.now - pacer.due()) < 5


async def test_an_idle_floor_is_left_alone() -> None:
    pacer = at_rest()
    pacer.floor.env.timeout(3600)
    looks = 0
    really_catch_up = pacer.catch_up

    def counted(most_steps: int = 200) -> bool:
        nonlocal looks
        looks += 1
        return really_catch_up(most_steps)

    pacer.catch_up = counted  # type: ignore[method-assign]
    running = asyncio.create_task(pacer.run())
    await asyncio.sleep(0.5)
    running.cancel()

    assert looks <= 2


async def test_what_is_put_on_the_floor_from_outside_is_seen_at_once() -> None:
    pacer = at_rest()
    running = asyncio.create_task(pacer.run())
    await asyncio.sleep(0.05)
    pacer.catch_up()
    event = pacer.floor.env.timeout(0)

    pacer.wake()
    await asyncio.sleep(0.05)

    running.cancel()
    assert event.processed
