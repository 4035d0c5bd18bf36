"""Sending to one endpoint: in order, under a lease, tried again after growing pauses, given up after a day.

At least once: a delivery is taken for a time, and who takes it may die. Then its lease ends and another one sends it
again, under the same id. An event that an endpoint keeps refusing holds up those behind it for a few tries only.
"""

import logging
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.encryption import WrongKey
from accounts.languages.choosing import of_company, speaking
from wallboard.notifications.channels import webhooks
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.outgoing import documents, endpoints
from wallboard.outgoing.models import Delivery, Endpoint

log = logging.getLogger(__name__)
LEASE = timedelta(seconds=60)  # longer than a try may take
GIVE_UP_AFTER = timedelta(days=1)
HOLDS_UP = 4  # tries for which one that fails holds up those behind it
PAUSES_SECONDS = (5, 15, 45, 120, 300, 600, 1800, 3600)
State = Delivery.State


def due_endpoints(busy: Collection[int], most: int) -> list[int]:
    """Endpoints that something waits for and that may be tried now, but for the busy ones."""
    now = timezone.now()
    may_try = Q(retry_at=None) | Q(retry_at__lte=now)
    open_ones = Endpoint.objects.filter(may_try, is_paused=False, domain__is_active=True).exclude(pk__in=list(busy))
    waiting = Delivery.objects.filter(state=State.WAITING, due_at__lte=now, endpoint__in=open_ones)
    return list(waiting.order_by("endpoint").values_list("endpoint", flat=True).distinct()[:most])


def take(endpoint_id: int) -> Delivery | None:
    """The next delivery for an endpoint, ours for LEASE; None where there is none, or another process sends one."""
    now = timezone.now()
    may_try = Q(endpoint__retry_at=None) | Q(endpoint__retry_at__lte=now)
    waiting = Delivery.objects.filter(may_try, endpoint=endpoint_id, state=State.WAITING, endpoint__is_paused=False)
    found = waiting.filter(tries__lt=HOLDS_UP).order_by("pk").first()
    if found is None:
        found = waiting.filter(due_at__lte=now).order_by("due_at", "pk").first()
    if found is None or found.due_at > now or _is_leased(found, now) or _is_sending(waiting, now):
        return None
    lease = uuid4()
    # Compare and set: of two processes that found it exactly one gets it.
    mine = Delivery.objects.filter(pk=found.pk, lease=found.lease, state=State.WAITING)
    if not mine.update(lease=lease, leased_until=now + LEASE, tries=F("tries") + 1):
        return None
    return Delivery.objects.select_related("endpoint__domain", "event__leg").get(pk=found.pk)


def _is_leased(found: Delivery, now: datetime) -> bool:
    return found.leased_until is not None and now < found.leased_until <= now + 2 * LEASE  # else a clock was set back


def _is_sending(waiting: "QuerySet[Delivery]", now: datetime) -> bool:
    return waiting.filter(leased_until__gt=now, leased_until__lte=now + 2 * LEASE).exists()


def deliver(delivery: Delivery) -> bool:
    """Try once, and store what came of it; whether the receiver took it."""
    with speaking(of_company(delivery.endpoint.domain)):
        try:
            outcome = _handed_over(delivery)
        except documents.Gone:
            _finish(delivery, State.GIVEN_UP, _("what it was about is no longer kept"))
            return True
        except documents.NotHeard:
            _finish(delivery, State.GIVEN_UP, _("this webhook does not hear of it any more"))
            return True
        except NotSent as failure:
            _failed(delivery, failure)
            return False
        _finish(delivery, State.SENT, outcome)
        _worked(delivery.endpoint)
        return True


def _handed_over(delivery: Delivery) -> str:
    endpoint, event = delivery.endpoint, delivery.event
    try:
        address = endpoints.address_of(endpoint)
        return webhooks.post(address, event.uid.hex, documents.body(event, endpoint), datetime.now(UTC))
    except (NotSent, documents.Gone, documents.NotHeard):
        raise
    except WrongKey as error:
        raise NotSent(str(error)) from error
    except Exception as error:
        log.exception("A webhook failed")
        raise NotSent(_("internal error (%(kind)s); see the log") % {"kind": type(error).__name__}) from error


def _failed(delivery: Delivery, failure: NotSent) -> None:
    now, endpoint = timezone.now(), delivery.endpoint
    due_at = now + pause(delivery.tries)
    if due_at > delivery.asked_at + GIVE_UP_AFTER:
        _finish(delivery, State.GIVEN_UP, failure.reason)
    else:
        _mine(delivery).update(due_at=due_at, outcome=failure.reason[:300], lease=None, leased_until=None)
    row = Endpoint.objects.filter(pk=endpoint.pk)
    row.update(failures=F("failures") + 1, retry_at=now + pause(endpoint.failures + 1))
    row.filter(failing_since=None).update(failing_since=now)
    if failure.is_final:  # the receiver says that it is gone for good
        endpoints.pause(endpoint, paused=True)


def pause(tries: int) -> timedelta:
    """How long is waited after so many failures."""
    return timedelta(seconds=PAUSES_SECONDS[min(max(tries, 1), len(PAUSES_SECONDS)) - 1])


def _worked(endpoint: Endpoint) -> None:
    if endpoint.failures == 0:
        return
    Endpoint.objects.filter(pk=endpoint.pk).update(failures=0, failing_since=None, retry_at=None)
    if endpoint.failures > 1:
        # It was away and is back: what failed on its account need not wait any longer.
        Delivery.objects.filter(endpoint=endpoint, state=State.WAITING).update(due_at=timezone.now())


def _finish(delivery: Delivery, state: str, outcome: str) -> None:
    values = {"state": state, "outcome": outcome[:300], "ended_at": timezone.now()}
    _mine(delivery).update(**values, lease=None, leased_until=None)


def _mine(delivery: Delivery) -> "QuerySet[Delivery]":
    """Its row, unless another one has taken it meanwhile."""
    return Delivery.objects.filter(pk=delivery.pk, lease=delivery.lease, state=State.WAITING)
