"""What is posted, as structs: the OpenAPI document describes them under `webhooks`, docs/webhooks.md in words."""

from datetime import date, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from accounts import company_day
from accounts.limits import Limit
from accounts.models import Domain, Person
from wallboard.calls import documents as calls
from wallboard.calls import legs, numbers, visible_calls
from wallboard.calls.documents import LegDocument, call_of
from wallboard.calls.models import Leg
from wallboard.outgoing import endpoints, kinds
from wallboard.outgoing.models import Endpoint, Event
from wallboard.reports import day_figures
from wallboard.reports.period_parts import Period


class End(msgspec.Struct, frozen=True):
    """One end of a call; "" for what is not known, and for names and numbers of callers that are not to be told."""

    name: str
    number: str
    extension: str


class Call(msgspec.Struct, frozen=True, kw_only=True, rename={"source": "from", "target": "to"}):
    """A call at one phone or in one queue. All legs of one call have the same `call`; `leg` is this one of them."""

    call: str
    leg: int
    direction: str
    source: End
    target: End
    queue: str | None
    via: list[str]
    began_at: datetime
    ringing_at: datetime | None
    answered_at: datetime | None
    ended_at: datetime | None
    is_answered: bool


class CallBack(msgspec.Struct, frozen=True, kw_only=True):
    """A caller whom nobody answered. `by` is the extension of who took it or spoke with them; "" for people not shown.

    `how` is `marked` where somebody said that it is done, `spoken` where they were on the phone, else "".
    """

    call: str
    caller: End
    via: list[str]
    called_at: datetime
    by: str
    how: str


class QueueDay(msgspec.Struct, frozen=True, kw_only=True):
    """A queue over the day. Waits are null where they are not known or must not be shown."""

    queue: str
    name: str
    late_minutes: int
    watch_minutes: int
    nobody_minutes: int
    most_waiting: int
    longest_wait_seconds: int | None
    average_wait_seconds: int | None
    measured_minutes: int


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """A day of the company. `missing_seconds` of it no call events came; `events_since` is when they began to come,
    where that was on this day.

    Calls are those from outside; null where none are known of, or calibration shows that their legs cannot be told to
    be one call.
    """

    day: date
    begin: datetime
    end: datetime
    time_zone: str
    queues: list[QueueDay]
    calls_ended: int | None
    calls_answered: int | None
    calls_missed: int | None
    missing_seconds: int
    events_since: datetime | None


class Nothing(msgspec.Struct, frozen=True):
    """A test says nothing."""


Data = Call | CallBack | Day | Nothing
STRUCTS: dict[str, type[msgspec.Struct]] = {
    **dict.fromkeys((kinds.RINGING, kinds.ANSWERED, kinds.ENDED, kinds.MISSED), Call),
    **dict.fromkeys((kinds.ASKED, kinds.TAKEN, kinds.DONE), CallBack),
    kinds.DAY_ENDED: Day,
    kinds.TEST: Nothing,
}


DESCRIPTIONS = {
    kinds.RINGING: "A call rings at a phone, or waits in a queue",
    kinds.ANSWERED: "A person answers a call",
    kinds.ENDED: "A call is over",
    kinds.MISSED: "A call from outside is over, and no person answered it",
    kinds.ASKED: "A caller waits to be called back",
    kinds.TAKEN: "Somebody takes a call-back",
    kinds.DONE: "A call-back is done",
    kinds.DAY_ENDED: "A day of the company is over",
    kinds.TEST: "An administrator tries the webhook",
}


class Gone(Exception):
    """What was to be told is no longer there."""


class NotHeard(Exception):
    """The endpoint was changed since, and is not to hear of it any more."""


def body(event: Event, endpoint: Endpoint) -> str:
    """What an endpoint is posted of an event. Raises Gone and NotHeard."""
    told: dict[str, Any] = {
        "type": event.kind,
        "timestamp": event.at,
        "company": endpoint.domain.slug,
        "data": data(event, endpoint),
    }
    return msgspec.json.encode(told).decode()


