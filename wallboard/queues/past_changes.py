"""Changes of what is kept of days that were over, noted with the change: no figure of such a day stays as it was.

Records come late, calls go on over midnight, numbers are erased: rooms that made figures of a day hear of it here.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from django.utils import timezone

from accounts import company_day
from accounts.models import Domain
from wallboard.queues.models import PastChange

HOUR = timedelta(hours=1)
EVER = datetime(2000, 1, 1, tzinfo=UTC)


def note(domain: Domain, kind: PastChange.Kind, moments: Iterable[datetime]) -> None:
    """Something of these moments has changed. Inside the transaction of the change; those of today are no news."""
    begin = company_day.start(domain, timezone.now())
    hours = {each.astimezone(UTC).replace(minute=0, second=0, microsecond=0) for each in moments if each < begin}
    if hours:
        _store([PastChange(domain=domain, kind=kind, since=hour, until=hour + HOUR) for hour in sorted(hours)])


def note_all(domain: Domain, kind: PastChange.Kind) -> None:
    """Everything that is kept may have changed."""
    _store([PastChange(domain=domain, kind=kind, since=EVER, until=timezone.now())])


def _store(rows: list[PastChange]) -> None:
    for row in rows:
        row.token = uuid4()
    PastChange.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["domain", "kind", "since"], update_fields=["until", "token"]
    )
