"""What happened becomes events, each once, and a delivery for every endpoint that is to hear of it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from django.utils import timezone

from accounts.models import Domain
from wallboard.calls import visible_calls
from wallboard.calls.models import Leg
from wallboard.outgoing import endpoints
from wallboard.outgoing.models import Delivery, Endpoint, Event

KEEP = timedelta(days=2)  # for so long an event can be sent again
NEWS = timedelta(days=1)  # what happened before is told to nobody any more

Earlier = Mapping[int, Sequence[int]]


def store(domain: Domain, found: Iterable[Event], listeners: list[Endpoint], earlier: Earlier | None = None) -> None:
    """Store those that are new, and what follows from them. In the caller's transaction, one caller at a time.

    What is about a leg is not told to those who may see one of the `earlier` legs by it: they hear of that one.
    """
    earliest, chosen = timezone.now() - NEWS, {kind for each in listeners for kind in each.kinds}
    wanted = {(each.kind, each.subject): each for each in found if each.at >= earliest and each.kind in chosen}
    if not wanted:
        return
    subjects = {subject for _kind, subject in wanted}
    known = set(Event.objects.filter(domain=domain, subject__in=subjects).values_list("kind", "subject"))
    fresh = [each for key, each in wanted.items() if key not in known]
    fresh.sort(key=lambda each: each.at)
    Event.objects.bulk_create(fresh)
    Delivery.objects.bulk_create(
        Delivery(endpoint=endpoint, event=event)
        for endpoint in listeners
        for event in _heard_by(endpoint, fresh, earlier or {})
    )


def _heard_by(endpoint: Endpoint, found: list[Event], earlier: Earlier) -> list[Event]:
    """Those of these that an endpoint is to hear of: chosen, since it exists, and within its limit."""
    chosen = [each for each in found if each.kind in endpoint.kinds and each.at >= endpoint.created_at]
    about = {each.leg_id for each in chosen if each.leg_id}
    asked = {leg for each in about for leg in (each, *earlier.get(each, ()))}
    limit = endpoints.limit_of(endpoint)
    shown = asked
    if limit.is_set and asked:
        legs = Leg.objects.filter(pk__in=asked)
        shown = set(visible_calls.shown(legs, endpoint.domain_id, limit).values_list("pk", flat=True))
    told = {each for each in about if each in shown and shown.isdisjoint(earlier.get(each, ()))}
    return [each for each in chosen if each.leg_id is None or each.leg_id in told]
