"""A secret is made once however often its form is posted, and shown by the page that the form leads on to."""

import re
import threading
import time
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest
from django.test import Client, RequestFactory

from accounts import leases
from accounts.models import User
from accounts.posting import shown_once

PAGE = "/setup/api/"


@pytest.fixture
def browser(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("ada"))
    return client


class Maker:
    """Makes secret-1, secret-2 and so on."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> tuple[str, str]:
        self.count += 1
        return PAGE, f"secret-{self.count}"


def request_of(browser: Client, request: HttpRequest) -> HttpRequest:
    request.session = type(browser.session)(browser.session.session_key)
    request.user = User.objects.get()
    return request


def posted(browser: Client, make: Maker, **form: str) -> str:
    """Where the form leads."""
    request = request_of(browser, RequestFactory().post(PAGE, form))
    return shown_once.answer(request, make).headers["Location"]


def shown(browser: Client, address: str) -> str:
    request = request_of(browser, RequestFactory().get(address))
    secret = shown_once.take(request)
    request.session.save()
    return secret


def test_a_page_shows_it_until_it_is_opened_without_the_form(browser: Client) -> None:
    address = posted(browser, Maker(), name="a")

    assert re.fullmatch(r"/setup/api/\?made=[0-9a-f]{32}", address)
    assert "secret" not in str(dict(browser.session))
    assert shown(browser, "/screens/") == ""
    assert shown(browser, address) == "secret-1"
    assert shown(browser, PAGE) == ""
    assert shown(browser, address) == ""


def test_it_is_not_shown_for_long(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address, now = posted(browser, Maker(), name="a"), time.time()
    monkeypatch.setattr(time, "time", lambda: now + shown_once.SECONDS + 1)

    assert shown(browser, address) == ""
    assert shown_once.STORED not in browser.session


def test_the_same_form_makes_one_and_another_form_another(browser: Client) -> None:
    make = Maker()
    first = posted(browser, make, name="a", csrfmiddlewaretoken="of one page")
    assert shown(browser, first) == "secret-1"

    again = posted(browser, make, name="a", csrfmiddlewaretoken="of one page")
    assert (again, make.count, shown(browser, again)) == (first, 1, "secret-1")

    other = posted(browser, make, name="a", csrfmiddlewaretoken="of another page")
    assert (make.count, shown(browser, first), shown(browser, other)) == (2, "", "")


def test_nobody_else_sees_it(browser: Client) -> None:
    address = posted(browser, Maker(), name="a")
    other = Client()
    other.force_login(User.objects.get())

    assert shown(other, address) == ""
    assert shown(browser, address) == "secret-1"


@pytest.mark.django_db(transaction=True)
def test_the_second_click_waits_for_what_the_first_one_makes() -> None:
    client, make, found = Client(), Maker(), []
    client.force_login(User.objects.create_user("ada"))
    begun = threading.Event()

    def slow() -> tuple[str, str]:
        begun.set()
        time.sleep(0.3)
        return make()

    def click(maker: Any) -> None:
        found.append(posted(client, maker, name="a"))
        connection.close()

    clicks = [threading.Thread(target=click, args=(maker,)) for maker in (slow, make)]
    clicks[0].start()
    assert begun.wait(5)
    clicks[1].start()
    for each in clicks:
        each.join(10)

    assert (make.count, len(set(found)), len(found)) == (1, 1, 2)
    assert shown(client, found[0]) == "secret-1"
    assert not leases.held([f"shown once {User.objects.get().pk}"], shown_once.LEASE_SECONDS)
