"""A leg that goes to another phone or a machine while it rings, and one that is told before it leads anywhere."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from accounts.models import Domain, Person
from tests.calls.conftest import Deliver
from tests.calls.events import event, record
from tests.calls.test_documents import feed_of
from wallboard.calls import publisher
from wallboard.calls.log import search
from wallboard.calls.models import Leg, Presence
from wallboard.desk.card import call_history
from wallboard.live import feeds
from wallboard.reports import person_figures
from wallboard.reports.period_parts import Period

START = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = START + timedelta(seconds=20)


def state(extension: str) -> str:
    return Presence.objects.get(person__extension=extension).state


def test_who_picks_up_for_a_colleague_has_the_call_and_the_colleague_is_free(
    domain: Domain, deliver: Deliver, clock: Any, redis_url: str
) -> None:
    publisher.publish_changes(deliver(event("ringing"), at=START))
    clock.shift(20)

    publisher.publish_changes(deliver(event("active", user="102"), at=LATER))

    assert (state("101"), state("102")) == ("idle", "talking")
    told = str(feed_of(feeds.desk(domain.pk, "101"), redis_url))
    assert all(part in told for part in ('"state":"ended"', '"outcome":"taken"', '"by":"102"'))
    assert '"talking"' in str(feed_of(feeds.desk(domain.pk, "102"), redis_url))


def test_whose_voicemail_takes_the_call_no_longer_rings(
    domain: Domain, deliver: Deliver, clock: Any, redis_url: str
) -> None:
    publisher.publish_changes(deliver(event("ringing"), at=START))
    clock.shift(20)

    publisher.publish_changes(deliver(event("active", is_human=False), at=LATER))

    assert state("101") == "idle"
    assert '"ringing"' not in str(feed_of(feeds.desk(domain.pk, "101"), redis_url))


def test_a_machine_whose_leg_goes_to_somebody_is_nobody(domain: Domain, deliver: Deliver) -> None:
    deliver(event("ringing", user="9000", is_human=False))
    deliver(event("active", user="101"))

    assert [person.extension for person in Person.objects.all()] == ["101"]


def half(state: str = "progressing") -> bytes:
    """The caller's side of a call that leads nowhere yet."""
    source = {"id": "101", "call_id": "c1", "user": "101", "state": state}
    return json.dumps({"calls": {"from": source, "to": None, "time_start": "2026-11-20 12:00:00"}}).encode()


@pytest.mark.parametrize("is_late", [False, True])
def test_a_leg_that_is_told_before_its_other_side_ends_with_it(
    is_late: bool, domain: Domain, deliver: Deliver, clock: Any
) -> None:
    outside: dict[str, Any] = {"caller": "101", "caller_user": "101", "user": None, "number": "+4930123456"}
    told = [half(), event("ringing", **outside), event("active", **outside), event("ended", **outside)]
    for body in [*told[1:], told[0]] if is_late else told:
        deliver(body)
        clock.shift(5)

    assert state("101") == "idle"
    assert not Leg.objects.filter(ended_at=None).exists()


def test_somebody_who_dials_is_calling_before_it_leads_anywhere(domain: Domain, deliver: Deliver) -> None:
    deliver(half())

    assert state("101") == "calling"


def test_a_half_makes_no_secret_of_how_long_the_caller_waited(domain: Domain, deliver: Deliver, clock: Any) -> None:
    early = {"id": "+15552345678", "call_id": "c1", "user": None, "state": "progressing"}
    deliver(json.dumps({"calls": {"from": early, "to": None, "time_start": "2026-11-20 12:00:00"}}).encode())
    clock.shift(5)
    deliver(event("ringing"))
    clock.shift(40)
    deliver(event("ended"))

    [call] = search.search(domain.pk)
    assert (call.outcome, call.wait_seconds) == ("unanswered", 45)
    past = call_history.past_call(list(Leg.objects.order_by("pk")))
    assert (past.is_end_lost, past.rang_seconds) == (False, 45)


def test_records_that_count_from_the_begin_of_the_call_move_nothing_that_was_handed_on(
    domain: Domain, deliver: Deliver, clock: Any
) -> None:
    for at, body in (
        (0, event("ringing")),
        (10, event("active")),
        (90, event("ended")),
        (90, event("ringing", leg="l2", user="102")),
        (110, event("ended", leg="l2", user="102")),
    ):
        deliver(body, at=START + timedelta(seconds=at))
    clock.shift(300)

    def known() -> tuple[Any, ...]:
        [call] = search.logged(domain, ["c1"])
        today = Period(START.date(), START.date(), ZoneInfo("UTC"))
        missed = {each.person.extension: each.missed for each in person_figures.by_person(domain, today)}
        return call.answered_by, call.wait_seconds, [leg.started_at for leg in call.legs], missed

    before = known()
    # The later one first, so that its leg would be the first of the call.
    for at, leg, user in ((121, "l2", "102"), (122, "l1", "101")):
        body = record(leg=leg, user=user, answered=leg == "l1").replace(b"10:00:00", b"12:00:00")
        deliver(body.replace(b"10:01:00", b"12:01:50"), at=START + timedelta(seconds=at))

    assert known() == before
    assert before[3] == {"101": 0, "102": 1}
