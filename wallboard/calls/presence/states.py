"""What each person's phone is doing, worked out from the live legs."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import BooleanField, Case, Exists, F, OuterRef, Q, When
from django.utils import timezone

from accounts import people as accounts_people
from accounts.models import Domain, Person
from accounts.signin import linking
from accounts.statements import bulk_rows
from wallboard.calls import legs, numbers
from wallboard.calls.models import Leg, Presence
from wallboard.queues.models import Queue

State = Presence.State
Known = dict[str, tuple[Person, Presence | None]]  # by extension
HEARD_EVERY = timedelta(minutes=1)  # how exact the age of the last news is that is published
# As plain texts, as in legs.py. Of two calls at once the stronger state is what colleagues need to know.
STATES = IDLE, UNKNOWN, CALLING, RINGING, TALKING = [
    str(state.value) for state in (State.IDLE, State.UNKNOWN, State.CALLING, State.RINGING, State.TALKING)
]
BY_PERSON = ("person_id",)  # by which a presence is known again
ORDER = {state: order for order, state in enumerate(STATES)}


def parties(leg: Leg, queue_numbers: set[str]) -> dict[str, str]:
    """{extension: name} of our own people on a leg: not queues, not machines."""
    named = {leg.from_user: "" if _shows_a_stranger(leg) else leg.from_name}
    # A leg to a voicemail may name the person whose box it is.
    if leg.is_human is not False:
        named.setdefault(leg.to_user, leg.to_name)
    return {extension: name for extension, name in named.items() if extension and extension not in queue_numbers}


def _shows_a_stranger(leg: Leg) -> bool:
    """Whether the name of the from side may be that of a stranger whose call this phone sends on: their number is."""
    return leg.on_net is not True and numbers.bare(leg.from_number).partition("@")[0] != leg.from_user


def on_leg(leg: Leg, extension: str) -> str:
    """What a live leg makes of one of its parties; idle where it says nothing about them.

    How long nothing was heard of the leg does not matter: silence proves nothing, and nobody is free because of it.
    """
    state = legs.state_of(leg)
    if state == legs.ENDED or (leg.to_user == extension != leg.from_user and leg.is_human is False):
        return IDLE
    if state == legs.ACTIVE:
        return TALKING
    if leg.from_user == extension:
        # Where a program dials for them, the caller's own phone rings first.
        return RINGING if leg.from_state == legs.RINGING != leg.to_state else CALLING
    return RINGING if state == legs.RINGING else IDLE


def refresh(
    domain: Domain, named: dict[str, str], queue_numbers: set[str], now: datetime, *, heard: bool = True
) -> list[Presence]:
    """Bring the presence of these extensions up to date; gives those that changed. As known(), renewed() and save()."""
    return save(renewed(domain, known(domain, named), queue_numbers, now, heard=heard))


def renewed(
    domain: Domain,
    people: Known,
    queue_numbers: set[str],
    now: datetime,
    *,
    heard: bool = True,
    fresh: Iterable[Leg] = (),
) -> list[Presence]:
    """The presences of these people that are other than they were, for the caller to save.

    `heard` says that news of their calls is the reason; `fresh` are legs that changed in this transaction, which may
    have been read before. The caller holds the domain's lock, inside a transaction.
    """
    return _changed(people, _live_legs(domain, people, fresh), queue_numbers, now, heard)


def outdated(
    members: Iterable[tuple[Person, Presence | None]], live: Iterable[Leg], queue_numbers: set[str], now: datetime
) -> list[str]:
    """The extensions of all whose presence is not what it should be: new, renamed and hidden people, those whose status
    is over, and numbers that turned out to be queues. Of a company's people and its live legs; writes nothing.
    """
    people = {person.extension: (person, presence) for person, presence in members}
    changed = _changed(people, _by_extension(live, set(people)), queue_numbers, now, heard=False)
    return [row.person.extension for row in changed]


def outdated_without_calls(domain_ids: Collection[int]) -> set[int]:
    """Of these companies those with anybody whose presence is not what it should be while no call is live; one query.

    It says what _update() says, in the database's words.
    """
    persons = Person.objects.filter(domain__in=domain_ids)
    is_queue = Exists(Queue.objects.filter(domain=OuterRef("domain"), number=OuterRef("extension")))
    should_show = Case(When(Q(is_hidden=True) | is_queue, then=False), default=True, output_field=BooleanField())
    is_new = Q(presence=None) | Q(presence__version=0)
    is_renamed = ~Q(presence__published_name=F("name")) | ~Q(presence__is_shown=F("should_show"))
    is_over = Q(presence__status_until__lte=timezone.now())
    is_busy = ~Q(presence__state__in=(State.IDLE, State.UNKNOWN)) | Q(presence__leg__isnull=False)
    is_heard = Q(presence__heard_at__isnull=False) | Q(presence__is_unconfirmed=True)
    found = persons.alias(should_show=should_show).filter(is_new | is_renamed | is_over | is_busy | is_heard)
    return set(found.order_by().values_list("domain_id", flat=True).distinct())


def _changed(
    people: Known, live: dict[str, list[Leg]], queue_numbers: set[str], now: datetime, heard: bool
) -> list[Presence]:
    """The presences of these people that are other than they were, with what holds now."""
    changed = []
    for extension in sorted(people):
        person, presence = people[extension]
        presence = presence or Presence()
        bulk_rows.relate(presence, "person", person)
        if _update(presence, person, live[extension], queue_numbers, now, heard):
            changed.append(presence)
    return changed


def save(changed: list[Presence]) -> list[Presence]:
    """Keep what changed, in one statement, each with a newer version."""
    for presence in changed:
        presence.version += 1
    bulk_rows.upsert(changed, BY_PERSON)
    return changed


def _update(
    presence: Presence, person: Person, live: list[Leg], queue_numbers: set[str], now: datetime, heard: bool
) -> bool:
    """Write what holds now into the row; True when anything of it is news."""
    before = (*_published(presence), presence.version == 0)
    is_over = presence.status_until is not None and presence.status_until <= now
    state, leg = _state_of(person.extension, live)
    # Nothing has been heard of this phone yet: “idle” would be a claim.
    if leg is None and not heard and presence.state == UNKNOWN and presence.leg_id is None:
        state = UNKNOWN
    if state != presence.state or (leg and leg.pk != presence.leg_id):
        presence.since = legs.since(leg) if leg else now
    presence.state = state
    bulk_rows.relate(presence, "leg", leg)
    presence.is_unconfirmed = leg is not None and leg.is_unconfirmed
    heard_at = leg.heard_at if leg else None
    # To a minute, else every sign of life of a call would be a change on every board.
    if heard_at is None or presence.heard_at is None or heard_at - presence.heard_at >= HEARD_EVERY:
        presence.heard_at = heard_at
    # What boards were told last: a rename is found by comparing, without a signal from accounts.
    presence.published_name = person.name
    presence.is_shown = not person.is_hidden and person.extension not in queue_numbers
    was_overdue = presence.overdue_since is not None
    if is_over:
        presence.overdue_since = presence.status_until
        clear_status(presence)
    # A call of theirs shows that they are back.
    if heard or leg is not None:
        presence.overdue_since = None
    is_back = was_overdue and presence.overdue_since is None
    return is_over or is_back or before != (*_published(presence), False)


def _published(presence: Presence) -> tuple[object, ...]:
    leg = presence.state, presence.leg_id, presence.heard_at, presence.is_unconfirmed
    return *leg, presence.published_name, presence.is_shown


def clear_status(presence: Presence) -> None:
    """End the person's status."""
    presence.status = presence.status_note = ""
    presence.status_since = presence.status_until = None


