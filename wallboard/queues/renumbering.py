"""Queues that seem to have got another number at the provider: one is no longer named, and a new one came just then.

The provider knows queues by number only, so this is likely and never certain. What was kept stays under its number.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import company_day
from accounts.languages.lists import listed
from accounts.models import Domain
from wallboard.queues import figures
from wallboard.queues.models import PollState, Queue

TOGETHER = timedelta(minutes=15)  # a switch that is set up anew may be away between the two


@dataclass(frozen=True)
class Renumbering:
    """Queues that went missing and new ones that came at about that time; `since` until `until` is when."""

    gone: frozenset[str]
    new: frozenset[str]
    since: datetime
    until: datetime

    def splits(self, numbers: Collection[str] | None, begin: datetime, end: datetime) -> bool:
        """Whether a count over these queues (None: all) in that time would hold a part of the calls only."""
        both = self.gone | self.new
        is_part = numbers is not None and bool(both & set(numbers)) and not both <= set(numbers)
        return is_part and self.since < end and self.until > begin


def missing_since(domain_id: int) -> dict[str, datetime]:
    """The queues that the provider no longer names, by number, with since when."""
    state = PollState.objects.filter(domain_id=domain_id).only("figures").first()
    held = figures.held(state.figures) if state else {}
    return {
        number: datetime.fromtimestamp(document.missing_since / 1000, UTC)
        for number, (_version, document) in held.items()
        if document.missing_since is not None
    }


def found(domain_id: int) -> list[Renumbering]:
    """All that are known, oldest first; what went and came within a quarter of an hour belongs together."""
    gone = missing_since(domain_id)
    if not gone:
        return []
    first_seen = dict(Queue.objects.filter(domain_id=domain_id).values_list("number", "first_seen_at"))
    # A queue that came and went again soon is no new number of itself.
    lasting = {number: at for number, at in first_seen.items() if number not in gone}
    pairs = [
        Renumbering(frozenset({old}), frozenset({new}), min(left, came), max(left, came))
        for old, left in gone.items()
        for new, came in lasting.items()
        if abs(came - left) <= TOGETHER and first_seen.get(old, left) < left - TOGETHER
    ]
    joined: list[Renumbering] = []
    for pair in sorted(pairs, key=lambda each: each.since):
        if joined and pair.since <= joined[-1].until + TOGETHER:
            joined[-1] = _together(joined[-1], pair)
        else:
            joined.append(pair)
    return joined


def _together(one: Renumbering, other: Renumbering) -> Renumbering:
    since, until = min(one.since, other.since), max(one.until, other.until)
    return Renumbering(one.gone | other.gone, one.new | other.new, since, until)


def split_in(domain_id: int, begin: datetime, end: datetime) -> frozenset[str]:
    """The numbers of which only a part of the calls of that time can be counted, each by itself."""
    spoiled = (each for each in found(domain_id) if each.since < end and each.until > begin)
    return frozenset[str]().union(*(each.gone | each.new for each in spoiled))


def is_split(domain_id: int, numbers: Collection[str] | None, begin: datetime, end: datetime) -> bool:
    """Whether a count over these queues together would hold a part of the calls of that time only."""
    return any(each.splits(numbers, begin, end) for each in found(domain_id))


def sentences(domain: Domain) -> list[str]:
    """What an administrator should know of them, as long as a queue that is gone is still shown."""
    shown = {queue.number: queue for queue in Queue.objects.filter(domain=domain, is_hidden=False)}
    return [_sentence(domain, each, shown) for each in found(domain.pk) if each.gone & shown.keys()]


def _sentence(domain: Domain, each: Renumbering, shown: dict[str, Queue]) -> str:
    zone = company_day.zone_of(domain)
    moment = each.since.astimezone(zone)
    text = ngettext(
        "The provider no longer names queue %(gone)s since %(day)s, %(time)s, and queue %(new)s is new since then: it "
        "was probably renumbered. Service level and forecasts of both are locked for that day, and what was kept stays "
        "under the old number. Give the new number its name, targets and hours, then take the old one off the boards.",
        "The provider no longer names queues %(gone)s since %(day)s, %(time)s, and %(new)s are new since then: they "
        "were probably renumbered. Service level and forecasts of all are locked for that day, and what was kept stays "
        "under the old numbers. Give the new ones names, targets and hours, then take the old ones off the boards.",
        len(each.gone),
    )
    return text % {
        "gone": listed(_named(number, shown) for number in sorted(each.gone)),
        "new": listed(_named(number, shown) for number in sorted(each.new)),
        "day": f"{moment:%Y-%m-%d}",
        "time": company_day.clock_text(domain.clock, moment),
    }


def _named(number: str, shown: dict[str, Queue]) -> str:
    name = shown[number].name if number in shown else ""
    return _("%(number)s (%(name)s)") % {"number": number, "name": name} if name else number
