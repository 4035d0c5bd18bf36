"""Call events that stop while the polled figures go on: said within two polls, and the subscription is made anew."""

import logging

from django.utils import timezone

from accounts.models import Domain
from wallboard.calls import publisher
from wallboard.calls.gaps import observation, recording
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import maintenance, missed_events

log = logging.getLogger(__name__)


def look(domain: Domain) -> float | None:
    """Find events that stopped, and begin or end the gap that this is; gives what watch() gives."""
    again_seconds = watch(domain)
    observation.observe(domain)
    return again_seconds


def watch(domain: Domain) -> float | None:
    """Call events count as down from here on until the next one, where they stopped and the figures did not.

    Gives the seconds until the provider is to be asked again where it refused to make the subscription anew.
    """
    ready = Subscription.objects.filter(
        domain=domain, kind=Subscription.Kind.CALLS, state=Subscription.State.READY, silent_at=None
    )
    if not ready.exists() or (silence := missed_events.of(domain)) is None:
        return None
    # As an update with its condition: an event that came meanwhile is not overwritten.
    ready.update(silent_at=timezone.now(), must_check=True)
    log.warning("Domain %d: %d callers moved and no call event told of them.", domain.pk, silence.callers)
    recording.begin(domain.pk, silence.began_at, recording.Reason.SILENT)
    # Boards first: making it anew may take as long as the provider likes.
    publisher.publish_health(domain.pk)
    return maintenance.check(domain)
