"""Programs hear of calls: each thing once, signed, in order, whatever dies in between, and no more than they may."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.utils import timezone

from accounts.models import Domain, Person, Team
from tests.calls.conftest import Deliver
from tests.calls.events import event
from tests.notifications.channels.receivers import Receiver, answer
from tests.outgoing.conftest import Listen, heard, work
from wallboard.calibration import findings
from wallboard.calls.models import ChangedLeg, Leg
from wallboard.calls.retention import anonymizing
from wallboard.outgoing import documents, endpoints, kinds
from wallboard.outgoing.deciding import call_changes, events, following
from wallboard.outgoing.models import Delivery, Endpoint, Event
from wallboard.outgoing.sending import deliveries, pool
from wallboard.queues.models import Queue

SETTLED = call_changes.SETTLES + timedelta(seconds=1)


def test_a_whole_call_is_told_and_verified(listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any) -> None:
    endpoint = listen()
    for state, seconds in (("progressing", 1), ("ringing", 4), ("active", 30), ("active", 5), ("ended", 1)):
        deliver(event(state))
        work()
        clock.shift(timedelta(seconds=seconds))
    assert len(receiver.received) == 2  # another leg of the call may still be on its way
    clock.shift(SETTLED)
    work()

    told = heard(receiver, endpoint)
    assert [each["type"] for each in told] == [kinds.RINGING, kinds.ANSWERED, kinds.ENDED]
    assert {each["company"] for each in told} == {"acme"}
    for each in told:
        msgspec.convert(each["data"], documents.Call, strict=False)
    last = told[-1]["data"]
    assert (last["direction"], last["to"]["extension"], last["is_answered"]) == ("in", "101", True)
    assert last["from"] == {"name": "", "number": "••• ••78", "extension": ""}
    assert len({each.headers["webhook-id"] for each in receiver.received}) == 3
    assert not ChangedLeg.objects.exists()
    deliver(event("ended", by_call_id="late"))
    clock.shift(SETTLED)
    assert work() == 0  # more about a call that was told is no news


def test_who_leaves_a_queue_is_missed_and_waits_until_called_back(
    listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any, domain: Domain
) -> None:
    Queue.objects.create(domain=domain, number="600", name="Sales")
    endpoint = listen(shows_numbers=True)
    work()
    deliver(event("active", user="600", is_human=False))
    clock.shift(timedelta(seconds=20))
    deliver(event("ended", user="600", is_human=False))
    clock.shift(SETTLED)
    work()
    work()
    deliver(event("active", call="c2", leg="l2", caller="101", caller_user="101", user=None, number="+15552345678"))
    work()

    told = [(each["type"], each["data"]) for each in heard(receiver, endpoint)]
    assert [kind for kind, _data in told] == [
        kinds.RINGING,
        kinds.ENDED,
        kinds.MISSED,
        kinds.ASKED,
        kinds.ANSWERED,
        kinds.DONE,
    ]
    missed, asked, done = told[2][1], told[3][1], told[5][1]
    assert (missed["via"], missed["from"]["number"]) == (["600"], "+15552345678")
    assert asked["caller"]["number"] == "+15552345678"
    assert (done["by"], done["how"]) == ("101", "spoken")


def test_events_that_overtake_each_other_end_a_call_once(listen: Listen, deliver: Deliver, clock: Any) -> None:
    listen(kinds.ENDED, kinds.MISSED)
    deliver(event("ended", leg="l1"))
    clock.shift(SETTLED)
    deliver(event("ringing", leg="l2", user="102"))
    work()
    assert not Event.objects.exists()

    deliver(event("active", leg="l2", user="102"))
    deliver(event("ended", leg="l2", user="102"))
    clock.shift(SETTLED)
    work()

    assert [each.kind for each in Event.objects.all()] == [kinds.ENDED]


def test_what_fails_is_sent_again_under_its_id_and_in_order(
    listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any
) -> None:
    listen(kinds.RINGING)
    receiver.answering = lambda handler: answer(handler, 500, b"later")
    deliver(event("ringing"))
    deliver(event("ringing", call="c2", leg="l2", user="102"))

    assert work() == 1
    assert work() == 0  # a pause
    clock.shift(timedelta(seconds=6))
    receiver.answering = lambda handler: answer(handler, 204)
    assert work() == 2

    ids = [each.headers["webhook-id"] for each in receiver.received]
    assert ids[0] == ids[1] != ids[2]
    assert {each.state for each in Delivery.objects.all()} == {Delivery.State.SENT}


def test_what_one_event_brings_about_holds_up_others_for_some_tries_and_ends_after_a_day(
    listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any
) -> None:
    listen(kinds.RINGING)
    deliver(event("ringing"))
    work()
    deliver(event("ringing", call="c2", leg="l2", user="102"))
    deliver(event("ringing", call="c3", leg="l3", user="103"))
    following.follow_calls()
    poison = Event.objects.get(leg__to_user="102").uid.hex
    receiver.answering = lambda handler: answer(handler, 500 if handler.headers["webhook-id"] == poison else 204)
    for _round in range(16):
        work()
        clock.shift(timedelta(hours=2))

    states = dict(Delivery.objects.values_list("event__leg__to_user", "state"))
    assert states == {"101": "sent", "102": "given up", "103": "sent"}
    assert Delivery.objects.get(event__leg__to_user="102").outcome == "500"


def test_a_worker_that_died_is_followed_by_another_with_the_same_id(
    listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any
) -> None:
    endpoint = listen(kinds.RINGING)
    deliver(event("ringing"))
    following.follow_calls()
    taken = deliveries.take(endpoint.pk)  # and then it dies
    assert taken is not None
    assert deliveries.take(endpoint.pk) is None
    assert work() == 0

    clock.shift(deliveries.LEASE + timedelta(seconds=1))
    assert work() == 1
    assert receiver.received[0].headers["webhook-id"] == taken.event.uid.hex


def test_nothing_is_lost_where_the_one_who_follows_dies(
    listen: Listen, deliver: Deliver, monkeypatch: pytest.MonkeyPatch
) -> None:
    listen(kinds.RINGING)
    deliver(event("ringing"))

    def dies(*_: Any) -> None:
        raise SystemError

    with monkeypatch.context() as dying:
        dying.setattr(events, "store", dies)
        with pytest.raises(SystemError):
            following.follow_calls()
    following.follow_calls()

    assert Delivery.objects.count() == 1


def test_a_limited_endpoint_hears_of_its_queues_and_team_only(listen: Listen, deliver: Deliver, domain: Domain) -> None:
    Queue.objects.create(domain=domain, number="600", name="Sales")
    Queue.objects.create(domain=domain, number="601", name="Support")
    team = Team.objects.create(domain=domain, name="Sales")
    team.people.add(Person.objects.create(domain=domain, extension="101"))
    of_queue = listen(kinds.RINGING, queues=("600",))
    of_team = listen(kinds.RINGING, team=team)
    for number, (call, user) in enumerate((("c1", "600"), ("c2", "601"), ("c3", "101"), ("c4", "102"))):
        deliver(event("ringing", call=call, leg=f"l{number}", user=user))
    following.follow_calls()

    told = {
        endpoint: sorted(Delivery.objects.filter(endpoint=endpoint).values_list("event__leg__to_user", flat=True))
        for endpoint in (of_queue, of_team)
    }
    assert told == {of_queue: ["600"], of_team: ["101", "600", "601"]}


def test_no_number_goes_out_after_it_was_erased(
    listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any
) -> None:
    endpoint = listen(kinds.RINGING, shows_numbers=True)
    deliver(event("ringing"))
    following.follow_calls()
    leg = Leg.objects.get()
    anonymizing.forget(leg, anonymizing.new_mark(), timezone.now())
    leg.save()
    work()

    [told] = heard(receiver, endpoint)
    assert "2345678" not in str(told).replace("-", "")
    assert "Ana Lima" not in str(told)


def test_a_dead_or_private_receiver_delays_nobody(
    listen: Listen, receiver: Receiver, deliver: Deliver, settings: Any
) -> None:
    listen(kinds.RINGING, url="http://127.0.0.2:9/")
    listen(kinds.RINGING)
    deliver(event("ringing"))
    work()

    assert len(receiver.received) == 1
    refused = Delivery.objects.exclude(state=Delivery.State.SENT).get()
    assert "leads to this machine or into a private network" in refused.outcome


def test_sending_again_uses_the_same_ids(listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any) -> None:
    endpoint = listen(kinds.RINGING)
    deliver(event("ringing"))
    work()
    clock.shift(timedelta(minutes=5))
    deliver(event("ringing", call="c2", leg="l2", user="102"))
    work()

    assert endpoints.send_again(endpoint, since=timezone.now() - timedelta(minutes=1)) == 1
    work()
    assert endpoints.send_again(endpoint, since=timezone.now() - timedelta(hours=1)) == 2
    work()

    first, second, *again = [each.headers["webhook-id"] for each in receiver.received]
    assert again == [second, first, second]


def test_paused_and_gone_endpoints_hold_events_back(
    listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any
) -> None:
    endpoint = listen(kinds.RINGING)
    receiver.answering = lambda handler: answer(handler, 410)
    deliver(event("ringing"))
    work()
    endpoint.refresh_from_db()
    assert endpoint.is_paused
    clock.shift(timedelta(minutes=5))
    assert work() == 0

    receiver.answering = lambda handler: answer(handler, 204)
    endpoints.pause(endpoint, paused=False)
    assert work() == 1


def test_without_listeners_the_intake_keeps_nothing(listen: Listen, deliver: Deliver, domain: Domain) -> None:
    endpoint = listen(kinds.DAY_ENDED)
    deliver(event("ringing"))
    assert not ChangedLeg.objects.exists()
    endpoints.remove(endpoint)
    assert not Endpoint.objects.exists()


def test_the_day_is_told_as_it_ends(listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any) -> None:
    endpoint = listen(kinds.DAY_ENDED)
    work()
    deliver(event("active"), event("ended"))
    clock.move_to("2026-11-21T00:06:00+00:00")
    work()
    work()

    [told] = heard(receiver, endpoint)
    day = msgspec.convert(told["data"], documents.Day, strict=False)
    assert (str(day.day), day.calls_ended, day.calls_answered) == ("2026-11-20", 1, 1)
    assert day.events_since == Leg.objects.get().first_seen_at


def test_a_day_has_no_counts_of_calls_where_each_leg_has_an_id_of_its_own(
    listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any
) -> None:
    endpoint = listen(kinds.DAY_ENDED)
    findings.overrule(endpoint.domain, "caller_ids", "per_leg", None)
    work()
    deliver(event("ended"))
    clock.move_to("2026-11-21T00:06:00+00:00")
    work()
    work()

    [told] = heard(receiver, endpoint)
    assert {told["data"][name] for name in ("calls_ended", "calls_answered", "calls_missed")} == {None}


def test_old_events_go(listen: Listen, deliver: Deliver, clock: Any) -> None:
    listen(kinds.RINGING)
    deliver(event("ringing"))
    work()
    clock.shift(timedelta(days=3))
    following.delete_old()

    assert (Event.objects.count(), Delivery.objects.count()) == (0, 0)


def test_the_pool_sends_in_threads_of_its_own(listen: Listen) -> None:
    assert pool.Pool().wake() == 0
