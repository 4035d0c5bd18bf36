"""Call events that stop against the polled figures are said to be down within two polls, and asked for anew."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Domain
from tests.calls.conftest import START, arrival, of_kind, say_ready
from tests.calls.events import event, set_up
from tests.calls.fake_provider import FakeProvider
from wallboard.calls.models import Leg, Subscription
from wallboard.calls.subscriptions import expiry, health, maintenance, missed_events, missed_events_watch
from wallboard.calls.webhooks import intake
from wallboard.queues.models import PollState, Queue, Reading


class Floor:
    """The polled figures of one queue, read every five seconds."""

    def __init__(self, domain: Domain, clock: Any) -> None:
        self.domain, self.clock = domain, clock
        self.stood, self.passed_over = -1, 0

    def read(self, *waiting: int) -> None:
        for count in waiting:
            self.clock.shift(timedelta(seconds=5))
            figures = {"900": [count, 0, 0, 4, 2, "normal"]}
            Reading.objects.create(domain=self.domain, read_at=timezone.now(), figures=figures)
            if count != self.stood:
                self.stood = count
                PollState.objects.update_or_create(domain=self.domain, defaults={"moved_at": timezone.now()})
            self._is_seen_by_the_rounds()
            missed_events_watch.watch(self.domain)

    def _is_seen_by_the_rounds(self) -> None:
        """A company that they pass over would not have been found silent."""
        domain = Domain.objects.select_related("poll_state").get(pk=self.domain.pk)
        is_passed_over = not missed_events.may_be_silent(
            domain, domain.subscriptions.filter(kind="calls"), timezone.now()
        )
        self.passed_over += is_passed_over
        is_found_already = domain.subscriptions.filter(kind="calls", silent_at__isnull=False).exists()
        assert not is_passed_over or is_found_already or missed_events.of(self.domain) is None

    @property
    def state(self) -> str:
        return health.of(self.domain.pk).state


@pytest.fixture
def floor(domain: Domain, provider: FakeProvider, clock: Any, settings: Any) -> Floor:
    """Events are live; a caller waits in queue 900, as an event has told."""
    settings.POLL_SECONDS = 5
    Queue.objects.create(domain=domain, number="900")
    maintenance.check(domain)
    say_ready()
    tell("c1")
    return Floor(domain, clock)


def tell(call: str, state: str = "active") -> None:
    body = event(state, call=call, leg=call, user="900", is_human=False)
    intake.commit([arrival(of_kind("calls"), body)])


def test_figures_that_move_without_events_turn_them_down_within_two_polls(floor: Floor) -> None:
    floor.read(1, 1, 1, 1)
    assert floor.state == "live"

    floor.read(3)
    assert floor.state == "live"
    floor.read(3)

    assert floor.state == "down"
    assert health.of(floor.domain.pk).since == START


def test_the_next_event_turns_them_live_again_and_the_news_is_newer(floor: Floor) -> None:
    floor.read(1, 1, 1, 3, 3)
    down = health.of(floor.domain.pk)

    tell("c2")

    live = health.of(floor.domain.pk)
    assert (down.state, live.state) == ("down", "live")
    assert live.version > down.version


def test_a_subscription_that_falls_silent_is_made_anew_at_once_and_not_again_and_again(
    floor: Floor, provider: FakeProvider
) -> None:
    [calls, _records] = provider.bodies
    provider.live.clear()

    floor.read(1, 1, 1, 3, 3, 4, 5, 6, 7)

    assert provider.bodies == [calls, _records, calls]
    intake.commit([arrival(of_kind("calls"), set_up("ready"))])
    assert floor.state == "live"


def test_one_caller_whom_the_figures_show_late_is_no_silence(floor: Floor) -> None:
    floor.read(0, 0, 0, 0, 1, 1, 1, 1)

    assert floor.state == "live"


def test_a_figure_that_jumps_for_one_poll_is_no_silence(floor: Floor) -> None:
    floor.read(1, 1, 1, 4, 1, 1, 1)

    assert floor.state == "live"


@pytest.mark.parametrize("seed", range(8))
def test_no_company_is_passed_over_whose_events_are_missing(floor: Floor, seed: int) -> None:
    chance = random.Random(seed)
    counts = [1]
    for _ in range(60):
        counts.append(max(0, counts[-1] + (chance.choice((-1, 1, 2)) if chance.random() < 0.15 else 0)))

    floor.read(*counts)  # which looks for itself at each reading

    assert floor.passed_over > 5


def test_where_events_do_not_show_queues_waiting_callers_prove_nothing(floor: Floor) -> None:
    Queue.objects.update(number="901")
    Leg.objects.update(queue="")

    floor.read(1, 1, 1, 3, 3, 5, 5)

    assert floor.state == "live"


# what deliveries prove, and what the provider says of its own subscriptions


@pytest.mark.parametrize("messages", [[], ["preparing"]])
def test_deliveries_prove_a_subscription_whatever_became_of_its_set_up_messages(
    domain: Domain, provider: FakeProvider, clock: Any, messages: list[str]
) -> None:
    maintenance.check(domain)
    row = of_kind("calls")
    intake.commit([arrival(row, set_up(state)) for state in messages])
    clock.shift(70)
    maintenance.check(domain)
    assert health.of(domain.pk).state == "down"

    intake.commit([arrival(row, event("ringing"))])

    row.refresh_from_db()
    assert (row.state, row.failure, health.of(domain.pk).state) == (Subscription.State.READY, "", "live")


@pytest.mark.parametrize("error", [timedelta(days=-7, seconds=-30), timedelta(days=-30)])
def test_an_end_that_cannot_be_right_is_not_believed(
    domain: Domain, provider: FakeProvider, clock: Any, error: timedelta
) -> None:
    provider.lives_for += error
    maintenance.check(domain)
    say_ready()

    for _ in range(30):
        clock.shift(20)
        maintenance.check(domain)

    row = of_kind("calls")
    assert (len(provider.bodies), health.of(domain.pk).state) == (2, "live")
    assert (row.expires_at, row.doubted_expiry) == (START + timedelta(days=7), START + timedelta(days=7) + error)


def test_an_end_is_measured_by_the_providers_own_clock(domain: Domain, provider: FakeProvider, clock: Any) -> None:
    provider.provider_time = START + timedelta(days=9)
    provider.lives_for = timedelta(days=12)

    maintenance.check(domain)

    assert of_kind("calls").expires_at == START + timedelta(days=3)


def test_an_end_that_comes_near_is_believed_and_renewed(domain: Domain, provider: FakeProvider, clock: Any) -> None:
    provider.lives_for = timedelta(seconds=100)
    maintenance.check(domain)
    say_ready()
    provider.expiries = dict.fromkeys(provider.expiries, START + timedelta(seconds=49))

    clock.shift(60)
    maintenance.check(domain)
    clock.shift(1)
    maintenance.check(domain)

    assert len(provider.bodies) == 4
    assert of_kind("calls").doubted_expiry is None


def test_who_delivers_lives_whatever_the_provider_says(domain: Domain, provider: FakeProvider, clock: Any) -> None:
    maintenance.check(domain)
    say_ready()
    Subscription.objects.update(expires_at=START + timedelta(seconds=10), checked_at=START)
    clock.shift(20)
    assert health.of(domain.pk).state == "down"

    intake.commit([arrival(of_kind("calls"), event("ringing"))])

    assert health.of(domain.pk).state == "live"


def test_a_check_interval_as_short_as_beats_tick_is_kept(
    domain: Domain, provider: FakeProvider, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "CHECKED_FOR", expiry.checked_for(10))
    maintenance.check(domain)
    say_ready()

    for _ in range(10):
        clock.shift(9.9)  # a tick is now and then a little early
        maintenance.check(domain)

    assert len(provider.reads) == 20
