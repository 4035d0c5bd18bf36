"""Who is ours and who is a stranger in a message, and their numbers as the rest of the house compares them.

Users of other companies at the same provider, who have another domain than ours, are strangers to us: their extension
may be one of ours, too, and their name would then become that of our person. The other way round an address in our own
domain is a number of ours, such as that of a queue, and where one of our people has it, theirs. And some providers
leave out the plus of strangers' numbers.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import TypeVar

import msgspec

from accounts.models import Domain, Person
from wallboard.calls import numbers
from wallboard.queues.models import Queue
from wallboard.telephony import user_names
from wallboard.telephony.messages import CallEvent, CallRecord, Endpoint

M = TypeVar("M", CallEvent, CallRecord)
IsPerson = Callable[[str], bool]


def people_of(domain: Domain) -> IsPerson:
    """Says whether somebody of the company has an extension; asks the database once for each."""
    return cache(lambda extension: Person.objects.filter(domain=domain, extension=extension).exists())


def seen_from(domain: Domain, message: M, is_person: IsPerson) -> M:
    """The message with users of another domain than ours as strangers, and addresses in ours as bare numbers, with
    their users where they are people of ours (where our domain is known); and with the plus of strangers' numbers.
    """
    source, target = message.from_, message.to
    if ours := domain.provider_domain.casefold():
        source, target = _end(ours, source, is_person), _end(ours, target, is_person)
    source = _with_plus(source, domain.country)
    # What strangers dial is ours, and so is it within the house: a queue may have a whole number, known as it is.
    if source.user and getattr(message, "on_net", None) is not True:
        called = _with_plus(target, domain.country)
        # Neither records nor every event say that a call stayed in the house. Asked only of numbers without a plus.
        target = target if called is not target and _is_queue(domain, target.id) else called
    if (source, target) == (message.from_, message.to):
        return message
    return msgspec.structs.replace(message, from_=source, to=target)


def _is_queue(domain: Domain, number: str) -> bool:
    return Queue.objects.filter(domain=domain, number=number).exists()


def _with_plus(end: Endpoint, country: str) -> Endpoint:
    if end.id == end.user or (number := numbers.with_plus(end.id, country)) == end.id:
        return end
    return msgspec.structs.replace(end, id=number)


def _end(ours: str, end: Endpoint, is_person: IsPerson) -> Endpoint:
    """A stranger has no extension here; where their number is one that only their company knows, the address tells."""
    if not end.user:
        return _with_bare_number(ours, end, is_person)
    if not end.domain or end.domain.casefold() == ours:
        # The address says no more of a user than its name does, and would fill the place of a caller's number.
        return msgspec.structs.replace(end, id=end.user) if _is_address_of(end.id, end.user, ours) else end
    # A bare 201 would look like our own extension on every card.
    number = f"{end.user}@{end.domain}" if end.id in ("", end.user) else end.id
    return msgspec.structs.replace(end, user="", id=number)


@lru_cache(maxsize=8192)
def _is_address_of(address: str, user: str, ours: str) -> bool:
    return "@" in address and user_names.read(address) == user_names.UserName(user, ours)


def _with_bare_number(ours: str, end: Endpoint, is_person: IsPerson) -> Endpoint:
    # Queues have no user: only their number tells, and it may come as a SIP address.
    named = user_names.read(end.id) if "@" in end.id else None
    if named is None or named.domain != ours:
        return end
    # Nor has a phone, maybe, before it "handled the call". Only people who are known: others may be queues or machines.
    user = named.user if is_person(named.user) else ""
    return msgspec.structs.replace(end, id=named.user, user=user)
