"""What people say of themselves: told at once beside the measured state, over at its time, changed by nobody else."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from accounts import people
from accounts.models import AuditEntry, Domain, Person
from tests.calls.conftest import START, Deliver
from tests.calls.events import event
from wallboard.calls import favourites, news, statuses, sweeping
from wallboard.calls.models import Favourite, Presence
from wallboard.calls.statuses import BadStatus
from wallboard.live import feeds, publish

pytestmark = pytest.mark.usefixtures("redis_url")
HALF_PAST_ONE = START + timedelta(minutes=90)


@pytest.fixture
def person(domain: Domain) -> Person:
    return people.seen(domain, "101", "Bea Roth")


def told(domain: Domain) -> Any:
    return news.people(domain.pk)["101"]


@pytest.mark.django_db(transaction=True)
def test_what_is_said_is_told_at_once_beside_the_state(person: Person, deliver: Deliver, clock: Any) -> None:
    deliver(event("active"))

    statuses.say(person, "lunch", " back\0 soon ", HALF_PAST_ONE)

    version, document = told(person.domain)
    assert document["state"] == "talking"
    assert document["said"] == {
        "word": "lunch", "note": "back soon",
        "since": int(START.timestamp() * 1000), "until": int(HALF_PAST_ONE.timestamp() * 1000),
    }  # fmt: skip
    publish.mend(feeds.people(person.domain_id), lambda: news.people(person.domain_id))
    assert told(person.domain) == (version, document)
    deliver(event("ended"))
    assert told(person.domain)[0] > version
    assert told(person.domain)[1]["said"] == document["said"]


def test_it_ends_by_itself_and_that_is_news(person: Person, clock: Any) -> None:
    statuses.say(person, "lunch", "", HALF_PAST_ONE)
    clock.move_to(HALF_PAST_ONE - timedelta(seconds=1))
    assert sweeping.tidy(person.domain).presences == {}

    clock.move_to(HALF_PAST_ONE)

    assert set(sweeping.tidy(person.domain).presences) == {"101"}
    assert told(person.domain)[1]["said"] is None
    assert sweeping.tidy(person.domain).presences == {}


def test_it_can_be_taken_back_and_each_change_is_noted_once(person: Person) -> None:
    statuses.say(person, "away")
    statuses.say(person, "away")
    statuses.retract(person)
    statuses.retract(person)

    assert told(person.domain)[1]["said"] is None
    assert list(AuditEntry.objects.filter(what="status said").values_list("about", flat=True)) == ["101 Bea Roth"] * 2


@pytest.mark.parametrize(("word", "until"), [("drunk", None), ("", None), ("lunch", datetime(2020, 1, 1, tzinfo=UTC))])
def test_nonsense_is_refused(person: Person, word: str, until: datetime | None) -> None:
    with pytest.raises(BadStatus, match=r"\.$"):
        statuses.say(person, word, "", until)

    assert not Presence.objects.exclude(said="").exists()


@pytest.mark.parametrize(
    ("now", "clock_time", "moment"),
    [
        ("2026-11-20T11:00+00:00", time(13, 30), "2026-11-20T12:30+00:00"),
        ("2026-11-20T22:50+00:00", time(0, 15), "2026-11-20T23:15+00:00"),
        ("2026-03-29T00:30+00:00", time(3, 30), "2026-03-29T01:30+00:00"),
    ],
)
def test_a_return_time_is_the_next_one_on_the_companys_clock(now: str, clock_time: time, moment: str) -> None:
    found = statuses.moment_of(clock_time, "Europe/Berlin", datetime.fromisoformat(now))

    assert found == datetime.fromisoformat(moment)


def test_a_time_that_is_over_is_refused() -> None:
    with pytest.raises(BadStatus, match="13:30 is over"):
        statuses.moment_of(time(13, 30), "Europe/Berlin", datetime(2026, 11, 20, 12, 31, tzinfo=UTC))


def test_favourites_are_ones_own(person: Person, domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    other = people.seen(domain, "102", "Cem Aksoy")
    favourites.keep(person, other, True)
    favourites.keep(person, other, True)

    assert (favourites.of(person.pk), favourites.of(other.pk)) == (["102"], [])
    monkeypatch.setattr(favourites, "MOST", 1)
    with pytest.raises(favourites.TooMany):
        favourites.keep(person, person, True)
    favourites.keep(person, other, False)
    assert not Favourite.objects.exists()
