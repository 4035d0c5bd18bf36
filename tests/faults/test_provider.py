"""The provider is away, refuses, or forgets us (O6, O9)."""

import time
from itertools import pairwise
from typing import Any

import pytest

from tests.faults.conftest import IS_LONG, Note
from tests.faults.installation import Installation
from tests.faults.posting import Sender, rounds
from tests.faults.provider import newest, requests_since
from tests.harness.site import seconds_until

pytestmark = [pytest.mark.faults, pytest.mark.timeout(900)]
LONGEST_PAUSE_SECONDS = 30
POLL_SECONDS = 1.0  # as the installations of the tests are set
TROUBLES: list[dict[str, Any]] = [
    {"do": "status", "status": 503},
    {"do": "status", "status": 429},
    {"do": "status", "status": 429, "headers": {"Retry-After": "soon"}},
    {"do": "drop"},
    {"do": "malformed"},
]


@pytest.mark.promise("O6", "the whole API in trouble")
@pytest.mark.parametrize("trouble", TROUBLES if IS_LONG else TROUBLES[:1], ids=str)
def test_trouble_is_met_with_patience(site: Installation, figure: Note, trouble: dict[str, Any]) -> None:
    is_worst, lasts = trouble == TROUBLES[0] and IS_LONG, 60 if IS_LONG else 12
    lasts = 600 if is_worst else lasts
    before = newest(site)
    site.simulator.control("faults", {"at": "api", **trouble})
    time.sleep(lasts)
    asked = requests_since(site, before)
    site.simulator.control("faults/clear")
    healed_after = seconds_until(site.is_ready, LONGEST_PAUSE_SECONDS + 15)

    polls = [each["at"] for each in asked if "stats" in each["path"]]
    gaps = [(after - at) / 1000 for at, after in pairwise(polls)]
    figure(f"{len(asked)} requests in {lasts} s, {len(polls)} of them polls; live {healed_after:.1f} s after its end")
    assert len(asked) <= 30
    assert sum(gaps) / len(gaps) > 1.3 * POLL_SECONDS
    assert healed_after <= LONGEST_PAUSE_SECONDS + 5


@pytest.mark.promise("O5", "every request is answered 401")
def test_refused_tokens_are_not_asked_for_again_and_again(site: Installation, figure: Note) -> None:
    lasts = 120 if IS_LONG else 10
    before = newest(site)
    site.simulator.control("faults", {"at": "api", "do": "status", "status": 401})
    time.sleep(lasts)
    asked = requests_since(site, before)
    site.simulator.control("faults/clear")
    healed_after = seconds_until(site.is_ready, 90)

    tokens = [each for each in asked if "/oauth/token/" in each["path"]]
    figure(f"{len(tokens)} tokens and {len(asked) - len(tokens)} answers in {lasts} s; live {healed_after:.1f} s later")
    assert len(asked) <= (18 if IS_LONG else 10)
    assert healed_after <= 75


@pytest.mark.promise("O9", "the provider forgets the subscriptions")
def test_forgotten_subscriptions_come_back(site: Installation, figure: Note) -> None:
    in_force = "Subscription.objects.exclude(state='retired')"
    ids = f"sorted({in_force}.values_list('provider_id', flat=True))"
    before = site.oracle.value(ids)
    site.simulator.control("subscriptions/delete")

    def are_back() -> bool:
        states = site.oracle.value(
            "list(Subscription.objects.exclude(state='retired').values_list('state', flat=True))"
        )
        return states == ["ready", "ready"] and not set(before) & set(site.oracle.value(ids))

    took = seconds_until(are_back, 30)
    answers = Sender(site).post([(0, body) for body in rounds(f"again{time.time_ns()}", 1, ["105"])[0]])
    figure(f"both are back and ready after {took:.1f} s (they are checked every 3 s)")
    assert answers == [204]
    assert took <= 12


@pytest.mark.promise("O9", "half of a subscription's life is over")
def test_subscriptions_are_renewed_at_half_of_their_life(site: Installation, figure: Note) -> None:
    row = "Subscription.objects.filter(kind='calls').exclude(state='retired')"
    before = site.oracle.value(f"{row}.get().provider_id")
    site.oracle.ask(
        f"now = timezone.now()\n"
        f"{row}.update(renewed_at=now - timedelta(days=3.6), expires_at=now + timedelta(days=3.4))"
    )

    left = f"({row}.get().expires_at - timezone.now()).total_seconds()"
    took = seconds_until(lambda: site.oracle.value(left) > 6.9 * 86_400, 30)
    figure(f"renewed after {took:.1f} s, under the same id")
    assert site.oracle.value(f"{row}.get().provider_id") == before
