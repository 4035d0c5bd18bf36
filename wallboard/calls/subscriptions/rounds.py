"""Looks at the subscriptions of all companies in a few queries, and works on those where something is to be done."""

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Prefetch, Q
from django.utils import timezone

from accounts.models import Domain
from accounts.spreading import companies
from accounts.spreading.runner import Job, Outcome, Runner
from wallboard.calls import documents, publisher
from wallboard.calls.gaps import observation
from wallboard.calls.models import EventGap, Subscription
from wallboard.calls.subscriptions import health, maintenance, missed_events, missed_events_watch
from wallboard.calls.webhooks import hook_secrets
from wallboard.live.feeds import Documents
from wallboard.queues.models import PollState

log = logging.getLogger(__name__)
CHECK_PLACES, WATCH_PLACES = 8, 4
CHECK_SECONDS = min(settings.CHECK_SECONDS, 10)  # beat asks as often as this
checks = Runner("checking the subscriptions", CHECK_PLACES)
watches = Runner("watching for missed events", WATCH_PLACES)
# What this process said last of each company: beside Redis, which may lose it, and is mended from the database then.
_published: dict[int, Documents] = {}


def check_all() -> None:
    """Have every company checked whose subscriptions need the provider, and say where their health has changed."""
    surveyed = list(_surveyed())
    due = []
    for domain in surveyed:
        try:
            if maintenance.needs_check(domain):
                due.append(domain)
        except Exception:  # whatever it is, the next company must be looked after
            log.exception("The subscriptions of domain %d could not be looked at.", domain.pk)
    _publish_changed(surveyed)
    if due:  # an address that is retired for long enough goes out of the copy, too
        hook_secrets.save_copy(hook_secrets.from_database())
    _plan(checks, due, _check, CHECK_SECONDS)


def watch_all() -> None:
    """Have every company looked at whose call events may be missing, or of which a gap may be over."""
    gaps = set(EventGap.objects.filter(until=None).values_list("domain_id", flat=True))
    due = [each for each in _surveyed() if each.is_active and (each.pk in gaps or _may_miss(each))]
    _plan(watches, due, _look, max(settings.POLL_SECONDS, 2))


def _surveyed() -> Iterable[Domain]:
    """All companies with how polling goes and their subscriptions, but those that are gone at the provider, too."""
    in_use = Subscription.objects.exclude(Q(state=Subscription.State.RETIRED) & Q(provider_id=""))
    rows = Prefetch("subscriptions", in_use.order_by("pk"))
    domains = Domain.objects.select_related("poll_state").prefetch_related(rows)
    columns = ("slug", "client_id", "is_active", "host", "base_url", "poll_seconds")
    polls = (f"poll_state__{name}" for name in ("failing_since", "failure", "read_at", "moved_at"))
    return domains.only(*columns, *polls).order_by("pk")


def _may_miss(domain: Domain) -> bool:
    rows = [row for row in domain.subscriptions.all() if row.kind == Subscription.Kind.CALLS]
    return missed_events.may_be_silent(domain, rows, timezone.now()) or observation.sees_cause(domain, rows)


def _plan(runner: Runner, due: list[Domain], work: Callable[[Domain], Outcome], interval: float) -> None:
    """A few at once, many spread over the time until beat comes round again."""
    for domain in due:
        runner.plan(_job(domain, work), companies.delay(runner, domain.pk, len(due), interval))


def _job(domain: Domain, work: Callable[[Domain], Outcome]) -> Job:
    return Job(domain.pk, partial(_work, domain.pk, work), urlsplit(domain.base_url).netloc, _is_failing(domain))


def _is_failing(domain: Domain) -> bool:
    state: PollState | None = getattr(domain, "poll_state", None)
    return state is not None and state.failing_since is not None


def _work(domain_id: int, work: Callable[[Domain], Outcome]) -> Outcome:
    try:
        return work(Domain.objects.get(pk=domain_id))
    except Exception:  # whatever it is, the next company must be looked after
        log.exception("The call events of domain %d could not be looked after.", domain_id)
        return Outcome(is_failure=True)


def _check(domain: Domain) -> Outcome:
    """What failed is tried again by this worker where that is due before beat comes round: calls may pass unheard."""
    again_seconds = maintenance.check(domain)
    return Outcome(again_seconds=again_seconds if _is_before_beat(again_seconds) else None)


def _look(domain: Domain) -> Outcome:
    again_seconds = missed_events_watch.look(domain)
    if again_seconds is not None and _is_before_beat(again_seconds):
        checks.plan(_job(domain, _check), again_seconds)
    return Outcome()


def _is_before_beat(seconds: float | None) -> bool:
    return seconds is not None and 0 < seconds <= CHECK_SECONDS


def _publish_changed(surveyed: Iterable[Domain]) -> None:
    known = _healths(surveyed)
    changed = {domain.pk: said for domain, said in known if _published.get(domain.pk) != said}
    if publisher.publish_healths(changed):
        _published.update(changed)


def _healths(surveyed: Iterable[Domain]) -> Iterator[tuple[Domain, Documents]]:
    for domain in surveyed:
        rows = [row for row in domain.subscriptions.all() if row.kind == Subscription.Kind.CALLS]
        yield domain, documents.events_document(health.judged(rows, getattr(domain, "poll_state", None)))
