"""One owner at a time over all processes and machines: a row that is taken by compare-and-set.

Right on SQLite and PostgreSQL alike, needs no Redis, and runs by the database's clock, so that machines whose clocks
differ agree on when a lease is over. The fence grows at each change of owner: who writes late can be told apart.
"""

from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from uuid import uuid4

from django.db.models.functions import Now

from accounts.models import Lease


@dataclass(frozen=True)
class Held:
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
        Lease.objects.filter(name=self.name, owner=self.owner, fence=self.fence).update(owner="", until=Now())

    def __enter__(self) -> "Held":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()


def acquire(name: str, seconds: float) -> Held | None:
    """Take the lease for so many seconds, or answer None at once when somebody holds it."""
    lease, _ = Lease.objects.only("fence").get_or_create(name=name, defaults={"until": Now()})
    held = Held(name, uuid4().hex, lease.fence + 1)
    free = Lease.objects.filter(pk=lease.pk, fence=lease.fence, until__lte=Now())
    until = Now() + timedelta(seconds=seconds)
    return held if free.update(owner=held.owner, fence=held.fence, until=until) else None
