"""Times in other zones and forms, and wrong ones."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

import pytest
import requests

from tests.simulator.conftest import Provider
from tests.simulator.dialect.runs import PlacedCall
from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.messages.times import call_time, expires_text

SUMMER = datetime(2026, 7, 1, 12, 30, 15, 250_000, UTC)
pytestmark = pytest.mark.flow


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("UTC", "2026-07-01 12:30:15"),
        ("Europe/Berlin", "2026-07-01 14:30:15"),
        ("Asia/Kathmandu", "2026-07-01 18:15:15"),
        ("Pacific/Honolulu", "2026-07-01 02:30:15"),
    ],
)
def test_call_time_zone(zone: str, text: str) -> None:
    assert call_time(SUMMER, Dialect(call_time_zone=zone)) == text


def test_call_time_zone_of_messages() -> None:
    utc, berlin = PlacedCall("101"), PlacedCall("101", call_time_zone="Europe/Berlin")

    assert utc.messages[-1]["time_start"] == "2026-01-05 10:00:01"
    assert (berlin.messages[-1]["time_start"], berlin.messages[-1]["time_answer"]) == (
        "2026-01-05 11:00:01",
        "2026-01-05 11:00:06",
    )


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("utc", "Mon, 05 Jan 2026 10:00:01 +0000"),
        ("local", "Mon, 05 Jan 2026 11:00:01 +0100"),
        ("mislabelled", "Mon, 05 Jan 2026 11:00:01 +0000"),
    ],
)
def test_record_times(form: str, text: str) -> None:
    [record] = PlacedCall("101", record_times=form, call_time_zone="Europe/Berlin").records

    assert record["start_time"] == text
    assert record["duration"] == 25


@pytest.mark.parametrize(
    ("zone", "suffix", "fraction", "text"),
    [
        ("UTC", "none", True, "2026-07-01T12:30:15.250000"),
        ("UTC", "z", False, "2026-07-01T12:30:15Z"),
        ("Europe/Berlin", "none", True, "2026-07-01T14:30:15.250000"),
        ("Europe/Berlin", "offset", False, "2026-07-01T14:30:15+02:00"),
    ],
)
def test_expires_zone_expires_suffix_and_expires_fraction(zone: str, suffix: str, fraction: bool, text: str) -> None:
    dialect = Dialect(expires_zone=zone, expires_suffix=suffix, expires_fraction=fraction)

    assert expires_text(SUMMER, dialect) == text


def seconds_until(text: str, provider: Provider) -> float:
    now = datetime.fromisoformat(provider.control("clock", seconds=0)["now"])
    return (datetime.fromisoformat(text).replace(tzinfo=UTC) - now).total_seconds()


def test_expires_of_both_answers_speaks_the_dialect(provider: Provider) -> None:
    provider.dialect(expires_zone="Asia/Kathmandu", expires_suffix="offset", expires_fraction="off")

    token = provider.company().json()
    created = provider.subscribe(token["access_token"], "http://127.0.0.1:9/").json()

    for text in (token["expires"], created["expires"]):
        assert datetime.fromisoformat(text).utcoffset() == timedelta(hours=5, minutes=45)
        assert "." not in text
        assert abs(seconds_until(datetime.fromisoformat(text).astimezone(UTC).isoformat(), provider) - 3600) < 5


@pytest.mark.parametrize("error", [604_800, -604_800])
def test_token_expires_error_seconds(provider: Provider, error: float) -> None:
    provider.dialect(token_expires_error_seconds=error)

    answer = provider.company().json()

    assert abs(seconds_until(answer["expires"], provider) - 3600 - error) < 5
    assert provider.stats(answer["access_token"]).status_code == 200


@pytest.mark.parametrize("error", [604_800, -604_800])
def test_subscription_expires_error_seconds(provider: Provider, error: float) -> None:
    provider.dialect(subscription_expires_error_seconds=error)
    token = provider.company_token()

    created = provider.subscribe(token, "http://127.0.0.1:9/").json()

    read = provider.read(token, created["id"]).json()
    assert read["expires"] == created["expires"]
    assert abs(seconds_until(created["expires"], provider) - 3600 - error) < 5


@pytest.mark.parametrize("error", [0, 7200, -86_400])
def test_date_header_error_seconds(provider: Provider, error: float) -> None:
    provider.dialect(date_header_error_seconds=error)

    for answer in (provider.company(), requests.get(f"{provider.url}/nothing", timeout=5)):
        difference = parsedate_to_datetime(answer.headers["Date"]) - datetime.now(ZoneInfo("UTC"))
        assert abs(difference.total_seconds() - error) < 5
