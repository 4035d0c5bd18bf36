"""Calls: those that are up now, and the log; numbers as the token's scopes let them be told."""

from datetime import date, datetime
from typing import Annotated, Literal

import msgspec

from wallboard.api import paging, scopes
from wallboard.api.endpoints import Asked, Count, Cursor, Endpoint
from wallboard.api.figures import Proofs, proofs
from wallboard.api.moments import moment
from wallboard.api.problems import Problem
from wallboard.api.resources.people import Events, events
from wallboard.calls import documents, numbers
from wallboard.calls.documents import LegDocument, PartyDocument
from wallboard.calls.log import search
from wallboard.calls.log.filters import CallFilter
from wallboard.calls.log.search import LoggedCall, LoggedLeg
from wallboard.sockets.visibility import shows_leg

UNITS = {"calls.wait": "seconds", "calls.talk": "seconds"}
Day = Annotated[date, msgspec.Meta(description="A day of the company, between 2000-01-01 and 2100-12-31.")]
Word = Annotated[str, msgspec.Meta(max_length=100, pattern="^[^\\x00]*$")]


class Party(msgspec.Struct, frozen=True):
    """One end of a call. `extension` is "" for strangers; their names and numbers need the scope numbers."""

    name: str
    number: str
    extension: str


class LiveLeg(msgspec.Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """A call at one phone or queue. `call` joins the legs of one call; `via` are the queues that it came through."""

    id: int
    call: str
    state: str
    direction: str
    source: Party
    target: Party
    queue: str | None
    via: list[str]
    since: datetime
    started_at: datetime
    heard_at: datetime | None
    is_unconfirmed: bool


class LiveCalls(msgspec.Struct, frozen=True):
    """The calls that are up. They count only while `events` are live."""

    events: Events
    items: list[LiveLeg]


class LogQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which calls. `q` is a name, an extension or a number, and needs the scope numbers."""

    first: Day | None = None
    last: Day | None = None
    direction: Literal["in", "out", "internal", ""] = ""
    outcome: Literal["live", "answered", "unanswered", ""] = ""
    q: Word = ""
    limit: Count = 50
    cursor: Cursor = ""


class LogLeg(msgspec.Struct, frozen=True):
    """The call at one phone or queue."""

    id: int
    state: str
    to: Party
    queue: str
    started_at: datetime
    answered_at: datetime | None
    ended_at: datetime | None
    is_answered: bool
    talk_seconds: int | None


class LogCall(msgspec.Struct, frozen=True):
    """A call with its legs, oldest first. `outcome` is live, answered or unanswered."""

    call: str
    started_at: datetime
    direction: str
    caller: Party
    queue: str
    outcome: str
    answered_by: str
    wait_seconds: int | None
    talk_seconds: int | None
    legs: list[LogLeg]


class LogPage(msgspec.Struct, frozen=True):
    """Calls, newest first."""

    items: list[LogCall]
    next: str | None
    proofs: Proofs


def live(asked: Asked) -> LiveCalls:
    """The calls that are up and that the token may see."""
    asked.audit_look("calls opened")
    domain_id, limit = asked.domain.pk, asked.caller.limit
    told = documents.calls(domain_id) if asked.sees_numbers() else documents.wall(domain_id)
    legs = [each for _version, each in told.values() if isinstance(each, LegDocument)]
    shown = [each for each in legs if not limit.is_set or shows_leg(limit, msgspec.to_builtins(each))]
    return LiveCalls(events(domain_id), [_live_leg(each) for each in sorted(shown, key=lambda leg: leg.id)])


def _live_leg(leg: LegDocument) -> LiveLeg:
    return LiveLeg(
        leg.id,
        leg.call,
        leg.state,
        leg.direction,
        _party(leg.source),
        _party(leg.target),
        leg.queue,
        leg.via,
        moment(leg.since),
        moment(leg.started),
        moment(leg.heard),
        leg.unconfirmed,
    )


def _party(party: PartyDocument) -> Party:
    return Party(party.name, party.number, party.extension)


def log(asked: Asked) -> LogPage:
    """Earlier calls. Raises Problem."""
    query: LogQuery = asked.query
    if query.q and not asked.sees_numbers():
        # Guessed digit by digit, a search would tell the numbers that it does not show.
        raise Problem(403, "Searching by q needs the scope “numbers”.")
    if any(day and not 2000 <= day.year <= 2100 for day in (query.first, query.last)):
        raise Problem(400, "Days lie between 2000-01-01 and 2100-12-31.")
    asked.audit_look("calls searched" if query.q else "calls opened", query.q)
    place = paging.decode(query.cursor, paging.Place) or paging.Place(0)
    wanted = CallFilter(query.q, query.first, query.last, query.direction, query.outcome)
    found = search.search(asked.domain.pk, wanted, query.limit + 1, place.offset, asked.caller.limit)
    page, has_more = paging.cut(found, query.limit)
    following = paging.encode(paging.Place(place.offset + query.limit)) if has_more else None
    return LogPage([_logged(each, asked.sees_numbers()) for each in page], following, proofs(asked.domain.pk, UNITS))


def _logged(call: LoggedCall, sees_numbers: bool) -> LogCall:
    answered = [leg.to for leg in call.legs if leg.is_answered and leg.to.extension]
    # On the way out it may be a stranger who answered.
    is_ours = any(call.answered_by in (each.name, each.extension) for each in answered)
    return LogCall(
        call.call,
        call.started_at,
        call.direction,
        _logged_party(call.caller, sees_numbers),
        call.queue,
        call.outcome,
        call.answered_by if sees_numbers or is_ours else "",
        call.wait_seconds,
        call.talk_seconds,
        [_logged_leg(leg, sees_numbers) for leg in call.legs],
    )


def _logged_leg(leg: LoggedLeg, sees_numbers: bool) -> LogLeg:
    return LogLeg(
        leg.id,
        leg.state,
        _logged_party(leg.to, sees_numbers),
        leg.queue,
        leg.started_at,
        leg.answered_at,
        leg.ended_at,
        leg.is_answered,
        leg.talk_seconds,
    )


def _logged_party(party: search.Party, sees_numbers: bool) -> Party:
    """As the feeds `calls` and `wall` tell it: strangers keep their names, and all but two digits."""
    if sees_numbers:
        return Party(party.name, party.number, party.extension)
    if party.extension:
        return Party(party.name, "", party.extension)
    return Party("", numbers.masked(party.number), "")


ENDPOINTS = (
    Endpoint("calls", "calls", scopes.CALLS, "Calls that are up now", live, LiveCalls),
    Endpoint("log", "calls/log", scopes.CALLS, "Earlier calls, newest first", log, LogPage, query=LogQuery),
)
