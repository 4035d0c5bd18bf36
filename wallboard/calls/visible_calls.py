"""Kept calls as far as somebody with a limit may see them: `Limit.shows_call` for the database."""

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.limits import Limit
from wallboard.calls.models import Leg

IS_WITH_PERSON = (Q(from_user__gt="") & ~Q(from_user=F("queue"))) | (Q(to_user__gt="") & ~Q(to_user=F("queue")))


def shown(rows: QuerySet[Leg], domain_id: int, limit: Limit) -> QuerySet[Leg]:
    """Those of these legs whose call may be seen; a call is judged by all its legs."""
    # Most people have no limit, and sub-queries are not free.
    if not limit.is_set:
        return rows
    is_theirs = Q(pk__in=[]) if limit.people is None else _of_call(domain_id, _with(limit.people))
    if limit.queues is not None:
        came_through = _of_call(domain_id, Q(queue__in=limit.queues))
        # A call through no queue at all belongs to whoever is on it.
        rows = rows.filter(came_through | (is_theirs & ~_of_call(domain_id, Q(queue__gt=""))))
    if limit.people is not None:
        rows = rows.filter(is_theirs | ~_of_call(domain_id, IS_WITH_PERSON))
    return rows


def _with(people: frozenset[str]) -> Q:
    return Q(from_user__in=people) | Q(to_user__in=people)


def _of_call(domain_id: int, is_so: Q) -> Q:
    """Whether it is so of the leg itself or of another leg of its call."""
    # Nothing but the call id joins the sub-query, so that one look into its index answers it.
    others = Leg.objects.filter(is_so, domain_id=domain_id, from_call_id=OuterRef("from_call_id"))
    return is_so | (~Q(from_call_id="") & Q(Exists(others)))
