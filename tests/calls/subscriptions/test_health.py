"""Whether call events can be trusted, beside what polling says of the provider."""

from typing import Any

from django.utils import timezone

from accounts.models import Domain
from tests.calls.conftest import arrival, of_kind, say_ready
from tests.calls.events import event
from tests.calls.fake_provider import FakeProvider
from wallboard.calls.subscriptions import health, maintenance
from wallboard.calls.webhooks import intake
from wallboard.queues.models import PollState


def test_what_arrives_is_believed_whatever_the_statistics_answer(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    say_ready()
    poll = PollState.objects.create(domain=domain, failing_since=timezone.now(), failure="in_trouble")
    assert health.of(domain.pk).state == "live"  # it answers, so it may well deliver

    PollState.objects.filter(pk=poll.pk).update(failure="unreachable")
    assert health.of(domain.pk).state == "down"
    clock.shift(30)
    intake.commit([arrival(of_kind("calls"), event("ringing"))])

    assert health.of(domain.pk).state == "live"
    clock.shift(400)
    assert health.of(domain.pk).state == "down"
