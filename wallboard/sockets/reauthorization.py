"""Looks again, while a socket is open, whether its browser may still see what it sees.

A session that ended, a role that changed and a TV that was revoked close their sockets: at once when Redis told so,
within two seconds by what the database says of changes, and within a minute by a look at each socket's own rights.
"""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass

from accounts.access import Viewer
from accounts.signin.rights import RightsChange
from wallboard.live.loops import forever_async
from wallboard.live.sockets import Socket
from wallboard.sockets import socket_access
from wallboard.sockets.socket_access import AccessRequest, Refused, SocketAccess

log = logging.getLogger(__name__)
# A right ends within a minute even where neither Redis nor the table of changes tells of it.
RECHECK_SECONDS = 45.0
RETRY_SECONDS = 10.0

GrantAccess = Callable[[Mapping[str, str], AccessRequest], Awaitable[SocketAccess]]


@dataclass(frozen=True, slots=True)
class Authorization:
    """What a socket asked for, with which cookies, and what it was given."""

    cookies: tuple[tuple[str, str], ...]
    request: AccessRequest
    access: SocketAccess


class Reauthorization:
    """One per hub. Sockets with equal authorizations (tabs of one browser) are decided together."""

    def __init__(self, grant_access: GrantAccess) -> None:
        self._grant_access = grant_access
        self._sockets_by_authorization: dict[Authorization, set[Socket]] = {}
        self._authorizations: dict[Socket, Authorization] = {}
        self._due: dict[Authorization, float] = {}
        self._tasks: set[asyncio.Task[None]] = {
            asyncio.create_task(forever_async("reauthorization", self._recheck_due))
        }

    def stop(self) -> None:
        """Look no more."""
        for task in self._tasks:
            task.cancel()

    def watch(self, socket: Socket, authorization: Authorization) -> None:
        """Look after this socket from now on."""
        self._authorizations[socket] = authorization
        self._sockets_by_authorization.setdefault(authorization, set()).add(socket)
        # Spread out, as after a restart all browsers come at once.
        self._due.setdefault(authorization, time.monotonic() + RECHECK_SECONDS * random.uniform(0.5, 1))  # noqa: S311

    def forget(self, socket: Socket) -> None:
        """The socket is gone."""
        authorization = self._authorizations.pop(socket, None)
        if authorization is None:
            return
        self._sockets_by_authorization[authorization].discard(socket)
        if not self._sockets_by_authorization[authorization]:
            del self._sockets_by_authorization[authorization], self._due[authorization]

    def rights_changed(self, socket: Socket) -> None:
        """A message said that this socket's rights changed: it ends, with the reason that the database gives."""
        self._spawn(self._end(socket))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def recheck(self, changes: Sequence[RightsChange]) -> None:
        """Look at once at the rights of all whom these changes may concern; who keeps them stays."""
        concerned = [each for each in self._due if any(concerns(change, each.access.viewer) for change in changes)]
        for authorization in concerned:
            self._spawn(self._recheck(authorization))

    async def _end(self, socket: Socket) -> None:
        authorization = self._authorizations.get(socket)
        if authorization is not None:
            # Where nothing seems to have changed, or the database is away, loading the page again shows what holds.
            socket.close(await self._close_code(authorization) or socket_access.CHANGED)

    async def _recheck_due(self) -> None:
        await asyncio.sleep(1)
        now = time.monotonic()
        # At once, so that they are decided about together.
        await asyncio.gather(*(self._recheck(each) for each, due in self._due.items() if due <= now))

    async def _recheck(self, authorization: Authorization) -> None:
        code = await self._close_code(authorization)
        for socket in list(self._sockets_by_authorization.get(authorization, ())):
            if code:
                socket.close(code)
        if authorization in self._due:
            self._due[authorization] = time.monotonic() + (RECHECK_SECONDS if code is not None else RETRY_SECONDS)

    async def _close_code(self, authorization: Authorization) -> int | None:
        """The close code that is due now; 0 where the authorization still holds, None where that cannot be told."""
        try:
            access = await self._grant_access(dict(authorization.cookies), authorization.request)
        except Refused as refused:
            return refused.code
        except Exception as error:
            log.warning("Rights could not be looked at again (%s)", type(error).__name__)
            return None
        return 0 if access == authorization.access else socket_access.CHANGED


def concerns(change: RightsChange, viewer: Viewer) -> bool:
    """Whether this change may be about what that viewer sees."""
    if change.domain_id is not None:
        is_limited = viewer.limit.is_set or viewer.embed_id is not None
        return change.domain_id == viewer.domain_id and (is_limited or not change.limited_only)
    if change.screen_id is not None:
        return change.screen_id == viewer.screen_id
    return change.user_id is not None and change.user_id == viewer.user_id
