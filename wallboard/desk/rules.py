"""When a person wants a card: on ring, on answer or never, and for whom."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import Domain, Person
from wallboard.calls import legs, numbers
from wallboard.calls.models import Leg
from wallboard.contacts import caller_ids
from wallboard.contacts.address_book import InvalidInput
from wallboard.contacts.models import Link
from wallboard.desk.models import Rule
from wallboard.live.feeds import milliseconds

MOST_IGNORED = 100
LONGEST_HIDE = 3600
LONGEST_QUIET = 7 * 24 * 60  # minutes


@dataclass(frozen=True)
class RuleInput:
    """A person's rules as they wrote them; `ignored` in any writing, `opens` is the id of a link.

    `known` are the ignored numbers that they changed into these; None, as from pages of an older release, for those
    that are stored.
    """

    pop: str
    shows_internal: bool
    ignored: tuple[str, ...]
    hide_after_seconds: int
    opens: int | None
    known: tuple[str, ...] | None = None


def rule_of(person_id: int) -> Rule:
    """The person's rules; where they never said anything, a card for every call as soon as it rings."""
    # Unsaved: reading must not write, and the defaults of the model are the rules.
    return Rule.objects.filter(person_id=person_id).first() or Rule(person_id=person_id)


def save(person: Person, entry: RuleInput) -> Rule:
    """Keep the rules. Raises InvalidInput where one cannot be kept, and then nothing has changed.

    What was ignored, or is no longer, since the page that sends them was opened stays so.
    """
    ignored = _ignored(person.domain, entry.ignored)
    with _locked_rule(person) as rule:
        before = _audited(rule)
        rule.pop, rule.shows_internal = Rule.Pop(entry.pop), entry.shows_internal
        rule.ignored = _few(
            ignored if entry.known is None else _merged(person.domain, rule.ignored, ignored, entry.known)
        )
        rule.hide_after_seconds = max(0, min(entry.hide_after_seconds, LONGEST_HIDE))
        # The domain is asked, too: an id from the page could be another company's.
        rule.opens = Link.objects.filter(domain_id=person.domain_id, pk=entry.opens).first() if entry.opens else None
        # Field by field, as quiet hours may be set on another page at the same moment.
        rule.save(update_fields=["pop", "shows_internal", "ignored", "hide_after_seconds", "opens"])
        _audit(person, before, rule)
    return rule


@contextmanager
def _locked_rule(person: Person) -> Iterator[Rule]:
    """The person's rules, which no other page or process changes meanwhile; new ones where there were none."""
    with transaction.atomic():
        Rule.objects.get_or_create(person=person)
        yield Rule.objects.select_for_update().get(person=person)


def decide(rule: Rule, domain: Domain, leg: Leg) -> str:
    """ "pop", "waits" until the call is answered, or "quiet": no card unless it is asked for by hand."""
    is_internal = legs.direction(leg) == "internal"
    # Before everything else, as quiet is what was asked for last.
    if is_quiet(rule):
        return "quiet"
    if rule.pop == Rule.Pop.NEVER or (is_internal and not rule.shows_internal) or _is_ignored(rule, domain, leg):
        return "quiet"
    if rule.pop == Rule.Pop.RING or leg.is_answered:
        return "pop"
    # “Once I answer”: a call that ended without that never gets a card.
    return "waits" if leg.ended_at is None else "quiet"


def decide_dialled(rule: Rule, leg: Leg) -> str:
    """ "pop" for a call that the person makes: its card comes by itself. Or "quiet": they want none.

    Whom they ignore counts only for calls that come in, and so does waiting for the answer.
    """
    is_internal = legs.direction(leg) == "internal"
    is_unwanted = rule.pop == Rule.Pop.NEVER or (is_internal and not rule.shows_internal)
    return "quiet" if is_unwanted or is_quiet(rule) else "pop"


