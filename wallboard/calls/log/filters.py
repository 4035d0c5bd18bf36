"""What people look for in the call log, as conditions of the database: of which way a call went and what became of it.

A call is its legs, so each condition asks for other legs of the call; `search` says the same of a call that is loaded.
"""

from dataclasses import dataclass
from datetime import date

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, TextChoices, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from wallboard.calls.models import Leg


class Direction(TextChoices):
    """Which way a call went."""

    IN = "in", _("incoming")
    OUT = "out", _("outgoing")
    INTERNAL = "internal", _("internal")


class Outcome(TextChoices):
    """What became of a call, as far as people's phones go."""

    LIVE = "live", _("live")
    ANSWERED = "answered", _("answered")
    UNANSWERED = "unanswered", _("unanswered")


@dataclass(frozen=True)
class CallFilter:
    """Which calls are looked for: about a text, on these days of the company, of this way and outcome ("" for any)."""

    text: str = ""
    first: date | None = None
    last: date | None = None
    direction: str = ""
    outcome: str = ""


FROM_OURS, TO_OURS = ~Q(from_user=""), ~Q(to_user="") | ~Q(queue="")
FORWARDED = FROM_OURS & TO_OURS & Q(on_net=False)
FROM_SHOWN, TO_SHOWN = Q(from_number__startswith="+"), Q(to_number__startswith="+")
# legs.direction in the database; a test holds that they agree.
LEG_DIRECTION = Case(
    When(FORWARDED & FROM_SHOWN & ~TO_SHOWN, then=Value(Direction.IN.value)),
    When(FORWARDED & ~FROM_SHOWN & TO_SHOWN, then=Value(Direction.OUT.value)),
    When((FROM_OURS & TO_OURS) | (~FROM_OURS & ~TO_OURS & Q(on_net=True)), then=Value(Direction.INTERNAL.value)),
    When(FROM_OURS, then=Value(Direction.OUT.value)),
    When(TO_OURS, then=Value(Direction.IN.value)),
    default=Value(""),
)
REACHES_PERSON = ~Q(to_user="") & ~Q(to_user=F("queue"))
# A queue's music and a voicemail are no answers; on the way out the stranger's is one.
IS_ANSWER = Q(is_answered=True) & ~Q(is_human=False) & (REACHES_PERSON | Q(leg_direction=Direction.OUT.value))
# Legs whose caller has no call id are calls of their own.
SAME_CALL = Q(pk=OuterRef("pk")) | (Q(from_call_id=OuterRef("from_call_id")) & ~Q(from_call_id=""))
# Nobody of ours on any leg: a stranger in a menu, who hung up before anybody's phone rang.
UNKNOWN_DIRECTION = Direction.IN


def hint(looked: QuerySet[Leg], outcome: str) -> Q:
    """What holds for each leg that `narrowed` finds among the legs that are looked through; cheap to find out.

    They are added up by call at once, where `narrowed` asks for the other legs of each leg by itself.
    """
    if outcome != Outcome.UNANSWERED:
        return Q()
    by_call = looked.exclude(from_call_id="").annotate(leg_direction=LEG_DIRECTION).order_by().values("from_call_id")
    against = Count("pk", filter=IS_ANSWER | Q(ended_at=None))
    return Q(from_call_id="") | Q(
        from_call_id__in=by_call.annotate(against=against).filter(against=0).values("from_call_id")
    )


def narrowed(rows: QuerySet[Leg], domain_id: int, direction: str = "", outcome: str = "") -> QuerySet[Leg]:
    """Those of these legs whose call went that way and came to that end; "" for any."""
    legs = Leg.objects.filter(SAME_CALL, domain_id=domain_id).annotate(leg_direction=LEG_DIRECTION)
    if direction:
        # The first leg that tells decides for the call, as in `search`.
        directions = legs.exclude(leg_direction="").order_by("first_seen_at", "pk").values("leg_direction")[:1]
        rows = rows.annotate(call_direction=Coalesce(Subquery(directions), Value(UNKNOWN_DIRECTION.value)))
        rows = rows.filter(call_direction=direction)
    if outcome:
        is_live, is_answered = Exists(legs.filter(ended_at=None)), Exists(legs.filter(IS_ANSWER))
        # A live call is neither answered nor unanswered yet, whatever its first leg came to.
        is_so = {Outcome.LIVE: is_live, Outcome.ANSWERED: ~is_live & is_answered}
        rows = rows.filter(is_so.get(Outcome(outcome), ~is_live & ~is_answered))
    return rows
