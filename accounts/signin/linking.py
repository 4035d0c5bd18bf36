"""Whose phone is it? Somebody whom the provider does not name dials a number that only their own page shows.

What makes that safe: a number is random, waits for one person at a time, counts for five minutes and for calls that
began after it was shown; two phones that dial the same number refuse each other, the first one even after it was
believed; and an extension that belongs to a sign-in is never taken from it. Which calls there were, the room `calls`
tells by `number_dialled`; nobody ever types an extension.
"""

import logging
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts import audit, domains, people
from accounts.models import Domain, Grant, LinkNumber, Person, User
from wallboard.telephony import user_names

log = logging.getLogger(__name__)
Outcome = LinkNumber.Outcome
VALIDITY = timedelta(minutes=5)
SETTLE_TIME = timedelta(seconds=3)  # so long a first call waits for a second phone that dials the same number
MOST_PER_HOUR = 15  # a page that is left open needs twelve
RETENTION = timedelta(days=1)  # until then a number is not shown again, and no person is made of it
NUMBERS = range(1000, 10_000)
TRIES = 5


class TooMany(Exception):
    """This sign-in was shown as many numbers as anybody needs in an hour; `until` says when the next one may come."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


class NoneFree(Exception):
    """Every number of four digits is an extension, a queue or somebody's already."""


def domain_of(user: User) -> Domain | None:
    """The company that this sign-in waits to be linked in; None for one that does not wait."""
    if not user.is_active or not user.link_code or Person.objects.filter(user=user).exists():
        return None
    grant = Grant.objects.filter(user=user, refused_at=None, domain__is_active=True).select_related("domain").first()
    return grant.domain if grant else None


def open_number(user: User) -> LinkNumber | None:
    """The number that the user may dial now."""
    return LinkNumber.objects.filter(user=user, outcome=Outcome.OPEN, until__gt=timezone.now()).first()


def issue_number(user: User, domain: Domain, taken: Iterable[str]) -> LinkNumber:
    """A new number for this user in the place of any before; none of `taken`, the company's queues and the like.

    Raises TooMany or NoneFree.
    """
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                return _issue(user, domain, set(taken))
        except IntegrityError:  # somebody else was given the same number at the same moment
            continue
    raise NoneFree


def number_dialled(domain_id: int, number: str, extension: str, began_at: datetime) -> None:
    """This extension dialled these digits at that moment. Safe to repeat, and for digits that nobody waits for."""
    counts = Q(shown_at__lt=began_at, until__gt=began_at) & ~Q(outcome=Outcome.OVER)
    row = LinkNumber.objects.filter(counts, domain_id=domain_id, number=number).select_related("user", "domain").first()
    if row is None or row.extension == extension:
        return
    # The first phone gets the row by one statement; whoever comes later finds its extension taken.
    open_row = LinkNumber.objects.filter(pk=row.pk, outcome=Outcome.OPEN)
    if open_row.filter(extension="").update(extension=extension, heard_at=timezone.now()):
        return
    row.refresh_from_db()
    if row.extension != extension and row.outcome in (Outcome.OPEN, Outcome.LINKED):
        _refuse_both(row, extension)


def settle(user: User) -> Person | None:
    """Link the user to the phone that dialled their number, once it is clear that no other did; gives the person."""
    settled = Q(outcome=Outcome.OPEN, heard_at__lte=timezone.now() - SETTLE_TIME) & ~Q(extension="")
    row = LinkNumber.objects.filter(settled, user=user).select_related("domain").first()
    if row is None:
        return None
    with transaction.atomic():
        # A second phone may be refusing both at this moment: one of the two statements finds nothing.
        same = LinkNumber.objects.filter(pk=row.pk, outcome=Outcome.OPEN, extension=row.extension)
        return _link(row, user) if same.update(outcome=Outcome.LINKED) else None


def recent_refusal(user: User) -> LinkNumber | None:
    """The user's last number where a call to it was refused, as long as that is worth telling."""
    row = LinkNumber.objects.filter(user=user).exclude(outcome__in=(Outcome.OPEN, Outcome.OVER)).last()
    is_told = row is not None and row.outcome != Outcome.LINKED and row.until > timezone.now() - VALIDITY
    return row if is_told else None


def shown_numbers(domain_id: int, numbers: Iterable[str]) -> set[str]:
    """Those of these digits that are no extensions: somebody was only asked to dial them."""
    if not (wanted := list(numbers)):
        return set()
    rows = LinkNumber.objects.filter(domain_id=domain_id, number__in=wanted)
    return set(rows.values_list("number", flat=True))


def forget_old() -> None:
    """Drop numbers of yesterday."""
    LinkNumber.objects.filter(shown_at__lt=timezone.now() - RETENTION).delete()


