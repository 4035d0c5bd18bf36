"""When a person wants a card: on ring, on answer or never, and for whom."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import Domain, Person
from wallboard.calls import legs, numbers
from wallboard.calls.models import Leg
from wallboard.desk import addresses
from wallboard.desk.contacts import Unsaid
from wallboard.desk.models import Link, Rule
from wallboard.live.feeds import milliseconds

MOST_IGNORED = 100
LONGEST_HIDE = 3600
LONGEST_QUIET = 7 * 24 * 60  # minutes


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
    before = _noted(rule)
    rule.pop, rule.shows_internal = Rule.Pop(wish.pop), wish.shows_internal
    rule.ignored = _ignored(person.domain, wish.ignored)
    rule.hide_after_seconds = max(0, min(wish.hide_after_seconds, LONGEST_HIDE))
    rule.opens = Link.objects.filter(domain_id=person.domain_id, pk=wish.opens).first() if wish.opens else None
    rule.save()
    _note(person, before, rule)
    return rule


def verdict(rule: Rule, domain: Domain, leg: Leg) -> str:
    """ "pop", "waits" until the call is answered, or "quiet": no card unless it is asked for by hand."""
    is_internal = legs.direction(leg) == "internal"
    if is_quiet(rule):
        return "quiet"
    if rule.pop == Rule.Pop.NEVER or (is_internal and not rule.shows_internal) or _is_ignored(rule, domain, leg):
        return "quiet"
    if rule.pop == Rule.Pop.RING or leg.is_answered:
        return "pop"
    return "waits" if leg.ended_at is None else "quiet"


def be_quiet(person: Person, is_on: bool, minutes: int | None = None) -> Rule:
    """No card comes by itself for so many minutes, or until the person says otherwise; or cards come again."""
    rule = of(person.pk)
    rule.is_quiet = is_on
    rule.quiet_until = timezone.now() + timedelta(minutes=minutes) if is_on and minutes else None
    rule.save()
    return rule


def is_quiet(rule: Rule) -> bool:
    """Whether the person wants no card right now."""
    return rule.is_quiet and (rule.quiet_until is None or rule.quiet_until > timezone.now())


def quiet_news(rule: Rule) -> dict[str, Any]:
    """Whether it is quiet and until when (milliseconds since 1970 UTC, None until the person says otherwise)."""
    is_on = is_quiet(rule)
    return {"is_quiet": is_on, "until": milliseconds(rule.quiet_until) if is_on else None}


def ignore(person: Person, leg: Leg, is_ignored: bool) -> Rule:
    """No card for this leg's caller from now on, or cards again. Raises Unsaid where the caller has no address."""
    rule, told = of(person.pk), _told(person.domain, leg)
    before = _noted(rule)
    if not told:
        raise Unsaid(_("This caller withholds the number."))
    kept = [each for each in rule.ignored if each not in told]
    rule.ignored = [*kept, told[0]] if is_ignored else kept
    if len(rule.ignored) > MOST_IGNORED:
        raise Unsaid(_("At most %(most)d numbers can be ignored.") % {"most": MOST_IGNORED})
    rule.save()
    _note(person, before, rule)
    return rule


def ignored_text(rule: Rule, domain: Domain) -> str:
    """The ignored numbers as people read them, one to a line."""
    return "\n".join(addresses.shown(each, domain.country) for each in rule.ignored)


def _noted(rule: Rule) -> dict[str, Any]:
    """What the audit log keeps of the rules; of ignored numbers as much as a TV would show."""
    ignored = " ".join(numbers.masked(each) for each in rule.ignored)
    kept = {name: getattr(rule, name) for name in ("pop", "shows_internal", "hide_after_seconds")}
    return {**kept, "opens": rule.opens.name if rule.opens else "", "ignored": ignored}


def _note(person: Person, before: dict[str, Any], rule: Rule) -> None:
    audit.note_changes(
        person.domain_id, "desk rules changed", audit.named(person), audit.differences(before, _noted(rule))
    )


def _told(domain: Domain, leg: Leg) -> list[str]:
    """The addresses by which the caller may stand on the list, the most telling first."""
    told = (leg.caller_e164, leg.from_user, addresses.normal(leg.from_number, domain.country))
    return [each for each in dict.fromkeys(told) if each]


def _is_ignored(rule: Rule, domain: Domain, leg: Leg) -> bool:
    if not rule.ignored:
        return False
    return not set(rule.ignored).isdisjoint(_told(domain, leg))


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
