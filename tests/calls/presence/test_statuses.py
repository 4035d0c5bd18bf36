"""What people say of themselves: told at once beside the measured state, over at its time, changed by nobody else."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import msgspec
import pytest

from accounts import people
from accounts.models import AuditEntry, Domain, Person
from tests.calls.conftest import START, Deliver
from tests.calls.events import event
from wallboard.calls.models import Favourite, Presence
from wallboard.calls.presence import aging, documents, favourites, statuses
from wallboard.calls.presence.statuses import InvalidStatus
from wallboard.live import feeds, publish

pytestmark = pytest.mark.usefixtures("redis_url")
HALF_PAST_ONE = START + timedelta(minutes=90)


@pytest.fixture
def person(domain: Domain) -> Person:
    return people.get_or_create(domain, "101", "Bea Roth")


def late(person: Person) -> set[str]:
    """Whose presence has changed with the time."""
    return {
        extension for changes in aging.refresh([person.domain_id]) for extension in changes[person.domain_id].presences
    }


def told(domain: Domain) -> Any:
    return msgspec.to_builtins(documents.people(domain.pk)["101"])


@pytest.mark.django_db(transaction=True)
def test_a_status_is_published_at_once_beside_the_state(person: Person, deliver: Deliver, clock: Any) -> None:
    deliver(event("active"))

    statuses.set_status(person, "lunch", " back\0 soon ", HALF_PAST_ONE)

    version, document = told(person.domain)
    assert document["state"] == "talking"
    assert document["status"] == {
        "kind": "lunch", "note": "back soon",
        "since": int(START.timestamp() * 1000), "until": int(HALF_PAST_ONE.timestamp() * 1000),
    }  # fmt: skip
    publish.mend(feeds.people(person.domain_id), lambda: documents.people(person.domain_id))
    assert told(person.domain) == (version, document)
    deliver(event("ended"))
    assert told(person.domain)[0] > version
    assert told(person.domain)[1]["status"] == document["status"]


def test_it_ends_by_itself_and_that_is_news(person: Person, clock: Any) -> None:
    statuses.set_status(person, "lunch", "", HALF_PAST_ONE)
    clock.move_to(HALF_PAST_ONE - timedelta(seconds=1))
    assert late(person) == set()

    clock.move_to(HALF_PAST_ONE)

    assert late(person) == {"101"}
    assert told(person.domain)[1]["status"] is None
    assert late(person) == set()


def test_it_can_be_taken_back_and_each_change_is_noted_once(person: Person) -> None:
    statuses.set_status(person, "away")
    statuses.set_status(person, "away")
    statuses.clear_status(person)
    statuses.clear_status(person)

    assert told(person.domain)[1]["status"] is None
    assert (
        list(AuditEntry.objects.filter(what="status changed").values_list("about", flat=True)) == ["101 Bea Roth"] * 2
    )


@pytest.mark.parametrize(
    ("status", "until"), [("drunk", None), ("", None), ("lunch", datetime(2020, 1, 1, tzinfo=UTC))]
)
def test_nonsense_is_refused(person: Person, status: str, until: datetime | None) -> None:
    with pytest.raises(InvalidStatus, match=r"\.$"):
        statuses.set_status(person, status, "", until)

    assert not Presence.objects.exclude(status="").exists()


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
    with pytest.raises(InvalidStatus, match="13:30 is over"):
        statuses.moment_of(time(13, 30), "Europe/Berlin", datetime(2026, 11, 20, 12, 31, tzinfo=UTC))


def test_favourites_are_ones_own(person: Person, domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    other = people.get_or_create(domain, "102", "Cem Aksoy")
    favourites.set_favourite(person, other, True)
    favourites.set_favourite(person, other, True)

    assert (favourites.of(person.pk), favourites.of(other.pk)) == (["102"], [])
    monkeypatch.setattr(favourites, "MOST", 1)
    with pytest.raises(favourites.TooManyFavourites):
        favourites.set_favourite(person, person, True)
    favourites.set_favourite(person, other, False)
    assert not Favourite.objects.exists()