def data(event: Event, endpoint: Endpoint) -> Data:
    """What happened, as far as the endpoint may know. Raises Gone and NotHeard."""
    if event.kind == kinds.TEST:
        return Nothing()
    if event.kind not in endpoint.kinds:
        raise NotHeard
    limit = endpoints.limit_of(endpoint)
    if event.kind == kinds.DAY_ENDED:
        return _day(endpoint.domain, date.fromisoformat(event.about["day"]), limit)
    if event.leg is None:
        raise Gone
    if (
        limit.is_set
        and not visible_calls.shown(Leg.objects.filter(pk=event.leg.pk), endpoint.domain_id, limit).exists()
    ):
        raise NotHeard
    told = _leg_document(event.leg, shows_numbers=endpoint.shows_numbers)
    if endpoint.shows_numbers:
        told = _with_numbers(event.leg, told, endpoint.domain.country)
    if event.kind not in kinds.OF_CALL_BACKS:
        return _call(event.leg, told)
    by = _shown(event.about.get("by", ""), endpoint)
    return _call_back(event.leg, told, by=by, how=event.about.get("how", ""))


def _leg_document(leg: Leg, *, shows_numbers: bool) -> LegDocument:
    of_call = Leg.objects.filter(domain_id=leg.domain_id, from_call_id=leg.from_call_id).exclude(queue="")
    rows = [leg, *(of_call if leg.from_call_id else ())]
    known = calls.directory_of(leg.domain_id, rows)
    return (calls.call_document if shows_numbers else calls.wall_document)(leg, known)


def _with_numbers(leg: Leg, told: LegDocument, country: str) -> LegDocument:
    """With numbers of strangers as machines compare them, where they are numbers."""
    source, target = (
        replace(party, number=numbers.e164(stated, country) or party.number) if not party.extension else party
        for party, stated in ((told.source, leg.from_number), (told.target, leg.to_number))
    )
    return replace(told, source=source, target=target)


def _party(told: calls.PartyDocument) -> End:
    return End(told.name, told.number, told.extension)


def _call(leg: Leg, told: LegDocument) -> Call:
    is_answered = legs.is_spoken(leg)
    return Call(
        call=told.call,
        leg=leg.pk,
        direction=told.direction,
        source=_party(told.source),
        target=_party(told.target),
        queue=told.queue,
        via=told.via,
        began_at=leg.first_seen_at,
        ringing_at=leg.ringing_at,
        answered_at=leg.active_at if is_answered else None,
        ended_at=leg.ended_at,
        is_answered=is_answered,
    )


def _call_back(leg: Leg, told: LegDocument, *, by: str, how: str) -> CallBack:
    caller = _party(told.source)
    return CallBack(call=call_of(leg), caller=caller, via=told.via, called_at=leg.first_seen_at, by=by, how=how)


def _shown(extension: str, endpoint: Endpoint) -> str:
    """The extension, or "" where its person is kept off the boards or beyond the endpoint's limit."""
    is_hidden = Person.objects.filter(domain=endpoint.domain, extension=extension, is_hidden=True).exists()
    return extension if not is_hidden and endpoints.limit_of(endpoint).shows_person(extension) else ""


def _day(domain: Domain, day: date, limit: Limit) -> Day:
    period = Period(day, day, company_day.zone_of(domain), domain.day_starts_hour, domain.clock)
    [counted] = day_figures.calls_by_day(domain, period, limit)
    covered = counted.coverage
    rows = [row for row in day_figures.by_queue(domain, period) if limit.shows_queue(row.queue.number)]
    return Day(
        day=day,
        begin=period.begin,
        end=period.end,
        time_zone=str(period.zone),
        queues=[_queue(row) for row in rows],
        calls_ended=counted.calls.ended if counted.is_told else None,
        calls_answered=counted.calls.answered if counted.is_told else None,
        calls_missed=counted.calls.unanswered if counted.is_told else None,
        missing_seconds=covered.missing.seconds if covered.missing else 0,
        events_since=covered.counted_since,
    )


def _queue(row: day_figures.QueueFigures) -> QueueDay:
    return QueueDay(
        queue=row.queue.number,
        name=str(row.queue),
        late_minutes=row.late_minutes,
        watch_minutes=row.watch_minutes,
        nobody_minutes=row.nobody_minutes,
        most_waiting=row.most_waiting,
        longest_wait_seconds=row.longest_wait_seconds,
        average_wait_seconds=row.average_wait_seconds,
        measured_minutes=row.measured_minutes,
    )
