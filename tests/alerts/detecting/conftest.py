"""A company whose figures, subscription and calls are rows, and looks at it as the tasks look."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import Domain, Person
from wallboard.alerts.detecting import looking
from wallboard.alerts.models import Alert
from wallboard.calls.models import Leg, Presence, Subscription
from wallboard.queues.models import PollState, Queue

Figures = Callable[..., None]
Look = Callable[..., list[Alert]]
Ring = Callable[..., Leg]
EVERY = {**looking.OFTEN, **looking.SELDOM}


@pytest.fixture
def figures(domain: Domain, support: Queue) -> Figures:
    """What the provider says of the queue Support now, e.g. `figures(waiting=2, available=0)`."""

    def read(**said: Any) -> None:
        state, _ = PollState.objects.get_or_create(domain=domain)
        state.version, state.read_at, state.tried_at = state.version + 1, timezone.now(), timezone.now()
        state.failing_since, state.failure = None, ""
        state.figures = {support.number: (state.version, {"level": "normal", "missing_since": None, **said})}
        state.save()

    return read


@pytest.fixture
def events(domain: Domain, clock: time_machine.Traveller) -> Subscription:
    """A subscription that works; each look brings word of it."""
    now = timezone.now()
    return Subscription.objects.create(
        domain=domain, kind="calls", state="ready", secret=sealed("s"), secret_hash="h", request_body=sealed("{}"),
        ready_at=now, heard_at=now, checked_at=now, expires_at=now + timedelta(days=7),
    )  # fmt: skip


@pytest.fixture
def look(domain: Domain, clock: time_machine.Traveller, django_capture_on_commit_callbacks: Any) -> Look:
    """Look for one kind again and again for so many seconds, with these figures where any are given.

    Gives the open alerts of the kind.
    """

    def looked(kind: str, seconds: float, read: Figures | None = None, **said: Any) -> list[Alert]:
        step = 10 if kind in looking.OFTEN else 60
        for _ in range(int(seconds // step) + 1):
            Subscription.objects.update(checked_at=timezone.now())
            if read is not None:
                read(**said)
            with django_capture_on_commit_callbacks(execute=True):
                # As the tasks do: what is not worth a look gets none.
                if kind in looking.worth([domain.pk], often=kind in looking.OFTEN).get(domain.pk, ()):
                    looking.look(domain, {kind: EVERY[kind]})
            clock.shift(timedelta(seconds=step))
        clock.shift(timedelta(seconds=-step))
        return list(Alert.objects.filter(kind=kind, ended_at=None))

    return looked


@pytest.fixture
def ring(domain: Domain, clock: time_machine.Traveller) -> Ring:
    """A call at a phone, so many seconds ago: it rang so long and was answered, or not; `call` joins legs."""
    numbers = count(1)

    def rang(
        extension: str, ago: float = 0, lasts: float | None = 20, *, answered: bool = False, call: str = "", **more: Any
    ) -> Leg:
        at = timezone.now() - timedelta(seconds=ago)
        ended = None if lasts is None else at + timedelta(seconds=lasts)
        values: dict[str, Any] = {
            "ringing_at": at,
            "ended_at": ended,
            "to_state": "ringing" if ended is None else "ended",
        }
        if answered:
            values |= {"active_at": at + timedelta(seconds=5), "is_answered": True}
        return Leg.objects.create(
            domain=domain, from_call_id=call or f"c{next(numbers)}", to_call_id=f"t{next(numbers)}", to_user=extension,
            first_seen_at=at, heard_at=ended or timezone.now(), **(values | more),
        )  # fmt: skip

    return rang


@pytest.fixture
def people(domain: Domain, clock: time_machine.Traveller) -> list[Person]:
    """Ben at 102 and Cleo at 103, both idle."""
    made = [
        Person.objects.create(domain=domain, extension=f"10{n}", name=name) for n, name in ((2, "Ben"), (3, "Cleo"))
    ]
    for person in made:
        Presence.objects.create(person=person, state="idle", since=timezone.now())
    return made
