"""When frames go out, and to whom: the first change after a quiet time at once, then what gathers within the pace.

A browser at a board sees several feeds, and under load all of them change all the time. Handing over a frame costs the
same whatever its size, so feeds that change all the time go in step, and their frames to a browser in one piece. While
a phone rings at many pages, all other feeds wait for those few milliseconds.
"""

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Protocol

from wallboard.live.frames import Frame, joined_frames, rest_of
from wallboard.live.servers.detection import is_calm
from wallboard.live.sockets import Socket

log = logging.getLogger(__name__)
TOGETHER_SECONDS = 0.02  # so long a feed waits for another one that is nearly due; from then on they go in step
# A few milliseconds of sending, after which the loop does other work.
SOCKETS_PER_TURN = 200
FEW_SOCKETS = 50
LONGEST_WAIT_SECONDS = 0.05


class Source(Protocol):
    """A feed with browsers that were all sent the same id; `departures` counts those that joined it and are gone."""

    sent_at: float
    joined: dict[Socket, None]
    departures: int

    def next_frame(self) -> tuple[Frame, str]:
        """What changed since the last frame, and the id that browsers must hold to take it."""

    def refused(self, socket: Socket, held: str) -> None:
        """This browser could not take the frame and still holds that id."""


@dataclass(frozen=True)
class Sending:
    """One feed's frame on its way."""

    source: Source
    frame: Frame
    previous: str
    departures: int

    @property
    def has_departures(self) -> bool:
        """Whether a browser has left the feed since the frame was made."""
        return self.source.departures != self.departures


class Pump:
    """Serves sources that say they are due, each at most once in `pace` seconds; without a pace they are urgent."""

    def __init__(self, pace: float) -> None:
        self._pace = pace
        self._is_urgent = not pace
        self._due: dict[Source, None] = {}
        self._beat = 0.0  # when those that change all the time were served last
        self._wake = asyncio.Event()
        self.task = asyncio.create_task(self._run())

    def is_due(self, source: Source) -> None:
        """This source has something to send."""
        if source not in self._due:
            self._due[source] = None
            self._wake.set()
            # What rings at a few pages is sent in one turn and holds up nobody.
            if self._is_urgent and len(source.joined) > FEW_SOCKETS:
                urgent.add(self)

    def forget(self, source: Source) -> None:
        """This source has nothing to send any more."""
        self._due.pop(source, None)

    async def _run(self) -> None:
        try:
            while True:
                await self._step()
        finally:
            urgent.discard(self)

    async def _step(self) -> None:
        if not self._is_urgent:
            await give_way()
        seconds, sources = self._next()
        if seconds > 0:
            urgent.discard(self)
            await self._rest(seconds)
            return
        try:
            await fan_out(self._taken(sources), is_urgent=self._is_urgent)
        except Exception:  # a fault with one feed must not silence all
            log.exception("Frames could not be sent")

    async def _rest(self, seconds: float) -> None:
        """Wait so long, or until one more source is due: it may be one that need not wait."""
        self._wake.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(None if seconds == inf else seconds):
                await self._wake.wait()

    def _next(self) -> tuple[float, list[Source]]:
        """How long to wait, and for whom then: who was quiet now, the others together at their next beat."""
        now = time.monotonic()
        # Who sent nothing for two paces goes at once, however busy the other feeds are.
        quiet = [each for each in self._due if each.sent_at + 2 * self._pace <= now]
        if quiet or not self._due:
            return 0.0 if quiet else inf, quiet
        ready = {each: max(each.sent_at, self._beat) + self._pace for each in self._due}
        until = max(now, min(ready.values()) + TOGETHER_SECONDS)
        sources = [each for each, at in ready.items() if at <= until]
        seconds = max(ready[each] for each in sources) - now
        if seconds <= 0:
            self._beat = now
        return seconds, sources

    def _taken(self, sources: list[Source]) -> list[Sending]:
        sendings = []
        for each in sources:
            del self._due[each]
            each.sent_at = time.monotonic()
            try:
                sendings.append(Sending(each, *each.next_frame(), each.departures))
            except Exception:
                log.exception("A frame could not be made")
        return sendings


urgent: set[Pump] = set()  # those that have something to send to many


async def give_way() -> None:
    """Let all that is urgent go first; not for long, as it may never end."""
    until = time.monotonic() + LONGEST_WAIT_SECONDS
    while urgent and time.monotonic() < until:
        await asyncio.sleep(0)


async def fan_out(sendings: list[Sending], *, is_urgent: bool = False) -> None:
    """Hand the frames to every browser that follows these feeds, letting others run in between."""
    done = 0
    for chosen, sockets in audiences(sendings):
        whole = joined_frames([each.frame for each in chosen])
        for start in range(0, len(sockets), SOCKETS_PER_TURN):
            batch = sockets[start : start + SOCKETS_PER_TURN]
            hand_over(chosen, whole, batch)
            done += len(batch)
            if done >= SOCKETS_PER_TURN:
                done = 0
                await asyncio.sleep(0)
                if not is_urgent:
                    await give_way()


def audiences(sendings: list[Sending]) -> list[tuple[list[Sending], list[Socket]]]:
    """Browsers that get the same of these frames, together."""
    if len(sendings) == 1:
        return [(sendings, list(sendings[0].source.joined))]
    # A bit for each feed: browsers with equal bits get the same bytes.
    places: dict[Socket, int] = {}
    for place, sending in enumerate(sendings):
        bit = 1 << place
        for socket in sending.source.joined:
            places[socket] = places.get(socket, 0) | bit
    alike: dict[int, list[Socket]] = {}
    for socket, bits in places.items():
        alike.setdefault(bits, []).append(socket)
    return [
        ([each for place, each in enumerate(sendings) if bits & 1 << place], sockets) for bits, sockets in alike.items()
    ]


def hand_over(sendings: list[Sending], whole: Frame, sockets: list[Socket]) -> None:
    """All of it to each of these browsers, but for feeds that it has left since."""
    if is_calm() and not any(each.has_departures for each in sendings):
        sockets = hand_to_kernel(whole, sockets)
    # Others had the loop since the list was made: browsers may have left or been refused.
    followers = [each.source.joined for each in sendings]
    for socket in sockets:
        for joined in followers:
            if socket not in joined:
                hand_over_rest(sendings, socket)
                break
        else:
            if not socket.take(whole):
                refuse(sendings, socket)


def hand_to_kernel(whole: Frame, sockets: list[Socket]) -> list[Socket]:
    """The short way; gives the browsers that it is not open to.

    With a thousand browsers, each object looked at is one that the processor's cache no longer holds. So what could
    stand in the way was asked once for all, and nothing is looked at but the socket.
    """
    wire, length, others = whole.wire, len(whole.wire), []
    for socket in sockets:
        kernel_socket = socket.kernel_socket
        if kernel_socket is None:
            others.append(socket)
            continue
        try:
            sent = kernel_socket.send(wire)
        except OSError:
            others.append(socket)  # full, broken or closed: the long way finds out which
            continue
        if sent < length:
            socket.take(rest_of(whole, sent))
    return others


def hand_over_rest(sendings: list[Sending], socket: Socket) -> None:
    """What is left for a browser that has left some of the feeds."""
    rest = [each for each in sendings if socket in each.source.joined]
    if rest and not socket.take(joined_frames([each.frame for each in rest])):
        refuse(rest, socket)


def refuse(sendings: list[Sending], socket: Socket) -> None:
    """Note with each feed that this browser could not take its frame."""
    for each in sendings:
        each.source.refused(socket, each.previous)
