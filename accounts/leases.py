"""One owner at a time over all processes and machines: a row that is taken by compare-and-set.

Right on SQLite and PostgreSQL alike, needs no Redis, and runs by the database's clock, so that machines whose clocks
differ agree on when a lease is over. The fence grows at each change of owner: who writes late can be told apart.
Where that clock is set back, a lease seems to last longer than anybody asks for: it is free then, as a released one is.
"""

from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from uuid import uuid4

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import Lease

DOUBT_SECONDS = 60.0  # how much further than asked for an end may lie ahead: old and new code may ask differently

# What acquire() and release() ask for, in words: each poll does both, and Django takes longer to word them than
# PostgreSQL to do them. Whoever waited for another one's statement looks again at what that has written.
AFTER = "STATEMENT_TIMESTAMP() + %s * INTERVAL '1 second'"
TAKE = f"""UPDATE {Lease._meta.db_table} SET owner = %s, fence = fence + 1, until = {AFTER}
    WHERE name = %s AND (owner = '' OR until <= STATEMENT_TIMESTAMP() OR until > {AFTER})
    RETURNING fence"""  # noqa: S608  (nothing of anybody's is put in)
RELEASE = f"""UPDATE {Lease._meta.db_table} SET owner = '', until = STATEMENT_TIMESTAMP()
    WHERE name = %s AND owner = %s AND fence = %s"""  # noqa: S608


@dataclass(frozen=True)
class HeldLease:
    """A lease in our hands. As a context manager it is released at the end of the block."""

    name: str
    owner: str
    fence: int

    def renew(self, seconds: float) -> bool:
        """Hold it for so many seconds from now; False when somebody else has taken it meanwhile."""
        mine = Lease.objects.filter(name=self.name, owner=self.owner, fence=self.fence)
        return mine.update(until=Now() + timedelta(seconds=seconds)) == 1

    def release(self) -> None:
        """Let the next one in; does nothing when it is no longer ours."""
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(RELEASE, [self.name, self.owner, self.fence])
            return
        Lease.objects.filter(name=self.name, owner=self.owner, fence=self.fence).update(owner="", until=Now())

    def __enter__(self) -> "HeldLease":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()


def acquire(name: str, seconds: float) -> HeldLease | None:
    """Take the lease for so many seconds, or answer None at once when somebody holds it.

    An end further ahead than twice these seconds and a minute is the mark of a clock that was set back since.
    """
    if connection.vendor == "postgresql" and (taken := _take(name, seconds)):
        return taken
    lease, _ = Lease.objects.only("fence").get_or_create(name=name, defaults={"until": Now()})
    held = HeldLease(name, uuid4().hex, lease.fence + 1)
    too_far = Now() + timedelta(seconds=2 * seconds + DOUBT_SECONDS)
    is_free = Q(owner="") | Q(until__lte=Now()) | Q(until__gt=too_far)
    # With the fence as it was read: of all who find it free, one changes the row.
    free = Lease.objects.filter(is_free, pk=lease.pk, fence=lease.fence)
    until = Now() + timedelta(seconds=seconds)
    return held if free.update(owner=held.owner, fence=held.fence, until=until) else None


def _take(name: str, seconds: float) -> HeldLease | None:
    """Take a lease that is there and free, in one statement; each poll takes one."""
    owner = uuid4().hex
    with connection.cursor() as cursor:
        cursor.execute(TAKE, [owner, seconds, name, 2 * seconds + DOUBT_SECONDS])
        row = cursor.fetchone()
    return HeldLease(name, owner, row[0]) if row else None
