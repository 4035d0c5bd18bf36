"""Following what happens, for all companies: by one process at a time, so that each event is told once."""

from datetime import datetime

from django.utils import timezone

from accounts import leases
from accounts.models import Domain
from wallboard.calls.models import ChangedLeg
from wallboard.outgoing import kinds
from wallboard.outgoing.deciding import call_backs, call_changes, days, events
from wallboard.outgoing.models import Endpoint, Event, Progress

LEASE_SECONDS = 60
MOST_ROUNDS = 20  # of one run; the next one goes on
MOST_EVENTS = 200_000  # of a company: some of its busiest days
PIECE = 1000


def follow_calls() -> None:
    """Tell what became of the calls that changed."""
    if not ChangedLeg.objects.exists():  # most often: without a lease
        return
    if lease := leases.acquire("outgoing calls", LEASE_SECONDS):
        with lease:
            for _round in range(MOST_ROUNDS):
                if call_changes.follow(timezone.now()) < call_changes.AT_ONCE:
                    return


def follow_the_rest() -> None:
    """Tell of call-backs and of days that are over."""
    if not Endpoint.objects.exists():
        return
    if lease := leases.acquire("outgoing events", LEASE_SECONDS):
        with lease:
            now = timezone.now()
            for domain in Domain.objects.filter(is_active=True, endpoints__isnull=False).distinct():
                _follow(domain, now)


def _follow(domain: Domain, now: datetime) -> None:
    every = list(Endpoint.objects.filter(domain=domain))
    if of_call_backs := [each for each in every if kinds.OF_CALL_BACKS & set(each.kinds)]:
        call_backs.follow(domain, of_call_backs, now)
    elif Progress.objects.filter(domain=domain, call_backs_since__isnull=False).exists():
        call_backs.forget(domain)
    if of_days := [each for each in every if kinds.DAY_ENDED in each.kinds]:
        days.follow(domain, of_days, now)
    else:
        Progress.objects.filter(domain=domain).update(told_day=None)


def delete_old() -> None:
    """Forget what can no longer be sent again, and what is more than a company may have."""
    now = timezone.now()
    old = Event.objects.filter(created_at__lt=now - events.KEEP).order_by()
    while ids := list(old.values_list("pk", flat=True)[:PIECE]):
        Event.objects.filter(pk__in=ids).delete()
    for domain in Domain.objects.filter(endpoints__isnull=False).distinct():
        newest = Event.objects.filter(domain=domain).order_by("-pk").values_list("pk", flat=True)
        if over := newest[MOST_EVENTS : MOST_EVENTS + 1].first():
            Event.objects.filter(domain=domain, pk__lte=over).delete()
    # Where the worker was away for long, or nobody listens any more.
    ChangedLeg.objects.filter(leg__heard_at__lt=now - events.KEEP).delete()
