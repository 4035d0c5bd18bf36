"""One owner at a time over all processes and machines: a row that is taken by compare-and-set.

Right on SQLite and PostgreSQL alike, needs no Redis, and runs by the database's clock, so that machines whose clocks
differ agree on when a lease is over. The fence grows at each change of owner: who writes late can be told apart.
Where that clock is set back, a lease seems to last longer than anybody asks for: it is free then, as a released one is.
What could not be released because the database was away is released once it is back: the next owner would wait for up
to a minute after all else is well again, until it ends by itself.
"""

import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from types import TracebackType
from typing import Any
from uuid import uuid4

from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import Lease
from accounts.statements import planned

RETRY_SECONDS, LONGEST_SECONDS = 0.5, 120.0  # of late releases; any lease has ended by itself by then
RELEASED_TOGETHER = 1000  # whoever tries all the time while the database is away leaves thousands
DOUBT_SECONDS = 60.0  # how much further than asked for an end may lie ahead: old and new code may ask differently

# What acquire() and release() ask for, in words: each poll does both. Whoever waited for another one's statement looks
# again at what that has written.
AFTER = "STATEMENT_TIMESTAMP() + %s * INTERVAL '1 second'"
TAKE = f"""UPDATE {Lease._meta.db_table} SET owner = %s, fence = fence + 1, until = {AFTER}
    WHERE name = %s AND (owner = '' OR until <= STATEMENT_TIMESTAMP() OR until > {AFTER})
    RETURNING fence"""  # noqa: S608  (nothing of anybody's is put in)
RENEW = f"""UPDATE {Lease._meta.db_table} SET until = {AFTER} WHERE name = %s AND owner = %s AND fence = %s
    RETURNING fence"""  # noqa: S608  (nothing of anybody's is put in)
RELEASE = f"""UPDATE {Lease._meta.db_table} SET owner = '', until = STATEMENT_TIMESTAMP()
    WHERE name = %s AND owner = %s AND fence = %s"""  # noqa: S608


@dataclass
class HeldLease:
    """A lease in our hands. As a context manager it is released at the end of the block, unless it `is_over` by then:
    whoever committed RELEASE together with other statements says so."""

    name: str
    owner: str
    fence: int
    is_over: bool = field(default=False, compare=False)
    sure_since: float = field(default_factory=time.monotonic, compare=False)  # taken or renewed last

    @property
    def release_values(self) -> list[Any]:
        """By what the row is known that is ours: the values for RELEASE."""
        return [self.name, self.owner, self.fence]

    def renew(self, seconds: float, *, within: float = 0.0) -> bool:
        """Hold it for so many seconds from now; False when somebody else has taken it meanwhile.

        Nobody is asked where it was taken or renewed `within` so many seconds: it lasts as much shorter then.
        """
        asked_at = time.monotonic()
        if asked_at - self.sure_since < within:
            return True
        if planned.is_possible():
            is_ours = bool(planned.answer(RENEW, [seconds, *self.release_values]))
        else:
            mine = Lease.objects.filter(name=self.name, owner=self.owner, fence=self.fence)
            is_ours = mine.update(until=Now() + timedelta(seconds=seconds)) == 1
        self.sure_since = asked_at if is_ours else self.sure_since
        return is_ours

    def release(self) -> None:
        """Let the next one in; does nothing when it is no longer ours.

        Raises what the database raises. Where it is away, the lease is released as soon as it is back.
        """
        if self.is_over:
            return
        with free_if_lost([self.name], [self.owner]):
            if planned.is_possible():
                planned.answer(RELEASE, self.release_values)
                return
            Lease.objects.filter(name=self.name, owner=self.owner, fence=self.fence).update(owner="", until=Now())

    def __enter__(self) -> "HeldLease":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()


@contextmanager
def free_if_lost(names: Sequence[str], owners: Sequence[str]) -> Iterator[None]:
    """Let nobody wait for leases that these owners may hold in vain: the database went away while they took or released
    them, and may have kept what it did not answer any more."""
    try:
        yield
    except (DatabaseError, InterfaceError):
        for each in zip(names, owners, strict=True):
            late_releases.plan(*each)
        raise


