"""Whoever opens an address that only takes a form reads so, with a way on; programs get the bare answer."""

import pytest
from django.test import AsyncClient, Client

pytestmark = pytest.mark.django_db
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/screens/make/", "/setup/webhooks/1/do/", "/alerts/rules/", "/accounts/logout/"])
def test_opening_it_shows_a_page_with_a_way_on(path: str) -> None:
    answer = Client().get(path, headers=BROWSER)

    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert "Accept" in answer.headers["Vary"]
    text = answer.content.decode()
    assert "This address shows no page" in text
    assert 'class="button" href="/"' in text


async def test_on_the_async_stack_too() -> None:
    answer = await AsyncClient().get("/screens/make/", headers=BROWSER)

    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert b"This address shows no page" in answer.content


@pytest.mark.parametrize("accept", ["", "*/*", "application/json"])
def test_a_script_gets_no_page(accept: str) -> None:
    answer = Client().get("/screens/make/", headers={"accept": accept})

    assert (answer.status_code, answer.content) == (405, b"")


def test_addresses_of_machines_show_none() -> None:
    probe = Client().post("/metrics", headers=BROWSER)
    api = Client().post("/api/v1/openapi.json", headers=BROWSER)

    assert (probe.status_code, probe.content) == (405, b"")
    assert (api.status_code, api.headers["Content-Type"]) == (405, "application/problem+json")
