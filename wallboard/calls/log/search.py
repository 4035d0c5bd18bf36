"""The log of calls: what happened, newest first, legs of one call together. Times are our receipt clock."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Min, Q
from django.utils import timezone

from accounts import company_day
from accounts.languages.digits import ascii_digits
from accounts.limits import EVERYTHING, Limit
from accounts.models import Domain, Person
from wallboard.calls import documents, legs, numbers, visible_calls
from wallboard.calls.detail_records import is_asked, of_pairs, talk_of
from wallboard.calls.documents import Directory
from wallboard.calls.log import filters
from wallboard.calls.log import newest as newest_calls
from wallboard.calls.log.filters import CallFilter
from wallboard.calls.log.newest import CALL_OF, Sought, is_of
from wallboard.calls.models import Leg, Record
from wallboard.calls.presence import aging
from wallboard.queues.models import Queue

# More than anybody clears by hand; so many hang only where events are broken altogether.
MOST_HANGING = 50
MOST_LOOKED = 50_000  # legs, where no index finds what matches
SHORTEST_SEARCHED_NUMBER = 3  # digits; fewer would find nearly every call


@dataclass(frozen=True)
class Party:
    """One end as people read it; `extension` is "" for strangers, `number` "" where only an extension is known."""

    name: str
    number: str
    extension: str


@dataclass(frozen=True)
class LoggedLeg:
    """The call at one phone or queue. `queue` is a queue's number or ""; seconds are None while unknown."""

    id: int
    state: str
    to: Party
    queue: str
    started_at: datetime
    answered_at: datetime | None
    ended_at: datetime | None
    is_answered: bool
    has_no_news: bool
    heard_at: datetime
    talk_seconds: int | None


@dataclass(frozen=True)
class LoggedCall:
    """A call with its legs, oldest first; `direction` and `outcome` are words of `filters`.

    `wait_seconds` count from the beginning of the call: greeting and menu are in them, until somebody of ours answers.
    """

    call: str
    started_at: datetime
    direction: str
    caller: Party
    queue: str
    outcome: str
    answered_by: str
    wait_seconds: int | None
    talk_seconds: int | None
    legs: tuple[LoggedLeg, ...]


@dataclass(frozen=True)
class Found:
    """Calls, and since when was looked for them, where that is not from the beginning."""

    calls: tuple[LoggedCall, ...]
    looked_since: datetime | None = None


def search(
    domain_id: int,
    wanted: CallFilter | None = None,
    count: int = 50,
    offset: int = 0,
    limit: Limit = EVERYTHING,
) -> tuple[LoggedCall, ...]:
    """The calls of a domain that are wanted (all of them by default), newest first.

    With a limit only calls that may be seen, each whole: whoever sees a call sees everybody whom it rang.
    """
    return look(domain_id, wanted or CallFilter(), count, offset, limit, None).calls


def look(
    domain_id: int, wanted: CallFilter, count: int, offset: int, limit: Limit, most_looked: int | None = MOST_LOOKED
) -> Found:
    """The same, where the looking may end after so many legs: somebody waits for the answer."""
    domain = Domain.objects.get(pk=domain_id)
    first = max(0, offset)
    calls, since = newest_calls.newest(sought(domain, wanted, limit), first + max(0, count), most_looked)
    return Found(logged(domain, calls[first:]), since)


def hanging(domain_id: int, limit: Limit = EVERYTHING) -> tuple[LoggedCall, ...]:
    """Calls that are live by our events and of which nothing was heard for long, those that hang longest first."""
    rows = aging.without_news(Leg.objects.filter(domain_id=domain_id))
    found = (
        visible_calls.shown(rows, domain_id, limit)
        .annotate(call=CALL_OF)
        .values("call")
        .annotate(at=Min("first_seen_at"))
    )
    page = [row["call"] for row in found.order_by("at", "call")[:MOST_HANGING]]
    return logged(Domain.objects.get(pk=domain_id), page)


def logged(domain: Domain, page: list[str]) -> tuple[LoggedCall, ...]:
    """These calls, each with all its legs."""
    by_call: dict[str, list[Leg]] = defaultdict(list)
    # All legs of these calls, also those that the search did not match: a call is shown whole.
    for leg in Leg.objects.filter(is_of(page), domain=domain).order_by("first_seen_at", "pk"):
        by_call[documents.call_of(leg)].append(leg)
    shown = [leg for call in page for leg in by_call[call]]
    known = documents.directory(domain.pk, (end for leg in shown for end in (leg.from_user, leg.to_user)))
    talked = _recorded_talks(domain, shown)
    return tuple(_logged_call(call, by_call[call], known, talked) for call in page)


def sought(domain: Domain, wanted: CallFilter, limit: Limit) -> Sought:
    """What is looked for, of what may be seen with that limit."""
    within = Leg.objects.filter(domain=domain)
    if wanted.first is not None:
        within = within.filter(first_seen_at__gte=company_day.begin(domain, wanted.first))
    if wanted.last is not None:
        within = within.filter(first_seen_at__lt=company_day.end(domain, wanted.last))
    about, parts, words = _about(domain, text) if (text := wanted.text.strip()) else (Q(), [], [])
    rows = filters.narrowed(within.filter(about), domain.pk, wanted.direction, wanted.outcome)
    # Narrowed before the page is cut, else a limited supervisor would get pages with holes.
    return Sought(within, visible_calls.shown(rows, domain.pk, limit), parts, words, wanted.outcome)