def held(names: Collection[str], seconds: float) -> set[str]:
    """Which of these leases, each taken for so many seconds, somebody holds: asked for all before one is taken."""
    too_far = Now() + timedelta(seconds=2 * seconds + DOUBT_SECONDS)
    taken = Lease.objects.filter(name__in=names, until__gt=Now(), until__lte=too_far).exclude(owner="")
    return set(taken.values_list("name", flat=True))


def acquire(name: str, seconds: float) -> HeldLease | None:
    """Take the lease for so many seconds, or answer None at once when somebody holds it.

    An end further ahead than twice these seconds and a minute is the mark of a clock that was set back since.
    """
    if planned.is_possible() and (taken := _take(name, seconds, TAKE)):
        return taken[0]
    lease, _ = Lease.objects.only("fence").get_or_create(name=name, defaults={"until": Now()})
    ours = HeldLease(name, uuid4().hex, lease.fence + 1)
    too_far = Now() + timedelta(seconds=2 * seconds + DOUBT_SECONDS)
    is_free = Q(owner="") | Q(until__lte=Now()) | Q(until__gt=too_far)
    # With the fence as it was read: of all who find it free, one changes the row.
    free = Lease.objects.filter(is_free, pk=lease.pk, fence=lease.fence)
    until = Now() + timedelta(seconds=seconds)
    with free_if_lost([name], [ours.owner]):
        return ours if free.update(owner=ours.owner, fence=ours.fence, until=until) else None


def acquire_and_read(
    name: str, seconds: float, selection: str, values: Sequence[Any]
) -> tuple[HeldLease, tuple[Any, ...]] | None:
    """On PostgreSQL: take a lease that is there and free, and read a row beside it, in one statement.

    `selection` is what follows SELECT, from the table `taken`. What is read is what was committed before the statement
    began, and so whatever the last owner wrote before it released. None where acquire() has to be asked.
    """
    return _take(name, seconds, f"WITH taken AS ({TAKE}) SELECT taken.fence, {selection}", values)


def _take(
    name: str, seconds: float, statement: str, values: Sequence[Any] = ()
) -> tuple[HeldLease, tuple[Any, ...]] | None:
    """Take a lease that is there and free, in one statement; each poll takes one."""
    owner = uuid4().hex
    with free_if_lost([name], [owner]):
        found = planned.answer(statement, [owner, seconds, name, 2 * seconds + DOUBT_SECONDS, *values])
    return (HeldLease(name, owner, found[0][0]), found[0][1:]) if found else None


class LateReleases:
    """Releases what is planned as soon as the database answers, if that owner still has it; in a thread of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._planned: dict[tuple[str, str], float] = {}  # (name, owner) -> until when it is tried

    @property
    def is_done(self) -> bool:
        """Whether nothing waits any more."""
        return not self._planned

    def plan(self, name: str, owner: str) -> None:
        """Returns at once."""
        with self._lock:
            is_first = not self._planned
            self._planned[name, owner] = time.monotonic() + LONGEST_SECONDS
            if is_first:
                threading.Thread(target=self._run, name="late releases", daemon=True).start()

    def _run(self) -> None:
        try:
            while waiting := self._waiting():
                time.sleep(RETRY_SECONDS)
                with suppress(DatabaseError, InterfaceError):
                    self._release(waiting)
                connection.close()  # what broke stays broken
        except BaseException:
            with self._lock:
                self._planned.clear()  # whoever comes next starts another thread
            raise

    def _waiting(self) -> list[tuple[str, str]]:
        with self._lock:
            now = time.monotonic()
            self._planned = {each: until for each, until in self._planned.items() if until > now}
            return list(self._planned)

    def _release(self, waiting: list[tuple[str, str]]) -> None:
        for begin in range(0, len(waiting), RELEASED_TOGETHER):
            some = waiting[begin : begin + RELEASED_TOGETHER]
            names, owners = zip(*some, strict=True)  # of an owner there is no other lease
            Lease.objects.filter(name__in=set(names), owner__in=owners).update(owner="", until=Now())
            with self._lock:
                for each in some:
                    self._planned.pop(each, None)


late_releases = LateReleases()
