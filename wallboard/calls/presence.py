"""What each person's phone is doing, worked out from the live legs."""

from collections.abc import Iterable
from datetime import datetime

from accounts import linking, people
from accounts.models import Domain, Person
from wallboard.calls import bulk, legs
from wallboard.calls.models import Leg, Presence

State = Presence.State
ORDER = {State.IDLE: 0, State.UNKNOWN: 1, State.CALLING: 2, State.RINGING: 3, State.TALKING: 4}


def parties(leg: Leg, queue_numbers: set[str]) -> dict[str, str]:
    """{extension: name} of our own people on a leg: not queues, not machines."""
    named = {leg.from_user: leg.from_name}
    if leg.is_human is not False:
        named.setdefault(leg.to_user, leg.to_name)
    return {extension: name for extension, name in named.items() if extension and extension not in queue_numbers}


def on_leg(leg: Leg, extension: str) -> str:
    """What a live leg makes of one of its parties; idle where it says nothing about them."""
    state = legs.state_of(leg)
    if state == Leg.State.ENDED or (leg.to_user == extension != leg.from_user and leg.is_human is False):
        return State.IDLE
    if leg.is_unconfirmed:
        return State.UNKNOWN
    if state == Leg.State.ACTIVE:
        return State.TALKING
    if leg.from_user == extension:
        return State.RINGING if leg.from_state == Leg.State.RINGING != leg.to_state else State.CALLING
    return State.RINGING if state == Leg.State.RINGING else State.IDLE


def refresh(
    domain: Domain, named: dict[str, str], queue_numbers: set[str], now: datetime, *, heard: bool = True
) -> list[Presence]:
    """Bring the presence of these extensions up to date; gives those that changed.

    `named` maps extensions to what the provider calls them, "" where it does not; `heard` says that news of their
    calls is the reason. The caller holds the domain's lock, inside a transaction.
    """
    persons = _persons(domain, named)
    ids = [person.pk for person in persons.values()]
    known = {presence.person_id: presence for presence in bulk.read(Presence, {"person_id__in": ids})}
    live = _live_legs(domain, named)
    changed = []
    for extension in sorted(persons):
        person = persons[extension]
        presence = known.get(person.pk) or Presence()
        presence.person = person
        if _update(presence, person, live, queue_numbers, now, heard):
            changed.append(presence)
    return save(changed)


def save(changed: list[Presence]) -> list[Presence]:
    """Keep what changed, in one statement, each with a newer version."""
    for presence in changed:
        presence.version += 1
    bulk.put(changed, ("person_id",))
    return changed


def refresh_all(domain: Domain, queue_numbers: set[str], now: datetime) -> list[Presence]:
    """As refresh(), for everyone: finds new, renamed and hidden people, and numbers that turned out to be queues."""
    everyone = dict.fromkeys(domain.people.values_list("extension", flat=True), "")
    return refresh(domain, everyone, queue_numbers, now, heard=False)


def _update(
    presence: Presence, person: Person, live: list[Leg], queue_numbers: set[str], now: datetime, heard: bool
) -> bool:
    """Write what holds now into the row; True when anything of it is news."""
    before = (presence.state, presence.leg_id, presence.told_name, presence.is_shown, presence.version == 0)
    is_over = presence.said_until is not None and presence.said_until <= now
    state, leg = _state_of(person.extension, live)
    if leg is None and not heard and presence.state == State.UNKNOWN and presence.leg_id is None:
        state = State.UNKNOWN
    if state != presence.state or (leg and leg.pk != presence.leg_id):
        presence.since = legs.since(leg) if leg and state != State.UNKNOWN else now
    presence.state, presence.leg = state, leg
    presence.told_name = person.name
    presence.is_shown = not person.is_hidden and person.extension not in queue_numbers
    if is_over:
        hush(presence)
    return is_over or before != (presence.state, presence.leg_id, presence.told_name, presence.is_shown, False)


def hush(presence: Presence) -> None:
    """Nothing is said any more."""
    presence.said = presence.said_note = ""
    presence.said_since = presence.said_until = None


def _state_of(extension: str, live: list[Leg]) -> tuple[str, Leg | None]:
    """The strongest state that a live leg of theirs gives; of equals, the leg that has been in it longest."""
    told = [(on_leg(leg, extension), leg) for leg in live if extension in (leg.from_user, leg.to_user)]
    busy = [(state, leg) for state, leg in told if state != State.IDLE]
    if not busy:
        return State.IDLE, None
    return max(busy, key=lambda each: (ORDER[State(each[0])], -legs.since(each[1]).timestamp(), -each[1].pk))


def _persons(domain: Domain, named: dict[str, str]) -> dict[str, Person]:
    """Our people by extension; whoever is new, or has no name yet and is told one, goes through accounts."""
    known_ones = bulk.read(Person, {"domain_id": domain.pk, "extension__in": list(named)})
    persons = {person.extension: person for person in known_ones}
    dialled = linking.were_shown(domain.pk, named.keys() - persons.keys())
    for extension, name in named.items():
        known = persons.get(extension)
        if (known is None and extension not in dialled) or (known and name and not known.name):
            persons[extension] = people.seen(domain, extension, name)
    return persons


def _live_legs(domain: Domain, extensions: Iterable[str]) -> list[Leg]:
    extensions = list(extensions)
    live = {"domain_id": domain.pk, "ended_at": None}
    return bulk.read(Leg, live | {"from_user__in": extensions}, live | {"to_user__in": extensions})
