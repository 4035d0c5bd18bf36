"""For operators: is the process there, is the installation all right, and how does it do in figures."""

from collections.abc import Iterator
from datetime import datetime
from ipaddress import ip_address

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.languages.catalogues import SOURCE
from accounts.models import Domain
from accounts.signin import client_address
from wallboard import metrics as figures
from wallboard.calls.subscriptions import health as call_events
from wallboard.calls.subscriptions import missed_events
from wallboard.calls.webhooks import spool
from wallboard.live import connections
from wallboard.operations.doctor.database import backup_trouble
from wallboard.queues import pacing
from wallboard.queues.models import PollState

SPOOL_PATIENCE_SECONDS = 60  # within so long the next web process with that folder takes a spool over


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process answers at all; looks at nothing else."""
    # Who fails here is restarted, and a restart mends neither database nor Redis.
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when boards are live; else 503 with the reasons in plain words. Strangers read no company's name.

    Operators also read `warnings` where there are any: what is wrong while boards are live.
    """
    is_ours = is_operator(request)
    problems = list(reasons(is_ours))
    told: dict[str, object] = {"ready": not problems, "problems": problems}
    if is_ours and (warned := warnings()):
        told["warnings"] = warned
    answer = JsonResponse(told, status=503 if problems else 200)
    answer.headers["Cache-Control"] = "no-store"
    answer._has_been_logged = True  # type: ignore[attr-defined]  # Django would log every 503 of every probe as an error
    return answer


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Figures in Prometheus' text format, for operators only."""
    if not is_operator(request):
        return HttpResponse("Ask from this machine, or with OPERATOR_TOKEN.\n", "text/plain", status=403)
    return HttpResponse(figures.text(), content_type=figures.CONTENT_TYPE)


def is_operator(request: HttpRequest) -> bool:
    """Whether somebody asks from this machine itself, past any proxy, or knows OPERATOR_TOKEN."""
    token, given = settings.OPERATOR_TOKEN, request.headers.get("Authorization", "")
    if token and constant_time_compare(given, f"Bearer {token}"):
        return True
    # Behind a proxy on this machine that is not counted, every visitor looks local.
    if "X-Forwarded-For" in request.headers and not settings.TRUSTED_PROXIES:
        return False
    try:
        return ip_address(client_address.of_request(request)).is_loopback
    except ValueError:
        return False


def reasons(is_named: bool = True) -> Iterator[str]:
    """What keeps boards from being live, one sentence each; companies by slug, or by number for strangers."""
    if not redis_answers():
        yield "Redis (REDIS_URL) does not answer."
    if (seconds := spool.waiting_seconds()) > SPOOL_PATIENCE_SECONDS:
        yield f"Deliveries wait in SPOOL_DIR for {seconds:.0f} s and nobody applies them."
    try:
        yield from database_reasons(is_named)
    except DatabaseError as error:
        # The next probe must not find the broken one again.
        connection.close()
        yield f"The database (DATABASE_URL) does not answer or is not set up: {type(error).__name__}."


def warnings() -> list[str]:
    """That backups stopped, where BACKUP_DIR is set; nothing where the database would have to be asked and is away."""
    try:
        with translation.override(SOURCE):
            return [f"{each.title}: {each.text}" for each in backup_trouble()]
    except DatabaseError:
        connection.close()
        return []


def redis_answers() -> bool:
    """Whether Redis is there."""
    try:
        return bool(connections.client().ping())
    except redis.RedisError:
        return False


def database_reasons(is_named: bool) -> Iterator[str]:
    """What the database tells of every company; raises DatabaseError where it cannot be asked."""
    domains = list(Domain.objects.filter(is_active=True).order_by("slug"))
    if not domains:
        yield "No company is set up: run `manage.py setup` and open the address that it prints."
    for domain in domains:
        name = domain.slug if is_named else f"company {domain.pk}"
        for reason in domain_reasons(domain):
            yield f"{name}: {reason}"


def domain_reasons(domain: Domain) -> Iterator[str]:
    """What keeps one company's boards from being live."""
    if not domain.client_id:
        yield "nobody has connected it to its provider: go on at /setup/start/."
        return
    yield from poll_reasons(domain, timezone.now())
    state = call_events.of(domain.pk).state
    if (quiet := missed_events.of(domain)) is not None:
        minutes = (timezone.now() - quiet.since).total_seconds() / 60
        yield f"{quiet.callers} callers reached the queues in the last {minutes:.0f} minutes and no call event came."
    elif state != "live":
        yield f"call events are {state}."


def poll_reasons(domain: Domain, now: datetime) -> Iterator[str]:
    """Whether the queue figures are fresh: not older than two polls and some slack."""
    state = PollState.objects.filter(domain=domain).only("read_at", "failure").first()
    if state is None or state.read_at is None:
        yield f"the queues were never read{why(state)}."
        return
    age = now - state.read_at
    if age > pacing.live_for(domain):
        yield f"the queues were last read {age.total_seconds():.0f} s ago{why(state)}."


def why(state: PollState | None) -> str:
    """The kind of the last failure, in brackets; without one, worker or beat may not be running."""
    if state is None or not state.failure:
        return " (do worker and beat run?)"
    return f" ({state.failure.replace('_', ' ')})"
