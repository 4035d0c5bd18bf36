"""The log as a whole, for sheets: the same calls in the same order as its pages, however it is looked through."""

from datetime import timedelta
from random import Random

import pytest

from accounts.limits import EVERYTHING
from accounts.models import Domain, Person
from tests.calls.log.test_search import START, crowded
from wallboard.calls.log import newest, search, whole
from wallboard.calls.log.filters import CallFilter
from wallboard.calls.models import Leg
from wallboard.calls.views.calls import LogRows

SOME = [
    CallFilter(),
    CallFilter("Ana"),
    CallFilter("101"),
    CallFilter(outcome="unanswered"),
    CallFilter("555", direction="in"),
]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "STRETCH", 10)
    monkeypatch.setattr(whole, "LONGEST", 40)
    monkeypatch.setattr(whole, "READ_AT_ONCE", 3)
    monkeypatch.setattr(newest, "CALLS_AT_ONCE", 4)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("wanted", SOME, ids=str)
def test_a_sheet_has_the_calls_of_all_pages(domain: Domain, wanted: CallFilter, seed: int) -> None:
    chance = Random(seed)
    Person.objects.create(domain=domain, extension="102", name="Ana")
    for number in range(150):
        at = START + timedelta(seconds=chance.randrange(90))  # several at the same moment, too
        Leg.objects.create(
            domain=domain, from_call_id=chance.choice(["", *(f"call {each}" for each in range(40))]),
            to_call_id=f"leg {number}", first_seen_at=at, heard_at=at, ended_at=at, is_answered=chance.random() < 0.5,
            to_user=chance.choice(["101", "102", ""]), from_number=chance.choice(["+4930555123", "+1999"]),
        )  # fmt: skip

    calls = whole.find(domain, wanted, EVERYTHING, 1000)

    assert list(whole.read(domain, calls)) == list(search.search(domain.pk, wanted, 1000))
    assert whole.find(domain, wanted, EVERYTHING, 7) == calls[:7]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("text", ["102", "straß", "55512"])
def test_what_matches_seldom_is_found_however_long_ago(
    domain: Domain, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole, "RARE", 1)
    crowded(domain, 55)

    assert whole.find(domain, CallFilter(text), EVERYTHING, 100) == ["call 55"]


def test_a_sheet_that_lacks_calls_says_so(domain: Domain) -> None:
    crowded(domain, 55)

    head, *rows = LogRows(domain, EVERYTHING, CallFilter(), 60)

    assert len(rows) == 60
    assert head[-1] == "Only the newest 60 calls are in this sheet."
    assert "Only" not in str(next(iter(LogRows(domain, EVERYTHING, CallFilter(), 61))))
