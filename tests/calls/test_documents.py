"""What the feeds hold about calls and people."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
import redis
import time_machine

from accounts import people
from accounts.models import Domain
from tests.calls.conftest import Deliver
from tests.calls.events import event
from wallboard.calls import documents as news
from wallboard.calls import publisher, tasks
from wallboard.calls.models import Leg
from wallboard.calls.presence import documents as presence
from wallboard.live import feeds, publish
from wallboard.queues.models import Queue

START = datetime(2026, 11, 20, 12, tzinfo=UTC)


def only(documents: news.Documents) -> Any:
    """The value of the one document besides the health of the events."""
    [value] = [value for key, (_version, value) in documents.items() if key != "events"]
    return msgspec.to_builtins(value)


def milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def test_supervisors_see_numbers_and_names(domain: Domain, deliver: Deliver) -> None:
    people.get_or_create(domain, "101", "Bea Roth")
    deliver(event("ringing"), at=START)
    leg = Leg.objects.get()

    assert only(news.calls(domain.pk)) == {
        "id": leg.pk,
        "call": "c1",
        "state": "ringing",
        "direction": "in",
        "from": {"name": "Ana Lima", "number": "(555) 234-5678", "extension": ""},
        "to": {"name": "Bea Roth", "number": "101", "extension": "101"},
        "queue": None,
        "via": [],
        "since": milliseconds(START),
        "started": milliseconds(START),
        "heard": milliseconds(START),
        "unconfirmed": False,
    }


@pytest.mark.parametrize("state", ["progressing", "ringing", "active"])
def test_a_live_leg_to_a_queue_waits(domain: Domain, deliver: Deliver, state: str) -> None:
    Queue.objects.create(domain=domain, number="900")
    deliver(event(state, user="900"))

    assert only(news.calls(domain.pk))["state"] == "waiting"


@pytest.mark.parametrize(("state", "word"), [("progressing", "calling"), ("ringing", "ringing"), ("active", "talking")])
def test_a_leg_to_a_person_is_told_in_the_floors_words(domain: Domain, deliver: Deliver, state: str, word: str) -> None:
    deliver(event(state))

    assert only(news.wall(domain.pk))["state"] == word


@pytest.mark.parametrize("name", ["Anonymous", "+15552345678"])
def test_a_name_that_only_repeats_the_number_is_none(domain: Domain, deliver: Deliver, name: str) -> None:
    deliver(event("ringing", caller_name=name))

    assert only(news.calls(domain.pk))["from"]["name"] == ""


@pytest.mark.parametrize("feed", [news.calls, news.wall])
def test_a_withheld_number_is_left_to_each_browsers_language(domain: Domain, deliver: Deliver, feed: Any) -> None:
    deliver(event("ringing", caller="anonymous", caller_name="Anonymous"))

    assert only(feed(domain.pk))["from"] == {"name": "", "number": "", "extension": ""}


def test_the_wall_shows_no_caller(domain: Domain, deliver: Deliver) -> None:
    people.get_or_create(domain, "101", "Bea Roth")
    deliver(event("ringing"))

    shown = only(news.wall(domain.pk))

    assert shown["from"] == {"name": "", "number": "••• ••78", "extension": ""}
    assert shown["to"] == {"name": "Bea Roth", "number": "", "extension": "101"}
    assert "5552345678" not in str(shown)
    assert "Ana" not in str(shown)


def test_an_ended_call_leaves_the_feed(domain: Domain, deliver: Deliver, redis_url: str) -> None:
    publisher.publish_changes(deliver(event("active")))
    leg = str(Leg.objects.get().pk)
    assert leg in feed_of(feeds.calls(domain.pk), redis_url)

    publisher.publish_changes(deliver(event("ended")))

    assert set(news.calls(domain.pk)) == {"events"}
    assert leg not in feed_of(feeds.calls(domain.pk), redis_url)


def test_a_colleagues_call_names_the_colleague_and_no_number(domain: Domain, deliver: Deliver) -> None:
    people.get_or_create(domain, "102", "Cem Aksoy")
    deliver(event("active", caller_user="102", caller="102", on_net=True))
    deliver(event("active", call="c2", leg="l2", user="103"))

    documents = msgspec.to_builtins(presence.people(domain.pk))

    assert documents["101"][1]["with"] == "Cem Aksoy"
    assert documents["101"][1]["direction"] == "internal"
    assert (documents["102"][1]["state"], documents["102"][1]["direction"]) == ("talking", "internal")
    assert documents["103"][1]["with"] == ""


def test_somebody_who_calls_out_is_calling_and_then_talking(domain: Domain, deliver: Deliver) -> None:
    out: dict[str, Any] = {"caller_user": "101", "caller": "101", "user": None, "number": "+15552345678"}
    deliver(event(("progressing", "ringing"), **out))
    assert only(presence.people(domain.pk))["state"] == "calling"

    deliver(event("active", **out))
    assert (only(presence.people(domain.pk))["state"], only(presence.people(domain.pk))["direction"]) == (
        "talking",
        "out",
    )


def test_a_second_call_rings_while_the_first_is_talked(domain: Domain, deliver: Deliver) -> None:
    deliver(event("active"))
    deliver(event("ringing", call="c2", leg="l2"))
    assert only(presence.people(domain.pk))["state"] == "talking"

    deliver(event("ended"))
    assert only(presence.people(domain.pk))["state"] == "ringing"

    deliver(event("ended", call="c2", leg="l2"))
    assert only(presence.people(domain.pk))["state"] == "idle"


def test_somebody_known_and_never_heard_of_is_unknown(domain: Domain) -> None:
    people.get_or_create(domain, "101", "Bea Roth")

    assert only(presence.people(domain.pk))["state"] == "unknown"


@pytest.mark.parametrize(
    ("after", "outcomes"),
    [
        ([event("active")], {"101": "", "102": ""}),
        ([event("active"), event(("active", "ended"), leg="l2", user="102")], {"101": "", "102": "taken"}),
        ([event(("active", "ended"), leg="l2", user="102"), event("active")], {"101": "", "102": "taken"}),
        ([event("ended"), event("ended", leg="l2", user="102")], {"101": "missed", "102": "missed"}),
        (
            [event("active"), event("ended"), event("ended", leg="l2", user="102")],
            {"101": "answered", "102": "taken"},
        ),
    ],
)
def test_a_desk_learns_how_the_call_ended_for_it(
    domain: Domain, deliver: Deliver, after: list[bytes], outcomes: dict[str, str]
) -> None:
    people.get_or_create(domain, "101", "Bea Roth")
    deliver(event("ringing"), event("ringing", leg="l2", user="102"))
    for body in after:
        deliver(body)

    documents = {extension: only(news.desk(domain.pk, extension)) for extension in outcomes}

    assert {extension: each["outcome"] for extension, each in documents.items()} == outcomes
    assert all(each["by"] == ("Bea Roth" if each["outcome"] == "taken" else "") for each in documents.values())


def test_a_transfer_that_rings_later_was_not_taken_by_the_first(domain: Domain, deliver: Deliver) -> None:
    deliver(event("active"), at=START)
    deliver(event("ringing", leg="l2", user="102"), at=START + timedelta(minutes=3))
    with time_machine.travel(START + timedelta(minutes=4), tick=False):
        deliver(event("ended", leg="l2", user="102"))
        assert only(news.desk(domain.pk, "102"))["outcome"] == "missed"


def test_a_queue_that_was_called_takes_no_call_from_a_desk(domain: Domain, deliver: Deliver) -> None:
    Queue.objects.create(domain=domain, number="900")
    deliver(event("active", leg="l0", user="900"), event("ringing"))
    deliver(event("ended"))

    assert only(news.desk(domain.pk, "101"))["outcome"] == "missed"


def test_a_desk_forgets_after_an_hour(domain: Domain, deliver: Deliver) -> None:
    with time_machine.travel(START, tick=False) as clock:
        deliver(event("ringing"), event("ended"))
        clock.shift(timedelta(minutes=59))
        assert only(news.desk(domain.pk, "101"))["outcome"] == "missed"
        clock.shift(timedelta(minutes=2))
        assert news.desk(domain.pk, "101") == {}


def feed_of(feed: feeds.Feed, url: str) -> dict[str, str]:
    with redis.Redis.from_url(url) as client:
        return {key.decode(): value.decode() for key, value in client.hgetall(feed.keys[1]).items()}


def test_what_changed_is_told_on_every_feed_it_concerns(domain: Domain, deliver: Deliver, redis_url: str) -> None:
    people.get_or_create(domain, "101", "Bea Roth")
    publisher.publish_changes(deliver(event("ringing"), event("ringing", leg="l2", user="102")))
    publisher.publish_changes(deliver(event("active")))
    publisher.publish_changes(deliver(event("ended", leg="l2", user="102")))
    first, second = map(str, Leg.objects.order_by("pk").values_list("pk", flat=True))

    assert set(feed_of(feeds.calls(domain.pk), redis_url)) == {first, "events"}
    assert set(feed_of(feeds.wall(domain.pk), redis_url)) == {first, "events"}
    assert '"talking"' in feed_of(feeds.people(domain.pk), redis_url)["101"]
    assert '"taken"' in feed_of(feeds.desk(domain.pk, "102"), redis_url)[second]


def test_a_late_answer_turns_missed_into_taken_at_the_colleagues_desk(
    domain: Domain, deliver: Deliver, redis_url: str
) -> None:
    publisher.publish_changes(deliver(event("ringing"), event("ringing", leg="l2", user="102")))
    publisher.publish_changes(deliver(event(("active", "ended"), leg="l2", user="102")))
    desk = feeds.desk(domain.pk, "102")
    assert '"missed"' in str(feed_of(desk, redis_url))

    publisher.publish_changes(deliver(event("active")))

    assert '"taken"' in str(feed_of(desk, redis_url))


def test_a_leg_to_a_queue_that_comes_late_tells_where_the_call_came_through(
    domain: Domain, deliver: Deliver, redis_url: str
) -> None:
    Queue.objects.create(domain=domain, number="900")
    publisher.publish_changes(deliver(event("active")))

    told = deliver(event("ended", leg="l0", user="900"))
    publisher.publish_changes(told)

    assert only(news.calls(domain.pk))["via"] == ["900"]
    assert publish.mend(feeds.calls(domain.pk), lambda: news.calls(domain.pk)) == 0
    again = deliver(event(("active", "ended"), leg="l0", user="900", on_net=True))
    assert Leg.objects.get(to_call_id="l1").pk not in again[domain.pk].legs


def test_legs_without_a_callers_id_are_calls_of_their_own(domain: Domain, deliver: Deliver, redis_url: str) -> None:
    publisher.publish_changes(deliver(event("ringing", call="", leg="l2", user="102")))

    told = deliver(event("active", call="", leg="l1"), event(("active", "ended"), call="", leg="l2", user="102"))
    publisher.publish_changes(told)

    assert '"missed"' in str(feed_of(feeds.desk(domain.pk, "102"), redis_url))
    mine, theirs = Leg.objects.order_by("to_user")
    assert news.taken_on(theirs, [mine]) is None


def test_a_new_name_reaches_the_feed_with_the_next_sweep(domain: Domain, deliver: Deliver, redis_url: str) -> None:
    publisher.publish_changes(deliver(event("active")))
    person = people.get_or_create(domain, "101")

    people.rename(person, "Bea Roth")
    tasks.sweep()
    assert '"Bea Roth"' in feed_of(feeds.people(domain.pk), redis_url)["101"]

    people.hide(person, True)
    tasks.sweep()
    assert "101" not in feed_of(feeds.people(domain.pk), redis_url)


def test_a_number_that_turns_out_to_be_a_queue_is_nobody(domain: Domain, deliver: Deliver, redis_url: str) -> None:
    publisher.publish_changes(deliver(event("ringing", user="900")))
    assert "900" in feed_of(feeds.people(domain.pk), redis_url)

    Queue.objects.create(domain=domain, number="900", name="Sales")
    tasks.sweep()

    assert "900" not in feed_of(feeds.people(domain.pk), redis_url)
    assert '"queue":"900"' in str(feed_of(feeds.calls(domain.pk), redis_url))