def _state_of(extension: str, live: list[Leg]) -> tuple[str, Leg | None]:
    """The strongest state that a live leg of theirs gives. A leg that something speaks against counts only where there
    is no other; of two talks the one answered last, for that is whom they talk to; else the leg that came first.
    """
    states = [(on_leg(leg, extension), leg) for leg in live]
    busy = [(state, leg) for state, leg in states if state != IDLE]
    return max(busy, key=_weight) if busy else (IDLE, None)


def _weight(each: tuple[str, Leg]) -> tuple[bool, int, float, int]:
    state, leg = each
    since = legs.since(leg).timestamp()
    order = (since, leg.pk) if state == TALKING else (-since, -leg.pk)
    # Talks: the later wins. Anything else: the earlier, which began what the phone does.
    return not leg.is_unconfirmed, ORDER[state], *order


def known(domain: Domain, named: dict[str, str]) -> Known:
    """Our people by extension, to whom `named` gives what the provider calls them, "" where it does not; whoever is
    new, or has no name yet and is told one, goes through accounts.
    """
    rows = bulk_rows.select_beside(Person, Presence, "person_id", of_people(domain.pk, named))
    found: Known = {person.extension: (person, presence) for person, presence in rows}
    # A number that was shown for linking is dialled like an extension and must not become a person.
    dialled = linking.shown_numbers(domain.pk, named.keys() - found.keys())
    for extension, name in named.items():
        person, presence = found.get(extension, (None, None))
        if (person is None and extension not in dialled) or (person and name and not person.name):
            person = accounts_people.get_or_create(domain, extension, name)
            # Somebody else may have made them meanwhile.
            found[extension] = person, presence or Presence.objects.filter(person=person).first()
    return found


def of_people(domain_id: int, extensions: Iterable[str]) -> dict[str, Any]:
    """Whom known() reads, as bulk_rows words it."""
    return {"domain_id": domain_id, "extension__in": set(extensions)}


def live_of(domain_id: int, extensions: Iterable[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The live legs that renewed() reads."""
    live, wanted = {"domain_id": domain_id, "ended_at": None}, set(extensions)
    return live | {"from_user__in": wanted}, live | {"to_user__in": wanted}


def _live_legs(domain: Domain, extensions: Iterable[str], fresh: Iterable[Leg] = ()) -> dict[str, list[Leg]]:
    """The live legs of each of these extensions; of a leg that was read and is `fresh` the latter counts."""
    extensions = set(extensions)
    rows = bulk_rows.select(Leg, *live_of(domain.pk, extensions))
    # A call between two colleagues matches both conditions.
    return _by_extension({leg.pk: leg for leg in (*rows, *fresh)}.values(), extensions)


def _by_extension(legs_of_them: Iterable[Leg], extensions: set[str]) -> dict[str, list[Leg]]:
    found: dict[str, list[Leg]] = defaultdict(list)
    for leg in legs_of_them:
        if leg.ended_at is None:
            for extension in {leg.from_user, leg.to_user} & extensions:
                found[extension].append(leg)
    return found
