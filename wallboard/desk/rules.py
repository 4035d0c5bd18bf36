"""When a person wants a card: on ring, on answer or never, and for whom."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.models import Domain, Person
from wallboard.calls import legs
from wallboard.calls.models import Leg
from wallboard.desk import addresses
from wallboard.desk.contacts import Unsaid
from wallboard.desk.models import Link, Rule

MOST_IGNORED = 100
LONGEST_HIDE = 3600


@dataclass(frozen=True)
class Wish:
    """A person's rules as they wrote them; `ignored` in any writing, `opens` is the id of a link."""

    pop: str
    shows_internal: bool
    ignored: tuple[str, ...]
    hide_after_seconds: int
    opens: int | None


def of(person_id: int) -> Rule:
    """The person's rules; where they never said anything, a card for every call as soon as it rings."""
    return Rule.objects.filter(person_id=person_id).first() or Rule(person_id=person_id)


def save(person: Person, wish: Wish) -> Rule:
    """Keep the rules. Raises Unsaid where one cannot be kept, and then nothing has changed."""
    rule = of(person.pk)
    rule.pop, rule.shows_internal = Rule.Pop(wish.pop), wish.shows_internal
    rule.ignored = _ignored(person.domain, wish.ignored)
    rule.hide_after_seconds = max(0, min(wish.hide_after_seconds, LONGEST_HIDE))
    rule.opens = Link.objects.filter(domain_id=person.domain_id, pk=wish.opens).first() if wish.opens else None
    rule.save()
    return rule


def verdict(rule: Rule, domain: Domain, leg: Leg) -> str:
    """ "pop", "waits" until the call is answered, or "quiet": no card unless it is asked for by hand."""
    is_internal = legs.direction(leg) == "internal"
    if rule.pop == Rule.Pop.NEVER or (is_internal and not rule.shows_internal) or _is_ignored(rule, domain, leg):
        return "quiet"
    if rule.pop == Rule.Pop.RING or leg.is_answered:
        return "pop"
    return "waits" if leg.ended_at is None else "quiet"


def _is_ignored(rule: Rule, domain: Domain, leg: Leg) -> bool:
    if not rule.ignored:
        return False
    told = {leg.caller_e164, leg.from_user, addresses.normal(leg.from_number, domain.country)} - {""}
    return not told.isdisjoint(rule.ignored)


def _ignored(domain: Domain, texts: tuple[str, ...]) -> list[str]:
    found: dict[str, None] = {}
    for text in filter(str.strip, texts):
        address = addresses.normal(text, domain.country)
        if not address:
            raise Unsaid(_("“%(text)s” is no phone number, extension or SIP address.") % {"text": text.strip()[:60]})
        found[address] = None
    if len(found) > MOST_IGNORED:
        raise Unsaid(_("At most %(most)d numbers can be ignored.") % {"most": MOST_IGNORED})
    return list(found)
