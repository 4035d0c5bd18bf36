"""How much of a span call events did not tell, and since when they do, as figures and in words."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import Domain
from tests.calls.conftest import START, make_subscription
from wallboard.calls import sweeping
from wallboard.calls.gaps import coverage, sentences
from wallboard.calls.gaps.coverage import Coverage, Missing
from wallboard.calls.models import EventGap

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture(autouse=True)
def long_known(domain: Domain) -> None:
    make_subscription(domain, "calls", ready_at=START - timedelta(days=300))


def gap(domain: Domain, since: float, until: float | None, reason: str = "silent") -> None:
    """In minutes after START."""
    end = None if until is None else START + until * MINUTE
    EventGap.objects.create(domain=domain, since=START + since * MINUTE, until=end, reason=reason)


def missing(domain: Domain, since: float = 0, until: float = 60) -> Missing | None:
    return coverage.of(domain.pk, START + since * MINUTE, START + until * MINUTE).missing


def test_a_span_without_gaps_is_whole(domain: Domain) -> None:
    gap(domain, -10, -5)
    gap(domain, 60, 70)

    assert coverage.of(domain.pk, START, START + HOUR) == Coverage()


def test_gaps_are_cut_to_the_span_and_joined_where_they_overlap(domain: Domain) -> None:
    gap(domain, -5, 1)
    gap(domain, 10, 12)
    gap(domain, 11, 14, "refused")
    gap(domain, 59, 70)

    assert missing(domain) == Missing(6 * 60, 3, START, START + HOUR)


def test_an_open_gap_goes_on_until_now(domain: Domain, clock: object) -> None:
    clock.shift(30 * 60)  # type: ignore[attr-defined]
    gap(domain, 20, None)

    assert missing(domain) == Missing(600, 1, START + 20 * MINUTE, START + 30 * MINUTE)


def test_gaps_of_other_companies_do_not_count(domain: Domain) -> None:
    other = Domain.objects.create(slug="x", name="X", base_url="http://x.test", client_id="a", client_secret="b")
    gap(other, 10, 20)

    assert missing(domain) is None


def test_on_the_first_day_it_says_since_when_it_counts(domain: Domain) -> None:
    domain.subscriptions.update(ready_at=START + 12 * MINUTE)
    gap(domain, 0, 5)

    assert coverage.of(domain.pk, START, START + HOUR) == Coverage(START + 12 * MINUTE)
    assert coverage.of(domain.pk, START + HOUR, START + 2 * HOUR) == Coverage()


def test_nothing_is_told_of_a_time_before_events_began(domain: Domain) -> None:
    began = START + 2 * HOUR
    domain.subscriptions.update(ready_at=began)
    gap(domain, 0, 5)

    found = coverage.of(domain.pk, START, START + HOUR)

    assert found == Coverage(untold_until=began)
    assert not found.is_whole
    # With its day, as that is another one than the page speaks of.
    assert words(found, domain) == ["Counted since 20 Nov 14:00, when call events began."]


def words(found: Coverage, domain: Domain, *, is_one_day: bool = True) -> list[str]:
    return sentences.sentences(found, domain, is_one_day=is_one_day)


def test_the_words_say_how_much_and_when_by_the_companys_clock(domain: Domain) -> None:
    domain.time_zone = "Europe/Berlin"
    gap(domain, 41, 42.5)
    found = coverage.of(domain.pk, START, START + HOUR)

    assert words(found, domain) == ["2 min of call events are missing, 13:41 to 13:42."]
    domain.clock = "12"
    assert words(found, domain) == ["2 min of call events are missing, 1:41 PM to 1:42 PM."]
    assert words(found, domain, is_one_day=False) == [
        "2 min of call events are missing, 20 Nov 1:41 PM to 20 Nov 1:42 PM."
    ]


def test_the_words_for_several_pieces_and_for_the_first_day(domain: Domain) -> None:
    pieces = Missing(61, 2, START, START + HOUR)
    since = datetime(2026, 11, 20, 9, 12, tzinfo=UTC)
    domain.time_zone = "UTC"

    assert words(Coverage(since, pieces), domain) == [
        "Counted since 09:12, when call events began.",
        "2 min of call events are missing between 12:00 and 13:00.",
    ]
    assert words(Coverage(None, Missing(1, 1, START, START)), domain) == [
        "1 min of call events is missing, 12:00 to 12:00."
    ]


def test_gaps_are_kept_as_long_as_the_calls_that_they_are_missing_from(domain: Domain, clock: object) -> None:
    gap(domain, 0, 10)
    gap(domain, 20, 30)

    clock.move_to(START + timedelta(days=400) + 20 * MINUTE)  # type: ignore[attr-defined]
    sweeping.delete_expired()

    assert [row.since for row in EventGap.objects.all()] == [START + 20 * MINUTE]
