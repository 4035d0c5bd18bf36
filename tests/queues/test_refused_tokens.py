"""Ten minutes of a provider that refuses tokens, second by second: how long boards are dark, and what it costs."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
import requests
import responses
import time_machine

from accounts.models import CompanyToken, Domain
from tests.queues.conftest import BASE_URL, STATS_URL
from wallboard.queues import pacing, polling
from wallboard.queues.models import PollState

pytestmark = pytest.mark.one_database

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
PLAYED_SECONDS = 636
DARK_BEFORE_SECONDS = 515.0  # measured when a second refusal in a row was met with a pause of five minutes
STEP_SECONDS = 0.5
Answer = tuple[int, dict[str, str], str]
REFUSED = [401, 403]


@dataclass
class Provider:
    """Accepts the newest token unless told otherwise; `refuses` says whether a request at that second is refused."""

    clock: time_machine.Traveller
    status: int
    refuses: Callable[[float], bool] = lambda _: False
    tokens: int = 1
    has_token: bool = True
    asked: list[str] = field(default_factory=list)

    @property
    def second(self) -> float:
        return (datetime.now(UTC) - START).total_seconds()

    def revoke(self) -> None:
        """No token that was given out so far is good any more."""
        self.has_token = False

    def token(self, request: requests.PreparedRequest) -> Answer:
        self.asked.append("token")
        self.tokens, self.has_token = self.tokens + 1, True
        return 200, {}, json.dumps({"access_token": f"token-{self.tokens}", "expires_in": 3599})

    def api(self, request: requests.PreparedRequest) -> Answer:
        self.asked.append(str(request.method))
        is_newest = request.headers["Authorization"] == f"Bearer token-{self.tokens}" and self.has_token
        if not is_newest or self.refuses(self.second):
            return self.status, {}, ""
        return 200, {}, "[]" if request.method == "GET" else json.dumps({"id": "7", "events": []})


@pytest.fixture(params=REFUSED)
def played(request: pytest.FixtureRequest, domain: Domain, provider: responses.RequestsMock) -> Iterator[Provider]:
    """The provider at twelve, by its own clock and ours, with nobody known to it yet."""
    CompanyToken.objects.all().delete()
    with time_machine.travel(START, tick=False) as clock:
        fake = Provider(clock, request.param)
        provider.add_callback("POST", f"{BASE_URL}/api/oauth/token/", fake.token)
        provider.add_callback("GET", STATS_URL, fake.api)
        provider.add_callback("POST", f"{BASE_URL}/api/subscriptions/", fake.api)
        yield fake


def play(
    domain: Domain, provider: Provider, seconds: float = PLAYED_SECONDS, revoked_at: tuple[float, ...] = ()
) -> float:
    """Let the time pass with polls as they are due; answers for how many seconds boards knew that something failed."""
    dark, to_revoke = 0.0, list(revoked_at)
    until, state = provider.second + seconds, PollState.objects.filter(domain=domain).first()
    while provider.second < until:
        if to_revoke and provider.second >= to_revoke[0]:
            provider.revoke()
            to_revoke.pop(0)
        if pacing.is_due(domain, state, datetime.now(UTC)):
            polling.poll(Domain.objects.get(pk=domain.pk))
            state = PollState.objects.get(domain=domain)  # nobody else writes it
        assert state is not None
        is_live = state.read_at is not None and datetime.now(UTC) - state.read_at <= pacing.live_for(domain)
        dark += 0.0 if is_live and not state.failure else STEP_SECONDS
        provider.clock.shift(timedelta(seconds=STEP_SECONDS))
    return dark


def test_four_refusals_two_of_them_within_seconds(domain: Domain, played: Provider) -> None:
    moments = [30.0, 150.0, 153.0, 400.0]

    def refuses(second: float) -> bool:
        is_refused = bool(moments) and second >= moments[0]
        return is_refused and bool(moments.pop(0))

    played.refuses = refuses

    assert play(domain, played) == 0.0
    assert moments == []


def test_every_tenth_request_is_refused(domain: Domain, played: Provider) -> None:
    draw = random.Random(7)
    played.refuses = lambda _: draw.random() < 0.1

    assert play(domain, played) < DARK_BEFORE_SECONDS / 10


def test_tokens_are_revoked_again_and_again(domain: Domain, played: Provider) -> None:
    dark = play(domain, played, revoked_at=(30, 33, 36, 200, 203, 206, 420, 500, 503, 506))

    assert dark < DARK_BEFORE_SECONDS / 10


def test_restart_that_refuses_everything_for_a_while_and_then_wants_new_tokens(
    domain: Domain, played: Provider
) -> None:
    played.refuses = lambda second: 60 <= second % 200 < 68

    dark = play(domain, played, revoked_at=(68, 268, 468))

    assert dark < DARK_BEFORE_SECONDS / 10


def test_ten_minutes_of_refusals_cost_thirty_requests_and_end_within_a_minute(domain: Domain, played: Provider) -> None:
    play(domain, played, 30)
    asked, played.refuses = len(played.asked), lambda second: second < 630
    dark = play(domain, played, 600)
    cost = len(played.asked) - asked

    dark_afterwards = play(domain, played, 120)

    assert dark == pytest.approx(600, abs=10)
    assert cost <= 30
    assert dark_afterwards <= 60
    assert PollState.objects.get().failures == 0


def test_company_that_begins_while_the_provider_refuses_it(domain: Domain, played: Provider) -> None:
    played.refuses = lambda second: second < 20

    dark = play(domain, played, 60)

    assert dark < 20 + 16
    assert len(played.asked) < 30
