"""One setting of the company for 12 or 24 hours: on the server and in the browser, and no time looks like a length."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from accounts import company_day
from accounts.models import Domain
from tests.boards.conftest import Show, SignIn
from wallboard.calls.models import Leg

FIVE_PAST_EIGHT = datetime(2026, 3, 4, 20, 5, 9, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("clock", "moment", "text"),
    [
        ("24", FIVE_PAST_EIGHT, "20:05"),
        ("24", FIVE_PAST_EIGHT.replace(hour=0), "00:05"),
        ("12", FIVE_PAST_EIGHT, "8:05 PM"),
        ("12", FIVE_PAST_EIGHT.replace(hour=0), "12:05 AM"),
        ("nonsense", FIVE_PAST_EIGHT, "20:05"),
    ],
)
def test_a_time_is_written_as_the_company_does(clock: str, moment: datetime, text: str) -> None:
    assert company_day.clock_text(clock, moment) == text


@pytest.mark.parametrize(("clock", "text"), [("24", "20:05:09"), ("12", "8:05:09 PM")])
def test_pages_of_the_server_write_it_so(domain: Domain, sign_in: SignIn, clock: str, text: str) -> None:
    Domain.objects.update(clock=clock)
    Leg.objects.create(
        domain=domain, from_call_id="c", to_call_id="t", from_number="+4930901820", first_seen_at=FIVE_PAST_EIGHT,
        heard_at=FIVE_PAST_EIGHT, ended_at=FIVE_PAST_EIGHT + timedelta(seconds=5),
    )  # fmt: skip

    page = sign_in("supervisor").get("/calls/").content.decode()

    assert f">4 Mar {text}</time>" in page
    assert f'data-clock="{clock}"' in page


WRITTEN = """async ([zone, at]) => {
    const { clock, time, coming } = await import("/static/js/lib/format.js");
    return [time(at, zone), clock(at, zone, at + 86400000), coming(at, zone, at - 60000)];
}"""


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
@pytest.mark.parametrize(
    ("clock", "hour", "texts"), [("24", 20, ["20:05"] * 2), ("24", 0, ["00:05"] * 2), ("12", 20, ["8:05 PM"] * 2)]
)
def test_scripts_write_it_so_whatever_the_browser_prefers(
    show: Show, domain: Domain, locale: str, clock: str, hour: int, texts: list[str]
) -> None:
    Domain.objects.update(clock=clock)
    page = show(locale=locale).page

    at = int(FIVE_PAST_EIGHT.replace(hour=hour).timestamp() * 1000)
    time, other_day, coming = page.evaluate(WRITTEN, ["Europe/Berlin", at])

    assert [each.replace("\u202f", " ") for each in (time, coming)] == texts
    assert other_day.replace("\u202f", " ").endswith(texts[0])


def test_the_clock_of_a_board_says_morning_or_evening_where_it_has_twelve_hours(show: Show, domain: Domain) -> None:
    Domain.objects.update(clock="12")

    expect(show(locale="en-GB").page.locator(".board-clock")).to_have_text(re.compile(r"^\d{1,2}:\d\d\s[AaPp][Mm]$"))
