"""How soon a subscription is asked for again that the provider refused: at once where no call event comes meanwhile."""

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Domain
from accounts.tokens import patience
from tests.calls.conftest import START, of_kind, say_ready
from tests.calls.fake_provider import FakeProvider
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import maintenance, pauses
from wallboard.telephony.errors import InTrouble, ProviderError, RateLimited, Unavailable

ASKED_FOR_PATIENCE = RateLimited("slow down", 3)


def check_each_second(domain: Domain, clock: Any, seconds: int) -> list[float]:
    """When the subscription for calls failed in so long, in seconds after START."""
    found, known = [], 0
    for _ in range(seconds + 1):
        maintenance.check(domain)
        if (failures := of_kind("calls").failures) > known:
            found.append((timezone.now() - START).total_seconds())
            known = failures
        clock.shift(1)
    return found


@pytest.mark.parametrize("error", [ASKED_FOR_PATIENCE, Unavailable("maintenance", 3)])
def test_one_that_vanished_is_asked_for_again_when_the_provider_said(
    domain: Domain, provider: FakeProvider, clock: Any, error: ProviderError
) -> None:
    maintenance.check(domain)
    say_ready()
    provider.live.clear()
    provider.failing_for = {"calls": error, "cdrs": error}
    clock.shift(61)

    assert maintenance.check(domain) == 3
    provider.failing_for = {}
    clock.shift(2.9)
    maintenance.check(domain)
    too_soon = len(provider.live)
    clock.shift(0.2)

    assert maintenance.check(domain) is None
    assert (too_soon, len(provider.live)) == (0, 2)


@pytest.mark.parametrize(
    "row", [{"silent_at": START}, {"expires_at": START}, {"state": "lost"}, {"state": "new"}, {"provider_id": ""}]
)
def test_whatever_keeps_call_events_away_is_in_a_hurry(db: None, clock: Any, row: dict[str, Any]) -> None:
    stands: dict[str, Any] = {"state": "ready", "provider_id": "1", "expires_at": START + timedelta(days=7)}

    assert pauses.seconds(Subscription(**stands | row), ASKED_FOR_PATIENCE, START, is_outage=False) == 3
    assert pauses.seconds(Subscription(**stands), ASKED_FOR_PATIENCE, START, is_outage=False) >= 30
    retired = Subscription(**stands | row | {"state": "retired"})
    assert pauses.seconds(retired, ASKED_FOR_PATIENCE, START, is_outage=False) >= 30


def test_a_pause_of_no_seconds_is_no_leave_to_ask_at_once(db: None) -> None:
    assert pauses.seconds(Subscription(), RateLimited("slow down", 0), START, is_outage=False) == 2


@pytest.mark.parametrize("error", [InTrouble("500"), RateLimited("slow down")])
def test_without_a_word_when_it_is_tried_after_2_4_8_seconds_and_at_last_after_five_minutes(
    domain: Domain, provider: FakeProvider, clock: Any, error: ProviderError, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without chance both kinds are tried at the same moments.
    monkeypatch.setattr(patience, "jitter", lambda least, most: most)
    provider.failing = error

    moments = check_each_second(domain, clock, 1150)

    assert [after - before for before, after in pairwise(moments)] == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]


def test_what_stands_is_looked_at_again_no_sooner_than_usual(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    say_ready()
    provider.failing = InTrouble("500")
    clock.shift(61)

    again_seconds = maintenance.check(domain)

    assert again_seconds is not None
    assert 30 <= again_seconds <= 60


def test_a_pause_that_ended_while_the_provider_was_slow_is_over_at_once(
    domain: Domain, provider: FakeProvider, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.failing_for = {"calls": InTrouble("500"), "cdrs": InTrouble("500")}
    record_failure = maintenance._record_failure

    def slowly(row: Subscription, error: Exception) -> None:
        clock.shift(4)
        record_failure(row, error)  # type: ignore[arg-type]

    monkeypatch.setattr(maintenance, "_record_failure", slowly)

    again_seconds = maintenance.check(domain)

    assert again_seconds is not None
    assert again_seconds > 0
