"""Lets the floor's time follow the wall clock inside the event loop, at the floor's speed."""

import asyncio
from time import monotonic

from wallboard.simulator.floor.floor import Floor

# The floor is looked at this often at least, so that a sleeping machine is noticed; and yields after so many steps.
LONGEST_SLEEP_SECONDS = 1.0
STEPS_BETWEEN_YIELDS = 200


class Pacer:
    """Runs the floor beside the wall clock."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self._began = monotonic()
        self._woken = asyncio.Event()

    def due(self) -> float:
        """The second of the floor that it is now by the wall clock."""
        return (monotonic() - self._began) * self.floor.speed

    def catch_up(self, most_steps: int = STEPS_BETWEEN_YIELDS) -> bool:
        """Do what is due, up to so many steps; whether all of it is done."""
        env, due = self.floor.env, self.due()
        for _ in range(most_steps):
            if env.peek() > due:
                if due > env.now:
                    self._move_to(due)
                return True
            env.step()
        return False

    def _move_to(self, moment: float) -> None:
        """Let the floor's clock stand at this moment, before its next event; run(until=…) would leave one behind."""
        self.floor.env.timeout(moment - self.floor.env.now)
        self.floor.env.step()

    def wake(self) -> None:
        """Something was put on the floor from outside: look at once."""
        self._woken.set()

    async def run(self) -> None:
        """Keep up with the wall clock until cancelled."""
        while True:
            if not self.catch_up():
                await asyncio.sleep(0)  # requests get their turn in between
                continue
            seconds = (self.floor.env.peek() - self.due()) / self.floor.speed
            await self._sleep(min(max(seconds, 0.001), LONGEST_SLEEP_SECONDS))

    async def _sleep(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()