def _issue(user: User, domain: Domain, taken: set[str]) -> LinkNumber:
    now = timezone.now()
    # Two tabs may ask at once; the second has to count what the first was shown.
    User.objects.select_for_update().get(pk=user.pk)
    shown = LinkNumber.objects.filter(user=user, shown_at__gt=now - timedelta(hours=1)).order_by("shown_at")
    moments = list(shown.values_list("shown_at", flat=True))
    if len(moments) >= MOST_PER_HOUR:
        raise TooMany(moments[-MOST_PER_HOUR] + timedelta(hours=1))
    LinkNumber.objects.filter(user=user, outcome=Outcome.OPEN).update(outcome=Outcome.OVER)
    LinkNumber.objects.filter(domain=domain, outcome=Outcome.OPEN, until__lte=now).update(outcome=Outcome.OVER)
    number = _free(domain, user, taken)
    User.objects.filter(pk=user.pk).update(link_code=number)
    user.link_code = number
    return LinkNumber.objects.create(domain=domain, user=user, number=number, shown_at=now, until=now + VALIDITY)


def _free(domain: Domain, user: User, taken: set[str]) -> str:
    """A random number that means nothing else in this company, today."""
    taken = taken | set(Person.objects.filter(domain=domain).values_list("extension", flat=True))
    taken |= set(LinkNumber.objects.filter(domain=domain).values_list("number", flat=True))
    taken |= set(User.objects.exclude(link_code="").exclude(pk=user.pk).values_list("link_code", flat=True))
    free = [text for text in map(str, NUMBERS) if text not in taken]
    if not free:
        raise NoneFree
    return secrets.choice(free)


def _link(row: LinkNumber, user: User) -> Person | None:
    """Inside the transaction that closed the number."""
    person = people.get_or_create(row.domain, row.extension)
    person = Person.objects.select_for_update().get(pk=person.pk)
    if person.user_id is not None and person.user_id != user.pk:
        LinkNumber.objects.filter(pk=row.pk).update(outcome=Outcome.TAKEN)
        _log_refusal(row, f"{row.extension} belongs to another sign-in")
        return None
    if contradicted := _contradicted(row, user):
        LinkNumber.objects.filter(pk=row.pk).update(outcome=Outcome.DIFFERS)
        _log_refusal(row, f"{row.extension} dialled it, and the provider names {contradicted}")
        return None
    if _needs_confirmation(person):
        LinkNumber.objects.filter(pk=row.pk).update(outcome=Outcome.CONFIRM)
        _log_refusal(row, f"{row.extension} may do more than an agent, so an administrator has to confirm it")
        return None
    if Person.objects.filter(user=user).exists():  # an administrator was quicker
        return None
    people.link(person, user)
    for grant in Grant.objects.filter(user=user).select_related("domain"):
        domains.learn_from_link(grant, person.extension)
    audit.log(row.domain_id, "linked by a call", audit.person_label(person), {"number": [None, row.number]})
    return person


def _needs_confirmation(person: Person) -> bool:
    """Whether more than an agent's rights would be had by a call, and there is somebody to ask.

    Anybody can be asked on the phone to dial a number. What that may win at most are the rights of an agent.
    """
    administrators = Person.objects.filter(domain_id=person.domain_id, role=Person.Role.ADMINISTRATOR)
    return person.role != Person.Role.AGENT and administrators.exclude(user=None).exists()


def _contradicted(row: LinkNumber, user: User) -> str:
    """Whom the provider named at the sign-in where none of that is the phone that dialled; "" where nothing differs."""
    grant = Grant.objects.filter(user=user).first()
    texts = [text for text in (grant.named_by_token, grant.named_by_probe) if text] if grant else []
    names = [user_names.read(part) for text in texts for part in text.split(", ")]
    ours = row.domain.provider_domain
    agrees = any(name.user == row.extension and (not ours or name.is_of(ours)) for name in names)
    return "" if agrees or not names else ", ".join(texts)


def _refuse_both(row: LinkNumber, extension: str) -> None:
    """Two phones dialled the number: neither counts, and who was linked by it already is nobody again."""
    with transaction.atomic():
        if not LinkNumber.objects.filter(pk=row.pk, outcome=row.outcome).update(outcome=Outcome.TWO_PHONES):
            return
        linked = Person.objects.filter(domain_id=row.domain_id, extension=row.extension, user_id=row.user_id).first()
        if row.outcome == Outcome.LINKED and linked is not None:
            people.unlink(linked)
        _log_refusal(row, f"{row.extension} and {extension} both dialled it")
    log.warning("Two phones dialled the number of one sign-in; both were refused.")


def _log_refusal(row: LinkNumber, why: str) -> None:
    audit.log(row.domain_id, "link by a call refused", row.number, {"why": [None, why]})
