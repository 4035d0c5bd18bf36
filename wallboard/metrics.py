"""What Prometheus reads: this process's counters, and the state of every company from the database.

Labels are a company's slug, a kind, a state or a status; never a number, a name or a secret.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import redis
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    CollectorRegistry,
    Counter,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from accounts.models import Domain
from wallboard.calls.models import Delivery, Subscription
from wallboard.calls.subscriptions import health as call_events
from wallboard.calls.subscriptions import missed_events
from wallboard.calls.webhooks import receive, spool
from wallboard.calls.webhooks.committer import ACCEPTED, UNAVAILABLE, committer
from wallboard.live import feeds, loops, publish
from wallboard.middleware import BothWays
from wallboard.operations import backups
from wallboard.queues import pacing
from wallboard.queues.models import PollState
from wallboard.sockets import hub_runtime

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
disable_created_metrics()  # type: ignore[no-untyped-call]
registry = CollectorRegistry()
ProcessCollector(registry=registry)
deliveries = Counter(
    "wallboard_deliveries", "POSTs to /hooks/ by the status we answered", ["status"], registry=registry
)
ANSWERS = (
    ACCEPTED,
    UNAVAILABLE,
    receive.NOT_FOUND,
    receive.WRONG_METHOD,
    receive.TOO_LARGE,
    receive.TOO_SLOW,
    receive.TOO_MANY,
)
for answer in ANSWERS:
    # From the beginning: of a count that appears with its first refusal, Prometheus would not see that it rose.
    deliveries.labels(str(answer))


def count_delivery(status: int) -> None:
    """Count an answer that was given before any middleware."""
    deliveries.labels(str(status)).inc()


class CountDeliveries(BothWays):
    """Middleware: counts what was answered to the provider's deliveries."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self.is_async:
            return self._later(request)  # type: ignore[return-value]
        return counted(request, self.get_response(request))

    async def _later(self, request: HttpRequest) -> HttpResponse:
        return counted(request, await self.get_response(request))  # type: ignore[misc]


def counted(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Count the answer where it is one to a delivery, and hand it on."""
    if request.path.startswith("/hooks/"):
        deliveries.labels(str(response.status_code)).inc()
    return response


class State(Collector):
    """Read at each scrape: what this process serves, and how every company stands."""

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("wallboard_sockets", "Browsers connected to this process", hub_runtime.socket_count())
        yield GaugeMetricFamily(
            "wallboard_spool_set_aside", "Spool files that could not be applied", spool.set_aside_count()
        )
        yield CounterMetricFamily("wallboard_batches", "Transactions that kept deliveries", committer.batches)
        failures = publish.breaker.failures
        yield CounterMetricFamily("wallboard_publish_failures", "News that Redis did not take", failures)
        yield from backup_age()
        yield loop_faults()
        try:
            yield from self._companies()
            is_up = 1
        except DatabaseError:
            is_up = 0
        yield GaugeMetricFamily("wallboard_database_up", "Whether the database answers", is_up)

    def _companies(self) -> Iterator[Metric]:
        age = GaugeMetricFamily("wallboard_poll_age_seconds", "Since the queues were last read", labels=["domain"])
        limit = GaugeMetricFamily(
            "wallboard_poll_live_seconds", "How old a reading may be and is live", labels=["domain"]
        )
        live = GaugeMetricFamily("wallboard_call_events_live", "Whether call events can be trusted", labels=["domain"])
        unheard = GaugeMetricFamily(
            "wallboard_callers_unheard", "Callers in the queues of whom no call event told", labels=["domain"]
        )
        behind = GaugeMetricFamily("wallboard_feed_behind", "Readings that the feed lacks", labels=["domain"])
        # Nobody is to be woken for a company whose administrator has not connected it yet.
        connected = Domain.objects.filter(is_active=True).exclude(client_id="")
        for domain in connected.select_related("poll_state").order_by("slug"):
            poll: PollState | None = getattr(domain, "poll_state", None)
            if poll is not None and poll.read_at is not None:
                age.add_metric([domain.slug], (timezone.now() - poll.read_at).total_seconds())
                behind.add_metric([domain.slug], readings_behind(domain, poll))
            limit.add_metric([domain.slug], pacing.live_for(domain).total_seconds())
            live.add_metric([domain.slug], call_events.of(domain.pk).state == "live")
            quiet = missed_events.of(domain)
            unheard.add_metric([domain.slug], quiet.callers if quiet else 0)
        yield from (age, limit, live, unheard, behind, subscriptions(), waiting_deliveries())


def readings_behind(domain: Domain, poll: PollState) -> float:
    """By how many readings the feed of the queues is older than the database; NaN where Redis does not answer."""
    try:
        return max(0, poll.version - feeds.queues(domain.pk).versions().versions.get("poll", 0))
    except redis.RedisError:
        # Not 0, which would be a feed that is up to date.
        return float("nan")


def backup_age() -> Iterator[Metric]:
    """How old the latest backup is; nothing where there is none to be read, as where BACKUP_DIR is on another disk."""
    if not settings.BACKUP_DIR:
        return
    with suppress(backups.Unusable):
        if newest := backups.newest(Path(settings.BACKUP_DIR)):
            age = timezone.now() - backups.described(newest).made_at
            yield GaugeMetricFamily("wallboard_backup_age_seconds", "Since the latest backup", age.total_seconds())


def loop_faults() -> Metric:
    """How often what runs all the time failed by a fault that nobody thought of, and went on."""
    found = CounterMetricFamily("wallboard_loop_faults", "Faults of endless loops of this process", labels=["loop"])
    for name, count in loops.faults().items():
        found.add_metric([name], count)
    return found


def subscriptions() -> Metric:
    """How many subscriptions stand in which state."""
    metric = GaugeMetricFamily("wallboard_subscriptions", "By state", labels=["domain", "kind", "state"])
    # Without an order, by which Django would group as well.
    rows = Subscription.objects.exclude(state=Subscription.State.RETIRED).order_by()
    for row in rows.values("domain__slug", "kind", "state").annotate(count=Count("pk")):
        metric.add_metric([row["domain__slug"], row["kind"], row["state"]], row["count"])
    return metric


def waiting_deliveries() -> Metric:
    """Deliveries that are kept and not applied yet."""
    count = Delivery.objects.filter(applied_at__isnull=True, problem="").count()
    return GaugeMetricFamily("wallboard_deliveries_waiting", "Deliveries kept and not applied yet", count)


def text() -> bytes:
    """All figures in Prometheus' text format."""
    return generate_latest(registry)


registry.register(State())
