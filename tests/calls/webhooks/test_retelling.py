"""News of what was committed, though whoever did it never heard so, are told by whoever brings it again."""

from datetime import datetime
from typing import Any

import pytest

from accounts.models import Domain
from tests.calls.conftest import arrival
from tests.calls.events import event, set_up
from wallboard.calls import legs, publisher
from wallboard.calls.models import Subscription
from wallboard.calls.webhooks import intake
from wallboard.live import connections, feeds
from wallboard.live.feeds import Feed
from wallboard.sockets import snapshots
from wallboard.telephony.messages import CallEvent

pytestmark = pytest.mark.usefixtures("redis_url")


@pytest.fixture
def built(domain: Domain) -> list[Feed]:
    """The feeds that show calls, as they are before the first one."""
    shown = [feeds.people(domain.pk), feeds.calls(domain.pk), feeds.wall(domain.pk), feeds.desk(domain.pk, "101")]
    for feed in shown:
        snapshots.mend(feed)
    return shown


def newest(feed: Feed) -> Any:
    client: Any = connections.client()
    return client.xrevrange(feed.keys[2], count=1)


def test_news_of_a_commit_whose_answer_was_lost_are_told(
    domain: Domain, subscription: Subscription, built: list[Feed]
) -> None:
    first = [arrival(subscription, event("ringing")), arrival(subscription, event("active"))]
    intake.commit(first)
    other = arrival(subscription, event("ringing", call="other", user="102"))

    publisher.publish_changes(intake.commit([*first, other]))

    assert feeds.calls(domain.pk).versions().versions.keys() > {"events"}
    assert [snapshots.mend(feed) for feed in built] == [0] * len(built)


def test_the_end_of_a_call_is_told_too(domain: Domain, subscription: Subscription, built: list[Feed]) -> None:
    publisher.publish_changes(intake.commit([arrival(subscription, event("active"))]))
    last = [arrival(subscription, event("ended"))]
    intake.commit(last)

    publisher.publish_changes(intake.commit(last))

    assert [snapshots.mend(feed) for feed in built] == [0] * len(built)


def test_what_was_told_before_is_no_news(domain: Domain, subscription: Subscription, built: list[Feed]) -> None:
    first = [arrival(subscription, event("active"))]
    publisher.publish_changes(intake.commit(first))
    entries = [newest(feed) for feed in built]

    publisher.publish_changes(intake.commit(first))

    assert [newest(feed) for feed in built] == entries
    assert all(entries)


def test_what_says_nothing_of_calls_tells_nothing_of_calls(domain: Domain, subscription: Subscription) -> None:
    kept = [arrival(subscription, set_up("ready")), arrival(subscription, b"nonsense")]
    intake.commit(kept)

    told = intake.commit(kept)

    assert (told[domain.pk].legs, told[domain.pk].presences, told[domain.pk].is_health) == ({}, {}, True)


def test_what_could_not_be_applied_harms_no_other_when_it_comes_again(
    domain: Domain, subscription: Subscription, built: list[Feed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a whole file of the spool would be set aside."""
    poison, good = arrival(subscription, event("active", call="poison")), arrival(subscription, event("active"))
    facts_of_event = legs.facts_of_event

    def failing(message: CallEvent, at: datetime) -> legs.Facts:
        if message.from_.call_id == "poison":
            raise ValueError("nobody can read this")
        return facts_of_event(message, at)

    monkeypatch.setattr(legs, "facts_of_event", failing)
    intake.commit([poison, good])

    publisher.publish_changes(intake.commit([poison, good]))

    assert snapshots.mend(feeds.calls(domain.pk)) == 0
