"""Where a call came from when a colleague passed it on. The provider's link only tells; it never joins two calls."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext as _

from accounts.models import Domain
from wallboard.calls.documents import call_of
from wallboard.calls.legs import is_spoken
from wallboard.calls.models import Leg
from wallboard.desk import time_phrases
from wallboard.desk.card import call_history
from wallboard.desk.card.call_history import Names
from wallboard.desk.card.caller import caller_of

LOOKED_BACK = timedelta(hours=4)  # a longer talk that is passed on has no history, for want of an index
MOST_LEGS = 50


@dataclass(frozen=True)
class Transfer:
    """The leg from which a call was passed on, the extension that did so, and the legs of the call it came from."""

    leg: Leg
    extension: str
    of_call: list[Leg]


def transfer_of(leg: Leg, of_call: list[Leg]) -> Transfer | None:
    """From where this leg was passed on, by its `by_call_id`; None where it was not, or nobody of ours is named."""
    if not leg.by_call_id:
        return None
    origin = next((each for each in of_call if each.to_call_id == leg.by_call_id and each.pk != leg.pk), None)
    if origin is not None:
        return _from(origin, origin.to_user, of_call)
    if origin := _looked_up(leg):
        # The link may name either end: then the colleague is whoever stood on that end.
        is_dialled = origin.to_call_id != leg.by_call_id and origin.from_user != ""
        return _from(origin, origin.from_user if is_dialled else origin.to_user, call_history.legs_of_call(origin))
    return None


def sentence(domain: Domain, found: Transfer, leg: Leg, known: Names) -> str:
    """The one sentence about it, as a colleague would say it."""
    who = known.people.get(found.extension) or found.leg.to_name or found.extension
    facts = {"who": who, "caller": _caller(domain, found, leg, known)}
    if not is_spoken(found.leg):
        return _("%(who)s did not answer; passed on to you%(caller)s.") % facts
    if found.leg.active_at is None:
        return _("Transferred by %(who)s%(caller)s.") % facts
    until = min(found.leg.ended_at or leg.first_seen_at, leg.first_seen_at)
    talked = time_phrases.duration((until - found.leg.active_at).total_seconds())
    return _("Transferred by %(who)s after %(length)s%(caller)s.") % {**facts, "length": talked}


def _caller(domain: Domain, found: Transfer, leg: Leg, known: Names) -> str:
    """Who was on the line there, where this leg names only the colleague."""
    if call_of(found.leg) == call_of(leg) or found.leg.caller_e164 == leg.caller_e164:
        return ""
    them = caller_of(domain, found.leg, known)
    return f": {them.name}, {them.number}" if them.number else f": {them.name}"


def _from(origin: Leg, extension: str, of_call: list[Leg]) -> Transfer | None:
    # A queue or a menu that hands calls on is no colleague who transfers them.
    is_person = extension != "" and extension != origin.queue and origin.is_human is not False
    return Transfer(origin, extension, of_call) if is_person else None


def _looked_up(leg: Leg) -> Leg | None:
    """The leg of another call that the link names by either of its ends; of several, the one that was spoken on."""
    legs = Leg.objects.filter(domain_id=leg.domain_id).exclude(pk=leg.pk)
    if leg.from_call_id:
        legs = legs.exclude(from_call_id=leg.from_call_id)
    recent = legs.filter(first_seen_at__range=(leg.first_seen_at - LOOKED_BACK, leg.first_seen_at))
    # Within some hours only: `to_call_id` alone has no index.
    if found := recent.filter(to_call_id=leg.by_call_id).first():
        return found
    candidates = list(legs.filter(from_call_id=leg.by_call_id).order_by("first_seen_at", "pk")[:MOST_LEGS])
    return next(filter(is_spoken, candidates), candidates[0] if candidates else None)
