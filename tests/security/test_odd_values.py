"""Values that no database holds, in every field of every form and in every address: none is an error of ours."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import NoReverseMatch

from tests.security.asks import Ask, asks
from tests.security.company import Company
from wallboard.contacts import address_book, search
from wallboard.contacts.address_book import ContactInput
from wallboard.contacts.models import Contact
from wallboard.matrix import WHO

ODD = {"NUL": "7\0", "25 digits": "9" * 25, "5,000 letters": "x" * 5000, "no number": r"+\.@x"}
SLOW = {"setup:poll_now", "setup:check_now"}  # they ask the provider, and hold no value


def with_odd_values(ask: Ask, odd: str) -> Iterator[Ask]:
    """The same request, with the odd value in the place of each of its own in turn."""
    for name, value in ask.data.items():
        changed: Any = [odd] if isinstance(value, list) else {"layout": odd} if isinstance(value, dict) else odd
        yield Ask(ask.name, ask.method, ask.args, {**ask.data, name: changed}, ask.is_json)
        if ask.is_json and odd.isdecimal():
            yield Ask(ask.name, ask.method, ask.args, {**ask.data, name: int(odd)}, is_json=True)
    for place, value in enumerate(ask.args):
        if isinstance(value, str) or odd.isdecimal():
            args = (*ask.args[:place], int(odd) if isinstance(value, int) else odd, *ask.args[place + 1 :])
            yield Ask(ask.name, ask.method, args, ask.data, ask.is_json)


def status_of(ask: Ask, client: Client) -> int:
    """The status; 404 where no such address exists."""
    try:
        return int(ask.send(client).status_code)
    except NoReverseMatch:
        return 404


def failures(client: Client, ours: Company, odd: str) -> dict[str, int]:
    """By address and fields, what was answered as an error of ours."""
    found = {}
    for name, ask in asks(ours).items():
        for each in with_odd_values(ask, odd) if name not in SLOW else ():
            status = status_of(each, client)
            if status >= 500 and name != "readyz":
                found[f"{name} {[key for key, value in each.data.items() if value != ask.data[key]]}"] = status
    return found


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_no_odd_value_is_an_error_of_ours(ours: Company, odd: str) -> None:
    client = ours.browser("administrator", raise_request_exception=False)

    assert failures(client, ours, odd) == {}

    assert connection.is_usable()


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_no_odd_selection_in_the_admin_site_is_an_error_of_ours(ours: Company, odd: str) -> None:
    client = ours.browser("superuser", raise_request_exception=False)
    statuses = {
        f"{table} {name}": client.post(f"/admin/{table}/", {"action": action, name: odd}).status_code
        for table in ("accounts/user", "accounts/person", "calls/subscription", "screens/screen", "contacts/link")
        for action in ("delete_selected", "end_sessions")
        for name in ("_selected_action", "select_across", "index")
    }
    statuses |= {
        f"{table} {name}=": client.get(f"/admin/{table}/", {name: odd}).status_code
        for table in ("accounts/user", "accounts/person", "calls/subscription", "calls/leg", "accounts/auditentry")
        for name in ("q", "p", "o", "e", "domain__id__exact", "role__exact", "at__day", "_to_field")
    }
    statuses |= {f"{path}": client.get(path).status_code for path in (f"/admin/accounts/user/{odd[:30]}/change/",)}

    assert {asked: status for asked, status in statuses.items() if status >= 500} == {}


@pytest.mark.parametrize("host", ["testserver:99999", "testserver:x", "testserver:" + "9" * 500])
def test_no_odd_host_is_an_error_of_ours(ours: Company, host: str) -> None:
    client = ours.browser("administrator", raise_request_exception=False)
    paths = ("/", "/accounts/login/", "/pair/", "/setup/", "/screens/", "/healthz", "/metrics", "/admin/")

    assert {path: status for path in paths if (status := client.get(path, HTTP_HOST=host).status_code) >= 500} == {}


@pytest.mark.parametrize(
    "path",
    [
        *("/boards/%00/", "/boards/a%00/edit/", "/boards/images/1/%00/", "/screen/%00/", "/screen/images/1/%00/"),
        *("/brand/1/%00/", "/admin/accounts/user/%00/change/", "/nowhere%00/"),
    ],
)
def test_no_nul_in_a_path_is_an_error_of_ours(ours: Company, path: str) -> None:
    statuses = {who: ours.browser(who, raise_request_exception=False).get(path).status_code for who in WHO}

    assert {who: status for who, status in statuses.items() if status >= 500} == {}


def test_odd_addresses_of_contacts_are_kept_and_found(ours: Company) -> None:
    for number in (r"+\.@x", r"\@y", r"a\b@x", "%_@x"):
        address_book.save(ours.domain, ContactInput(f"odd {number}", numbers=(number,)))

    assert Contact.objects.filter(domain=ours.domain, name__startswith="odd").count() == 4
    assert len(search.search(ours.domain, "odd").contacts) == 4
