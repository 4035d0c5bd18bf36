"""Every page answers what somebody writes into its address by hand, whatever it is."""

import pytest

from tests.security.asks import Ask, asks
from tests.security.company import Company

DAYS, NUMBERS = ("first", "last"), ("board_version", "number", "page", "version")
WORDS = ("code", "domain", "error", "figure", "leave", "next", "of", "q", "queue", "state", "tab")
MANY_DIGITS = "9" * 5000  # more than Python turns into a number


def values(day: str, number: str, words: str) -> dict[str, str]:
    """A value for every name that an address may hold."""
    return dict.fromkeys(DAYS, day) | dict.fromkeys(NUMBERS, number) | dict.fromkeys(WORDS, words)


@pytest.mark.parametrize(
    "asked",
    [
        values("9999-12-31", MANY_DIGITS, "%_"),
        values("0001-01-01", "²", "%_\\'\"") | {"as": "csv"},
        values("2026-W01-1", str(2**63), MANY_DIGITS),
    ],
    ids=["last day", "first day, as CSV", "no day"],
)
def test_no_value_in_an_address_is_a_mistake_of_ours(ours: Company, asked: dict[str, str]) -> None:
    client = ours.browser("administrator", raise_request_exception=False)
    gets = {name: ask for name, ask in asks(ours).items() if ask.method == "get" and name != "readyz"}

    statuses = {
        name: Ask(name, "get", ask.args, {**ask.data, **asked}).send(client).status_code for name, ask in gets.items()
    }

    assert {name: status for name, status in statuses.items() if status >= 500} == {}


@pytest.mark.parametrize("day", ["9999-12-31", "1999-12-31", "yesterday"])
def test_a_day_that_nobody_can_mean_is_told(ours: Company, day: str) -> None:
    client = ours.browser("supervisor")

    calls = client.get("/calls/", {"first": day, "as": "csv"})
    reports = client.get("/reports/", {"first": day, "last": day})

    assert (calls.status_code, reports.status_code) == (400, 400)
    assert "Choose a day between 2000-01-01 and 2100-12-31." in calls.content.decode()
    assert "Choose a day between 2000-01-01 and 2100-12-31." in reports.content.decode()
