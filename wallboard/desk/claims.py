"""One pop per call and person: of all their open pages, the one that holds the claim shows the card."""

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from wallboard.desk.models import Claim

LEASE = timedelta(seconds=20)
GOODBYE = timedelta(seconds=4)  # a reload comes back within this; after it another page may take over
RETENTION = timedelta(days=2)


def claim(person_id: int, call_id: str, page: str, *, take: bool = False) -> bool:
    """Whether `page` shows the call from now on.

    It does when nobody held the claim, when it is the holder already, when the holder went silent for `LEASE`, or
    when the person asked for it by hand (`take`). The decision is one conditional update, so of two pages that ask
    at the same moment exactly one gets the call.
    """
    until = timezone.now() + LEASE
    held, is_new = Claim.objects.get_or_create(
        person_id=person_id, call_id=call_id, defaults={"page": page, "until": until}
    )
    # Now and then is enough, and this is when rows are added.
    if is_new:
        _delete_old(person_id)
    # The person's own click always wins: they know on which screen they are looking.
    free = Q() if take else Q(page=page) | Q(until__lt=timezone.now())
    # Compare and set in one statement, right on SQLite and PostgreSQL without a lock.
    return bool(Claim.objects.filter(free, pk=held.pk).update(page=page, until=until))


def renew(person_id: int, call_ids: list[str], page: str) -> list[str]:
    """Keep the claims of `page` alive; return the calls that another page shows by now."""
    mine = Claim.objects.filter(person_id=person_id, call_id__in=call_ids, page=page)
    mine.update(until=timezone.now() + LEASE)
    held = set(mine.values_list("call_id", flat=True))
    return [call_id for call_id in call_ids if call_id not in held]


def release(person_id: int, page: str) -> None:
    """The page is going away: shorten its claims, so that another page need not wait for the whole lease."""
    goodbye = timezone.now() + GOODBYE
    # Only ever shortened: what ends sooner than this stays as it is.
    Claim.objects.filter(person_id=person_id, page=page, until__gt=goodbye).update(until=goodbye)


def close(person_id: int, call_ids: list[str], page: str) -> None:
    """The person put these calls away: no page of theirs shows them again unless they ring again."""
    Claim.objects.filter(person_id=person_id, call_id__in=call_ids, page=page).update(closed_at=timezone.now())


def is_closed(person_id: int, call_id: str, rang_at: datetime) -> bool:
    """Whether the person put this call away after it began to ring."""
    # The same call may ring again after a transfer: then it is worth a card again.
    return Claim.objects.filter(person_id=person_id, call_id=call_id, closed_at__gte=rang_at).exists()


def reopen(person_id: int, call_id: str) -> None:
    """The person asked to see the call again."""
    Claim.objects.filter(person_id=person_id, call_id=call_id).update(closed_at=None)


def _delete_old(person_id: int) -> None:
    Claim.objects.filter(person_id=person_id, until__lt=timezone.now() - RETENTION).delete()
