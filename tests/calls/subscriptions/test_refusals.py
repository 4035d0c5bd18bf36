"""What refused tokens cost where subscriptions are looked at: pauses that double, up to a minute, until a success."""

from itertools import pairwise
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Domain
from accounts.tokens import patience
from tests.calls.conftest import START, of_kind, say_ready
from tests.calls.fake_provider import FakeProvider
from wallboard.calls.subscriptions import health, maintenance
from wallboard.telephony.errors import NotAuthorized, RateLimited

STEPS = [2, 4, 8, 16, 32, 60, 60]


@pytest.fixture
def asked(provider: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When the subscription for calls was asked about, in seconds after START."""
    found: list[float] = []
    fail = provider._maybe_fail

    def note() -> None:
        found.append((timezone.now() - START).total_seconds())
        fail()

    monkeypatch.setattr(provider, "_maybe_fail", note)
    return found


def tries(asked: list[float], domain: Domain, clock: Any, seconds: int) -> list[float]:
    """The moments of tries in so long, looked at each half second; both subscriptions are tried in one look."""
    asked.clear()
    for _ in range(2 * seconds):
        maintenance.check(domain)
        clock.shift(0.5)
    return sorted(set(asked))


@pytest.mark.parametrize("is_known", [False, True])
def test_a_lasting_refusal_is_tried_after_2_4_8_and_at_most_60_seconds(
    domain: Domain, provider: FakeProvider, clock: Any, asked: list[float], monkeypatch: Any, *, is_known: bool
) -> None:
    # Without chance both kinds are tried at the same moments.
    monkeypatch.setattr(patience, "jitter", lambda least, most: most)
    if is_known:
        maintenance.check(domain)
        say_ready()
        clock.shift(maintenance.CHECKED_FOR)
    provider.failing = NotAuthorized("403")

    moments = tries(asked, domain, clock, 185)

    pauses = [after - before for before, after in pairwise(moments)]
    assert pauses == STEPS

    provider.failing = None
    clock.shift(60)
    maintenance.check(domain)
    say_ready()
    row = of_kind("calls")
    assert (row.failures, row.failing_since, row.not_before) == (0, None, None)
    assert health.of(domain.pk).state == "live"


def test_a_single_refusal_is_made_good_within_two_seconds(
    domain: Domain, provider: FakeProvider, clock: Any, asked: list[float]
) -> None:
    provider.failing = NotAuthorized("403")
    maintenance.check(domain)
    provider.failing = None

    assert len(tries(asked, domain, clock, 3)) >= 1
    assert of_kind("calls").provider_id


@pytest.mark.parametrize("share", [0.85, 1.0])
def test_pauses_differ_a_little_so_that_not_all_come_back_at_once(share: float, monkeypatch: Any) -> None:
    monkeypatch.setattr(patience, "jitter", lambda least, most: share)

    assert patience.LEAST_SHARE == 0.85
    assert [patience.pause_seconds(NotAuthorized("403"), number) for number in range(1, 8)] == [
        step * share for step in STEPS
    ]


def test_being_asked_for_patience_says_nothing_of_events_until_the_last_look_is_too_old(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    say_ready()
    clock.shift(100)
    provider.failing = RateLimited("slow down", 900)
    maintenance.check(domain)
    meanwhile = health.of(domain.pk)
    clock.shift(health.UNCHECKED_LIMIT.total_seconds() - 99)
    maintenance.check(domain)
    at_last = health.of(domain.pk)

    assert of_kind("calls").failure == "rate_limited"
    assert (meanwhile.state, at_last.state) == ("live", "down")
    assert at_last.version > meanwhile.version, "feeds drop what is not newer: boards would stay live"
