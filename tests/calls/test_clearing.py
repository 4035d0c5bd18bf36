"""Calls that hang are listed, and a supervisor ends them on every feed at once."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from accounts import people
from accounts.limits import EVERYTHING, Limit
from accounts.models import AuditEntry, Domain
from tests.calls.conftest import START, Deliver
from tests.calls.events import event, record
from tests.calls.test_documents import feed_of
from wallboard.calls import clearing, documents, publisher, tasks
from wallboard.calls.log import search as call_log
from wallboard.calls.models import Leg
from wallboard.live import feeds
from wallboard.queues.models import Queue

SILENCE = timedelta(minutes=11)


@pytest.fixture
def hanging(domain: Domain, deliver: Deliver, redis_url: str) -> Any:
    """Bea has talked since START to a caller from queue 900; Cem's phone rings. It is eleven minutes later."""
    Queue.objects.create(domain=domain, number="900", name="Sales")
    people.get_or_create(domain, "101", "Bea Roth")
    talk = [event("active", leg="a", user="900"), event("active")]
    publisher.publish_changes(deliver(*talk, at=START))
    with time_machine.travel(START + SILENCE, tick=False):
        publisher.publish_changes(deliver(event("ringing", call="c2", leg="l2", user="102")))
        tasks.sweep()
        yield


def live(domain: Domain) -> set[str]:
    return set(documents.calls(domain.pk)) - {"events"}


def test_calls_without_news_are_listed(domain: Domain, hanging: None) -> None:
    [call] = call_log.hanging(domain.pk)

    assert (call.call, [leg.to.name for leg in call.legs]) == ("c1", ["Sales", "Bea Roth"])
    assert call_log.hanging(domain.pk, Limit(queues=frozenset({"901"}))) == ()


def test_a_cleared_call_leaves_every_feed_and_its_people_are_free(
    domain: Domain, deliver: Deliver, redis_url: str, django_capture_on_commit_callbacks: Any, hanging: None
) -> None:
    talk, other = Leg.objects.get(to_user="101"), Leg.objects.get(to_user="102")
    assert str(talk.pk) in feed_of(feeds.calls(domain.pk), redis_url)

    with django_capture_on_commit_callbacks(execute=True):
        count = clearing.clear(domain, talk.pk, EVERYTHING)

    assert count == 2
    for feed in (feeds.calls(domain.pk), feeds.wall(domain.pk)):
        assert set(feed_of(feed, redis_url)) == {str(other.pk), "events"}
    assert '"idle"' in feed_of(feeds.people(domain.pk), redis_url)["101"]
    assert call_log.hanging(domain.pk) == ()
    noted = AuditEntry.objects.filter(what="call cleared").order_by("pk").values_list("about", flat=True)
    assert list(noted) == ["••• ••78 → 900", "••• ••78 → 101"]


def test_a_call_with_news_is_not_cleared(domain: Domain, hanging: None) -> None:
    assert clearing.clear(domain, Leg.objects.get(to_user="102").pk, EVERYTHING) == 0
    assert len(live(domain)) == 3
    assert not AuditEntry.objects.filter(what="call cleared").exists()


@pytest.mark.parametrize("sight", [Limit(queues=frozenset({"901"})), Limit(people=frozenset({"102"}))])
def test_a_call_beyond_the_limit_is_not_there(domain: Domain, hanging: None, sight: Limit) -> None:
    assert clearing.clear(domain, Leg.objects.get(to_user="101").pk, sight) is None
    assert len(live(domain)) == 3


def test_another_companys_call_is_not_there(domain: Domain, hanging: None) -> None:
    other = Domain.objects.create(slug="x", name="X", base_url="http://x.test", client_id="a", client_secret="b")

    assert clearing.clear(other, Leg.objects.get(to_user="101").pk, EVERYTHING) is None


def test_late_news_does_not_bring_a_cleared_call_back(domain: Domain, deliver: Deliver, hanging: None) -> None:
    clearing.clear(domain, Leg.objects.get(to_user="101").pk, EVERYTHING)

    deliver(event("active"))

    assert live(domain) == {str(Leg.objects.get(to_user="102").pk)}


@pytest.mark.parametrize(
    ("news", "talked"),
    # As told; as the detail record says, which is also what came last; and nothing that nobody told.
    [(event("ended"), timedelta(hours=1)), (record(), timedelta(seconds=55)), (event("active"), None)],
)
def test_what_is_told_later_says_how_long_people_talked(
    domain: Domain, deliver: Deliver, hanging: None, news: bytes, talked: timedelta | None
) -> None:
    talk = Leg.objects.get(to_user="101")
    clearing.clear(domain, talk.pk, EVERYTHING)

    deliver(news, at=START + timedelta(hours=1))

    [shown] = [leg for call in call_log.search(domain.pk) for leg in call.legs if leg.id == talk.pk]
    assert shown.talk_seconds == (talked and talked.total_seconds())


def test_a_flood_of_late_news_is_hardly_written(domain: Domain, deliver: Deliver, hanging: None) -> None:
    talk = Leg.objects.get(to_user="101")
    clearing.clear(domain, talk.pk, EVERYTHING)
    written = set()

    for second in range(5):
        deliver(event("active"), at=START + timedelta(hours=1, seconds=second))
        written.add(Leg.objects.get(pk=talk.pk).version)

    assert len(written) == 1
