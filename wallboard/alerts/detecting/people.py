"""Phones that never answer while others do, and people who are away for longer than they said."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from accounts.models import Domain, Person
from wallboard.alerts.conditions import State
from wallboard.alerts.detecting.findings import NOT_JUDGED, Finding
from wallboard.alerts.detecting.opening import is_any_open
from wallboard.alerts.models import Alert
from wallboard.calls.legs import MAY_BE_HUMAN
from wallboard.calls.models import Leg, Presence
from wallboard.calls.subscriptions import health

WINDOW = timedelta(minutes=60)
FEWEST_RINGS = 4
LONG_ENOUGH = timedelta(seconds=10)  # a phone that rang for less may not have been in reach of anybody
TOGETHER = timedelta(seconds=3)  # the phones of a group stop ringing when one of them answers
TO_PERSON = Q(to_user__gt="", queue="") & MAY_BE_HUMAN  # a voicemail answers for nobody
GIVEN_UP = timedelta(hours=4)  # who has not been back for so long has gone home


def phones(domain: Domain) -> Finding:
    """Phones whose last calls all rang unanswered, while others answered theirs."""
    now = timezone.now()
    names = dict(Person.objects.filter(domain=domain, is_hidden=False).values_list("extension", "name"))
    if not is_any_open(domain, now):
        return Finding(why_ended=dict.fromkeys(names, Alert.Ended.CLOSED.value))
    if health.of(domain.pk).state != "live":
        return NOT_JUDGED
    since = now - WINDOW
    legs = Leg.objects.filter(TO_PERSON, domain=domain, first_seen_at__gte=since, to_user__in=names)
    states = []
    answered = _answers(domain, since)
    for extension, rings in _by_phone(legs).items():
        missed = _missed_in_a_row(rings, answered)
        began = missed[0].ringing_at if missed else None
        # Nobody answered at all: that is no matter of one phone.
        if len(missed) < FEWEST_RINGS or began is None or not any(each.to_user != extension for each in answered):
            continue
        if _has_called_since(domain, extension, began):
            continue
        facts: dict[str, str | int] = {"name": names[extension] or extension, "missed": len(missed)}
        states.append(State(extension, began, facts=facts, is_age=True))
    return Finding(states)


def _by_phone(legs: Iterable[Leg]) -> dict[str, list[Leg]]:
    found: dict[str, list[Leg]] = defaultdict(list)
    for leg in legs:
        # An answer counts where the event of the ringing was lost, too.
        if leg.active_at or leg.is_answered or (leg.ringing_at and leg.ended_at):
            found[leg.to_user].append(leg)
    return {extension: sorted(rings, key=lambda leg: leg.first_seen_at) for extension, rings in found.items()}


def _answers(domain: Domain, since: datetime) -> list[Leg]:
    """The legs on which people answered calls."""
    # By when it was first seen as well, which has an index: no call rings for an hour.
    legs = Leg.objects.filter(TO_PERSON, domain=domain, first_seen_at__gte=since - WINDOW)
    answers = legs.filter(active_at__gte=since)
    return list(answers.only("active_at", "to_user", "from_call_id", "from_number"))


def _missed_in_a_row(rings: list[Leg], answered: list[Leg]) -> list[Leg]:
    """A phone's newest calls that rang long enough and were not answered, there or elsewhere; oldest first."""
    missed: list[Leg] = []
    for leg in reversed(rings):
        if leg.active_at is not None or leg.is_answered:
            break
        if leg.ended_at is None or leg.ringing_at is None or leg.ended_at - leg.ringing_at < LONG_ENOUGH:
            continue
        if not any(_is_answered_by(each, leg) for each in answered):
            missed.append(leg)
    return missed[::-1]


def _is_answered_by(answer: Leg, leg: Leg) -> bool:
    """Whether the call that rang here was taken at another phone meanwhile."""
    if not (answer.active_at and leg.ringing_at and leg.ended_at):
        return False
    # Where each leg of a call has an id of its own, the caller tells.
    is_same = answer.from_call_id == leg.from_call_id != "" or answer.from_number == leg.from_number != ""
    return is_same and leg.ringing_at <= answer.active_at <= leg.ended_at + TOGETHER


def _has_called_since(domain: Domain, extension: str, began: datetime) -> bool:
    """Whether somebody is there after all: they called somebody themselves."""
    return Leg.objects.filter(domain=domain, from_user=extension, first_seen_at__gte=began).exists()


def statuses(domain: Domain) -> Finding:
    """People whose own status ended a while ago, and of whose phone nothing has been heard since."""
    now = timezone.now()
    over = Presence.objects.filter(person__domain=domain, person__is_hidden=False, overdue_since__gt=now - GIVEN_UP)
    # A status that they set meanwhile says more.
    quiet = over.filter(status="").select_related("person")
    if not is_any_open(domain, now):
        ended = quiet.values_list("person__extension", flat=True)
        return Finding(why_ended=dict.fromkeys(ended, Alert.Ended.CLOSED.value))
    states = []
    for row in quiet:
        until = row.overdue_since or now
        facts: dict[str, str | int] = {"name": str(row.person), "minutes": int((now - until).total_seconds() // 60)}
        states.append(State(row.person.extension, until, facts=facts, is_age=True))
    return Finding(states)
