"""What an agent is told never holds a caller of somebody else, whichever address is asked; a supervisor is told."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.security.asks import asks, further
from tests.security.company import Company
from wallboard.calls.models import Leg, Record
from wallboard.desk.models import Note
from wallboard.live import feeds
from wallboard.matrix import AUDIENCE_OF, AUDIENCES
from wallboard.sockets import snapshots

NUMBER, NAME, SAID = "+4930555777", "Somebody Else", "a word about them"
MARKS = ("555777", "55 57 77", NAME, SAID)


@pytest.fixture
def with_a_colleagues_call(ours: Company) -> Company:
    """A supervisor spoke with somebody and noted it, and speaks with them again now."""
    person, now = ours.people["supervisor"], timezone.now()
    for call, ended_at in (("earlier", now - timedelta(minutes=5)), ("now", None)):
        Leg.objects.create(
            domain=ours.domain, from_call_id=call, to_call_id=f"to-{call}", from_state="active", to_state="active",
            from_number=NUMBER, from_name=NAME, caller_e164=NUMBER, to_user=person.extension, is_answered=True,
            first_seen_at=now - timedelta(minutes=9), active_at=now - timedelta(minutes=8), heard_at=now,
            ended_at=ended_at, version=1,
        )  # fmt: skip
        Record.objects.create(domain=ours.domain, from_call_id=call, to_call_id=f"to-{call}", from_number=NUMBER,
                              from_name=NAME, received_at=now)  # fmt: skip
        Note.objects.create(domain=ours.domain, person=person, call_id=call, number_e164=NUMBER, text=SAID)
    return ours


def told(company: Company, who: str) -> dict[str, list[str]]:
    """By address, which marks of that call stand in what this visitor is answered."""
    client, found = company.browser(who), {}
    for ask in [*asks(company, who).values(), *further(company)]:
        if who in AUDIENCES[AUDIENCE_OF[ask.name]] and ask.name != "accounts:logout_everywhere":
            answer = ask.send(client)
            body = b"".join(answer) if answer.streaming else answer.content
            text = body.decode(errors="replace")  # some are pictures
            if marks := [mark for mark in MARKS if mark in text]:
                found[ask.name] = marks
            client.force_login(company.user(who))
    return found


def test_an_agent_is_told_nothing_of_a_colleagues_caller(with_a_colleagues_call: Company, redis_url: str) -> None:
    assert told(with_a_colleagues_call, "agent") == {}


def test_a_supervisor_is_told_in_the_list_of_calls(with_a_colleagues_call: Company, redis_url: str) -> None:
    assert NAME in told(with_a_colleagues_call, "supervisor")["calls:calls"]


def test_the_feeds_of_an_agent_hold_no_number(with_a_colleagues_call: Company) -> None:
    company = with_a_colleagues_call
    own = feeds.desk(company.domain.pk, company.people["agent"].extension).name

    heard = {name: str(snapshots.documents(company.domain.pk, name)) for name in ("queues", "people", "wall", own)}

    assert {name for name, text in heard.items() if any(mark in text for mark in MARKS)} == set()
    assert NAME in str(snapshots.documents(company.domain.pk, "calls"))
