"""A person with several devices, and how a call went where news of its answer were lost."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from accounts.access import Viewer
from accounts.models import Domain, Person
from tests.calls.conftest import Deliver
from tests.calls.events import event, record
from wallboard.calls import documents
from wallboard.desk import agent_day

START = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = START + timedelta(seconds=5)
END = START + timedelta(seconds=125)


def outcomes(domain: Domain, extension: str) -> list[tuple[str, str, str]]:
    told = [msgspec.to_builtins(value) for _, (_, value) in sorted(documents.desk(domain.pk, extension).items())]
    return [(each["state"], each["outcome"], each["by"]) for each in told]


@pytest.fixture
def on_two_devices(domain: Domain, deliver: Deliver, clock: Any) -> None:
    """Both ring; the one that rang first is answered."""
    deliver(event("ringing", leg="desk-phone"), event("ringing", leg="softphone"), at=START)
    clock.shift(5)
    deliver(event("active", leg="desk-phone"), event(("active", "ended"), leg="softphone"), at=LATER)


@pytest.mark.usefixtures("on_two_devices")
def test_what_rang_beside_the_answered_device_was_not_missed(domain: Domain, deliver: Deliver, clock: Any) -> None:
    assert outcomes(domain, "101") == [("talking", "", ""), ("ended", "answered", "")]

    clock.shift(120)
    deliver(event("ended", leg="desk-phone"), at=END)
    mia = Person.objects.get(extension="101")
    day = agent_day.day(Viewer(domain.pk, mia.role, mia.pk, "101", None), domain)

    assert (day["figures"]["answered"], day["figures"]["missed"]) == (1, 0)
    assert [(each["outcome"], each["talked"]) for each in day["calls"]] == [("answered", "2:00")]


@pytest.mark.usefixtures("on_two_devices")
def test_the_same_call_may_be_missed_once_it_rings_again(domain: Domain, deliver: Deliver, clock: Any) -> None:
    clock.shift(120)
    deliver(event("ended", leg="desk-phone"), at=END)
    deliver(event("ringing", leg="again"), event("ended", leg="again"), at=END)
    mia = Person.objects.get(extension="101")

    assert outcomes(domain, "101")[-1] == ("ended", "missed", "")
    day = agent_day.day(Viewer(domain.pk, mia.role, mia.pk, "101", None), domain)
    assert [each["outcome"] for each in day["calls"]] == ["missed"]


@pytest.mark.parametrize("proof", [event("ended", time_answer="2026-11-20 10:00:05"), record()])
def test_a_colleague_whose_answer_was_lost_took_the_call(
    proof: bytes, domain: Domain, deliver: Deliver, clock: Any
) -> None:
    deliver(event("ringing"), event("ringing", leg="l2", user="102"), at=START)
    clock.shift(5)
    deliver(event(("active", "ended"), leg="l2", user="102"), at=LATER)
    assert outcomes(domain, "102") == [("ended", "missed", "")]

    clock.shift(120)
    deliver(proof, at=END)

    assert outcomes(domain, "102") == [("ended", "taken", "101")]
