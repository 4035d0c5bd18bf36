"""The limits that reports are asked for with, beside those of people: what was asked with lately is added up for."""

from datetime import timedelta

from django.utils import timezone

from accounts.limits import Limit
from accounts.models import Domain
from wallboard.reports.models import AskedLimit
from wallboard.reports.rollups import packed

LATELY = timedelta(days=30)
MOST = 50  # of a company: those asked with last


def limit_key(limit: Limit) -> str:
    """The key of a limit."""
    return packed.key([None if each is None else sorted(each) for each in (limit.queues, limit.people)])


def note(domain: Domain, limit: Limit, *, is_new: bool) -> None:
    """Something asks with that limit today: `is_new` where days are not added up for it."""
    today, key = timezone.now().date(), limit_key(limit)
    known = AskedLimit.objects.filter(domain=domain, key=key).first()
    if is_new if known is None else known.asked_on != today:
        columns = {"queues": _listed(limit.queues), "people": _listed(limit.people), "asked_on": today}
        AskedLimit.objects.update_or_create(domain=domain, key=key, defaults=columns)


def lately(domain: Domain) -> frozenset[Limit]:
    """The limits that were asked with in the last days."""
    since = timezone.now().date() - LATELY
    rows = AskedLimit.objects.filter(domain=domain, asked_on__gte=since).order_by("-asked_on", "key")[:MOST]
    return frozenset(Limit(_frozen(row.queues), _frozen(row.people)) for row in rows)


def forget(domain: Domain) -> None:
    """Drop those that nothing has asked with since."""
    AskedLimit.objects.filter(domain=domain, asked_on__lt=timezone.now().date() - LATELY).delete()


def _listed(found: frozenset[str] | None) -> list[str] | None:
    return None if found is None else sorted(found)


def _frozen(found: list[str] | None) -> frozenset[str] | None:
    return None if found is None else frozenset(found)