def _about(domain: Domain, text: str) -> tuple[Q, list[str], list[str]]:
    """What a person may mean by a text: a name (of a queue too), an extension, or any writing of a number.

    And what of a leg's words (newest.py) is there then.
    """
    people, queues = Person.objects.filter(domain=domain), Queue.objects.filter(domain=domain)
    dialled = ascii_digits(text)
    digits = "".join(filter(str.isdecimal, dialled))
    in_numbers = Q(caller_e164__contains=digits) | Q(from_number__contains=digits) | Q(to_number__contains=digits)
    if full := numbers.e164(dialled, domain.country):
        # What may be a whole number may be a part of a longer one as well.
        is_ours = people.filter(extension=dialled).exists() or queues.filter(number=dialled).exists()
        is_so = Q(caller_e164__startswith=full) | in_numbers
        about = is_so | Q(from_user=dialled) | Q(to_user=dialled) if is_ours else is_so
        return about, [full, digits], [dialled] * is_ours
    named = list(people.filter(name__icontains=text).values_list("extension", flat=True))
    called = list(queues.filter(name__icontains=text).values_list("number", flat=True))
    ours = [dialled, *named]
    about = Q(from_name__icontains=text) | Q(to_name__icontains=text) | Q(from_user__in=ours) | Q(to_user__in=ours)
    about |= Q(queue__in=called)
    is_number = len(digits) >= SHORTEST_SEARCHED_NUMBER and not any(letter.isalpha() for letter in text)
    if is_number:
        about |= in_numbers
    parts = [text, dialled, digits] if is_number else [text, dialled]
    return about, list(dict.fromkeys(parts)), [*named, *called]


def _recorded_talks(domain: Domain, shown: list[Leg]) -> dict[tuple[str, str], int]:
    """How long people talked by the detail records, for legs whose events do not tell."""
    unknown = of_pairs((leg.from_call_id, leg.to_call_id) for leg in shown if is_asked(leg))
    talks = {
        (record.from_call_id, record.to_call_id): talk_of(record)
        for record in Record.objects.filter(unknown, domain=domain)
    }
    return {pair: int(talk.total_seconds()) for pair, talk in talks.items() if talk is not None}


def _logged_call(call: str, of_call: list[Leg], known: Directory, talked: dict[tuple[str, str], int]) -> LoggedCall:
    first = of_call[0]
    answered = next((leg for leg in of_call if leg.is_answered and _counts_as_answer(leg)), None)
    is_live = any(leg.ended_at is None for leg in of_call)
    rows = tuple(_logged_leg(leg, known, talked) for leg in of_call)
    picked_up = answered.active_at if answered else None
    given_up = None if is_live or answered else _given_up_at(of_call)
    return LoggedCall(
        call,
        first.first_seen_at,
        next(filter(None, map(legs.direction, of_call)), filters.UNKNOWN_DIRECTION.value),
        _party(first.from_user, first.from_name, first.from_number, known),
        next((leg.queue for leg in of_call if leg.queue), ""),
        "live" if is_live else "answered" if answered else "unanswered",
        (known.name(answered.to_user) or answered.to_user or answered.to_name) if answered else "",
        # An answered call whose answer was never seen, or one whose end was not, has no known wait; None says so.
        _seconds(first.first_seen_at, picked_up or given_up),
        next((row.talk_seconds for row in rows if answered and row.id == answered.pk), None),
        rows,
    )


def _given_up_at(of_call: list[Leg]) -> datetime | None:
    """When nobody was waited for any more on a call that is over and was not answered; None where it is not known."""
    # Not what was told before the call led anywhere, nor the message that was left on a voicemail.
    led = [leg for leg in of_call if leg.to_call_id] or of_call
    rang = [leg for leg in led if leg.queue or leg.is_human is not False] or led
    ended_at, heard_at = max((leg.ended_at, leg.heard_at) for leg in rang if leg.ended_at)
    return None if legs.is_end_lost(ended_at, heard_at) else ended_at


def _counts_as_answer(leg: Leg) -> bool:
    """Whether somebody was reached: one of ours, or on an outgoing call the stranger. A queue's music is no answer."""
    return legs.reaches_person(leg) or (legs.direction(leg) == "out" and leg.is_human is not False)


def _logged_leg(leg: Leg, known: Directory, talked: dict[tuple[str, str], int]) -> LoggedLeg:
    return LoggedLeg(
        leg.pk,
        legs.state_of(leg),
        _party(leg.to_user, leg.to_name, leg.to_number, known),
        leg.queue,
        leg.first_seen_at,
        leg.active_at,
        leg.ended_at,
        leg.is_answered,
        aging.has_no_news(leg),
        leg.heard_at,
        _talk_seconds(leg, talked),
    )


def _talk_seconds(leg: Leg, talked: dict[tuple[str, str], int]) -> int | None:
    recorded = talked.get((leg.from_call_id, leg.to_call_id)) if is_asked(leg) else None
    if recorded is not None or legs.is_end_lost(leg.ended_at, leg.heard_at):
        return recorded
    return _seconds(leg.active_at, leg.ended_at or timezone.now())


def _party(user: str, name: str, number: str, known: Directory) -> Party:
    extension = user if user in known.people or user in known.queues else ""
    # Whose extension is known withholds nothing.
    shown = "" if extension and numbers.is_withheld(number) else numbers.shown(number, known.domain.country)
    return Party(known.name(user) or numbers.telling_name(name, number), shown, extension)


def _seconds(begin: datetime | None, end: datetime | None) -> int | None:
    return max(0, int((end - begin).total_seconds())) if begin and end else None
