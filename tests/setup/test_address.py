"""The page and the wizard's step that move the installation to another address."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.companies import public_address
from accounts.models import Domain, Person, User
from accounts.signin import joining
from accounts.signin.start_throttle import StartThrottle
from tests.accounts.companies.test_public_address import free  # noqa: F401
from tests.accounts.conftest import make_domain
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import maintenance
from wallboard.setup.starting import steps, way_in
from wallboard.setup.views import address

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("free")]
PAGE, STEP = "/setup/address/", "/setup/start/address/"
NEW = "http://wall.test:8123"


@pytest.fixture
def domain() -> Domain:
    return make_domain("main")


@pytest.fixture
def ada(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> User:
    """The administrator of the only company."""
    monkeypatch.setattr(address, "tries", StartThrottle(address.MOST_TRIES))
    user = User.objects.create_user("ada", password="a-long-enough-phrase")
    Person.objects.create(domain=domain, user=user, extension=joining.LOCAL_EXTENSION, role="administrator")
    return user


@pytest.fixture
def browser(ada: User) -> Client:
    client = Client()
    client.force_login(ada)
    return client


@pytest.fixture
def good(monkeypatch: pytest.MonkeyPatch) -> None:
    """The way to the new address is open; tests/flows has a real one."""
    monkeypatch.setattr(way_in, "public_address", lambda base: iter([way_in.Look("Way in", "good", base)]))


@pytest.mark.parametrize("path", [PAGE, STEP])
def test_the_site_moves_and_whoever_moved_it_comes_along(path: str, browser: Client, good: None, ada: User) -> None:
    User.objects.update(is_operator=path == PAGE)
    page = browser.post(path, {"address": NEW})
    (onward,) = re.findall(r'id="onward" href="http://wall.test:8123([^"]+)"', page.content.decode())
    there = Client(headers={"host": "wall.test:8123"})
    arrived, again = there.get(onward), Client(headers={"host": "wall.test:8123"}).get(onward)

    assert public_address.url() == NEW
    assert arrived.headers["Location"] == "/setup/start/events/"
    assert there.get(STEP).status_code == 200
    assert again.status_code == 404
    assert NEW in there.get("/setup/").content.decode()


def test_an_address_that_leads_nowhere_is_stored_only_if_somebody_is_certain(browser: Client) -> None:
    typed = {"address": "http://nowhere.invalid.test"}
    refused = browser.post(STEP, typed)
    before = public_address.url()
    taken = browser.post(STEP, typed | {"is_certain": "on"})

    assert refused.status_code == 400
    assert "is not known here" in refused.content.decode()
    assert before == "http://testserver"
    assert taken.status_code == 200
    assert public_address.url() == "http://nowhere.invalid.test"


def test_nonsense_is_refused_beside_its_field(browser: Client) -> None:
    answer = browser.post(STEP, {"address": "https://wall.example.com/board"})

    assert answer.status_code == 400
    assert "without a path" in answer.content.decode()


def test_the_page_says_that_the_environment_wins(browser: Client, good: None, settings: Any) -> None:
    settings.IS_PUBLIC_URL_FIXED = True

    page = browser.get(STEP).content.decode()
    browser.post(STEP, {"address": NEW})

    assert "PUBLIC_URL" in page
    assert 'name="address"' not in page
    assert public_address.url() == "http://testserver"


def test_with_several_companies_only_the_operator_moves_the_site(browser: Client, good: None, ada: User) -> None:
    make_domain("acme")
    read = browser.get(STEP).content.decode()
    refused = [browser.post(path, {"address": NEW}).status_code for path in (PAGE, STEP)]
    shown = browser.get("/setup/").content.decode()
    User.objects.filter(pk=ada.pk).update(is_operator=True)
    taken = browser.post(PAGE, {"address": NEW})

    assert 'name="address"' not in read
    assert "Only the operator" in read
    assert refused == [403, 403]
    assert "Change the address" not in shown
    assert taken.status_code == 200


def test_an_old_session_proves_itself_first(browser: Client, good: None) -> None:
    session = browser.session
    session["signed_in_at"] = 0
    session.save()

    answer = browser.post(STEP, {"address": NEW})

    assert answer.headers["Location"].startswith("/accounts/confirm/")
    assert public_address.url() == "http://testserver"


def test_call_events_count_only_once_they_come_to_the_new_address(
    browser: Client, good: None, domain: Domain, ada: User
) -> None:
    row = maintenance._begin(domain, "calls")
    Subscription.objects.filter(pk=row.pk).update(state="ready", provider_id="1", must_check=False)
    before = steps.are_events_ready(domain)

    browser.post(STEP, {"address": NEW})

    row.refresh_from_db()
    assert before
    assert not steps.are_events_ready(domain)
    assert row.must_check
    assert maintenance.is_due(domain, is_healed=True)
    assert {each.key: each.is_done for each in steps.of(domain, ada)}["address"]
