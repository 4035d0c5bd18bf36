"""Who a token's person is: the subscription's read-back and a field of the token answer."""

from typing import Any

import pytest

from tests.simulator.conftest import Provider
from wallboard.simulator.floor.company import DOMAIN

pytestmark = pytest.mark.flow
NOWHERE = "http://127.0.0.1:9/"


def read_back(provider: Provider, extension: str) -> Any:
    """The events of a subscription that this person's own token made."""
    token = provider.user_token(extension)
    created = provider.subscribe(token, NOWHERE).json()
    return provider.read(token, created["id"]).json()["events"]


@pytest.mark.parametrize(
    ("form", "events"),
    [
        ("own", [{"type": "calls", "user": "103"}]),
        ("other", [{"type": "calls", "user": "104"}]),
        ("null", [{"type": "calls", "user": None}]),
        ("empty", []),
    ],
)
def test_read_back_user(provider: Provider, form: str, events: object) -> None:
    provider.dialect(read_back_user=form)

    assert read_back(provider, "103") == events


def test_read_back_extension(provider: Provider) -> None:
    provider.dialect(read_back_user="other", read_back_extension="103")

    assert read_back(provider, "103")[0]["user"] == "104"
    assert read_back(provider, "105")[0]["user"] == "105"


def test_read_back_of_the_company_stays_whole(provider: Provider) -> None:
    provider.dialect(read_back_user="empty")
    token = provider.company_token()

    created = provider.subscribe(token, NOWHERE).json()

    assert provider.read(token, created["id"]).json()["events"] == [{"type": "calls", "user": None}]


def test_user_form_of_the_read_back_and_of_requests(provider: Provider) -> None:
    provider.dialect(user_form="address")
    token = provider.company_token()

    created = provider.subscribe(token, NOWHERE, user=f"103@{DOMAIN}").json()

    assert read_back(provider, "103") == [{"type": "calls", "user": f"103@{DOMAIN}"}]
    assert provider.read(token, created["id"]).json()["events"] == [{"type": "calls", "user": f"103@{DOMAIN}"}]


@pytest.mark.parametrize(
    ("switches", "user"),
    [
        ({}, "103"),
        ({"named_user": "other"}, "104"),
        ({"user_form": "address"}, f"103@{DOMAIN}"),
    ],
)
def test_token_user_field_and_named_user(provider: Provider, switches: dict[str, str], user: str) -> None:
    assert "extension" not in provider.exchange(provider.code("103")).json()
    provider.dialect(token_user_field="extension", **switches)

    answer = provider.exchange(provider.code("103")).json()

    assert answer["extension"] == user
    assert "extension" not in provider.company().json()


def test_the_probe_can_fail_once_while_the_company_is_served(provider: Provider) -> None:
    provider.control("faults", at="subscriptions.create", do="status", status=403, token="user", times=1)
    person, company = provider.user_token("103"), provider.company_token()

    statuses = [provider.subscribe(token, NOWHERE).status_code for token in (company, person, person)]

    assert statuses == [201, 403, 201]