def set_quiet(person: Person, is_on: bool, minutes: int | None = None) -> Rule:
    """No card comes by itself for so many minutes, or until the person says otherwise; or cards come again."""
    with _locked_rule(person) as rule:
        rule.is_quiet = is_on
        rule.quiet_until = timezone.now() + timedelta(minutes=minutes) if is_on and minutes else None
        rule.save(update_fields=["is_quiet", "quiet_until"])
    return rule


def is_quiet(rule: Rule) -> bool:
    """Whether the person wants no card right now."""
    return rule.is_quiet and (rule.quiet_until is None or rule.quiet_until > timezone.now())


def quiet_status(rule: Rule) -> dict[str, Any]:
    """Whether it is quiet and until when (milliseconds since 1970 UTC, None until the person says otherwise)."""
    is_on = is_quiet(rule)
    return {"is_quiet": is_on, "until": milliseconds(rule.quiet_until) if is_on else None}


def ignore(person: Person, leg: Leg, is_ignored: bool) -> Rule:
    """No card for this leg's caller from now on, or cards again.

    Raises InvalidInput where the caller has no address, or where the list is full; then nothing has changed.
    """
    of_caller = _caller_ids_of(person.domain, leg)
    if not of_caller:
        raise InvalidInput(_("This caller withholds the number."))
    with _locked_rule(person) as rule:
        before = _audited(rule)
        others = [each for each in rule.ignored if each not in of_caller]
        rule.ignored = [*others, of_caller[0]] if is_ignored else others
        _few(rule.ignored)
        rule.save(update_fields=["ignored"])
        _audit(person, before, rule)
    return rule


def ignored_text(rule: Rule, domain: Domain) -> str:
    """The ignored numbers as people read them, one to a line."""
    return "\n".join(caller_ids.shown(each, domain.country) for each in rule.ignored)


def _audited(rule: Rule) -> dict[str, Any]:
    """What the audit log keeps of the rules; of ignored numbers as much as a TV would show."""
    ignored = " ".join(numbers.masked(each) for each in rule.ignored)
    settings = {name: getattr(rule, name) for name in ("pop", "shows_internal", "hide_after_seconds")}
    return {**settings, "opens": rule.opens.name if rule.opens else "", "ignored": ignored}


def _audit(person: Person, before: dict[str, Any], rule: Rule) -> None:
    audit.log_changes(
        person.domain_id, "desk rules changed", audit.person_label(person), audit.differences(before, _audited(rule))
    )


def _caller_ids_of(domain: Domain, leg: Leg) -> list[str]:
    """The addresses by which the caller may stand on the list, the most telling first."""
    # A caller may be known by number, extension or SIP address, whichever the provider sends today.
    known = (leg.caller_e164, leg.from_user, caller_ids.normalize(leg.from_number, domain.country))
    return [each for each in dict.fromkeys(known) if each]


def _is_ignored(rule: Rule, domain: Domain, leg: Leg) -> bool:
    if not rule.ignored:
        return False
    return not set(rule.ignored).isdisjoint(_caller_ids_of(domain, leg))


def _ignored(domain: Domain, texts: tuple[str, ...]) -> list[str]:
    found: dict[str, None] = {}
    for text in filter(str.strip, texts):
        address = caller_ids.normalize(text, domain.country)
        if not address:
            raise InvalidInput(
                _("“%(text)s” is no phone number, extension or SIP address.") % {"text": text.strip()[:60]}
            )
        found[address] = None
    return list(found)


def _merged(domain: Domain, stored: list[str], wanted: list[str], known: tuple[str, ...]) -> list[str]:
    """What is stored, changed as `known` was changed into what is wanted."""
    before = {caller_ids.normalize(text, domain.country) for text in known}
    kept = [each for each in wanted if each in stored or each not in before]
    return kept + [each for each in stored if each not in before and each not in kept]


def _few(ignored: list[str]) -> list[str]:
    if len(ignored) > MOST_IGNORED:
        raise InvalidInput(_("At most %(most)d numbers can be ignored.") % {"most": MOST_IGNORED})
    return ignored
