"""A company's time zone and country: asked in the wizard with a suggestion of the browser's, changed on Connection."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from playwright.sync_api import expect

from accounts import company_day
from accounts.encryption import sealed
from accounts.models import AuditEntry, Domain, User
from tests.boards.conftest import Show, SignIn
from wallboard.boards import time_zones
from wallboard.calls import numbers
from wallboard.queues import polling
from wallboard.setup import regions
from wallboard.telephony import trying
from wallboard.telephony.trying import Tried, Verdict

PROVIDER, CONNECTION = "/setup/start/provider/", "/setup/"
ENTERED = {"name": "Brandt", "base_url": "http://provider.test", "client_id": "id", "client_secret": "secret"}
BERLIN = {"time_zone": "Europe/Berlin", "country": "DE"}


@pytest.fixture
def new(domain: Domain, monkeypatch: pytest.MonkeyPatch, redis_url: str) -> Domain:
    """A company as it begins, whose provider takes whatever is entered."""
    Domain.objects.update(client_secret=sealed("secret"), **regions.values(Domain()))
    monkeypatch.setattr(trying, "company", lambda *_: Tried(Verdict.GOOD, 200, 0.0))
    monkeypatch.setattr(polling, "poll_now", lambda _: None)
    domain.refresh_from_db()
    return domain


def test_the_wizard_asks_and_the_day_and_the_numbers_go_by_it(new: Domain, sign_in: SignIn) -> None:
    client = sign_in("administrator")

    refused = client.post(PROVIDER, ENTERED | {"time_zone": "", "country": ""})
    stored = regions.values(Domain.objects.get())
    taken = client.post(PROVIDER, ENTERED | BERLIN)

    assert refused.status_code == 400
    assert refused.content.decode().count("This field is required.") == 2
    assert stored == {"time_zone": "UTC", "country": "US"}
    assert taken.status_code == 302
    new.refresh_from_db()
    assert regions.values(new) == BERLIN
    assert numbers.e164("030 901820", new.country) == "+4930901820"
    assert company_day.start(new, datetime(2026, 7, 1, 10, tzinfo=UTC)) == datetime(2026, 6, 30, 22, tzinfo=UTC)


def test_a_company_of_the_environment_is_asked_too(new: Domain, sign_in: SignIn, settings: Any) -> None:
    settings.PROVIDER_BASE_URL, settings.PROVIDER_CLIENT_ID = new.base_url, new.client_id
    client = sign_in("administrator")

    assert client.post(PROVIDER).status_code == 400
    assert client.post(PROVIDER, BERLIN).status_code == 302
    assert regions.values(Domain.objects.get()) == BERLIN


@pytest.mark.parametrize(
    ("own", "zone", "country"),
    [("Europe/Berlin", "Europe/Berlin", "DE"), ("Asia/Calcutta", "Asia/Kolkata", "IN"), ("UTC", "UTC", "")],
)
def test_the_browser_suggests_its_own(
    new: Domain, show: Show, sign_in: SignIn, own: str, zone: str, country: str
) -> None:
    page = show(path=PROVIDER, client=sign_in("administrator"), timezone_id=own).page

    expect(page.locator("[name=time_zone]")).to_have_value(zone)
    expect(page.locator("[name=country]")).to_have_value(country)
    page.select_option("[name=time_zone]", "America/Chicago")
    expect(page.locator("[name=country]")).to_have_value(country or "US")


def test_what_was_chosen_is_not_overruled_by_a_browser(domain: Domain, show: Show, sign_in: SignIn) -> None:
    page = show(path=PROVIDER, client=sign_in("administrator"), timezone_id="America/Chicago").page

    expect(page.locator("[name=time_zone]")).to_have_value("Europe/Berlin")
    expect(page.locator("[name=country]")).to_have_value("DE")


def changed(client: Client, **values: str) -> int:
    return client.post(CONNECTION, BERLIN | values).status_code


def test_connection_shows_and_changes_it_and_that_is_noted(domain: Domain, sign_in: SignIn) -> None:
    client = sign_in("administrator")
    page = client.get(CONNECTION).content.decode()

    assert '<option value="Europe/Berlin" selected>' in page
    assert '<option value="DE" selected>Germany' in page
    assert [changed(client, time_zone="Mars/Base"), changed(client, country="QQ"), changed(client)] == [400, 400, 302]
    assert not AuditEntry.objects.filter(what="company changed").exists()
    assert changed(client, country="AT", time_zone="Europe/Vienna") == 302
    assert AuditEntry.objects.get(what="company changed").changes == {
        "time_zone": ["Europe/Berlin", "Europe/Vienna"],
        "country": ["DE", "AT"],
    }
    assert "Times in Europe/Vienna." in client.get(CONNECTION).content.decode()


def test_a_zone_by_a_former_name_stays_on_offer(domain: Domain, sign_in: SignIn) -> None:
    Domain.objects.update(time_zone="Asia/Calcutta")

    assert '<option value="Asia/Calcutta" selected>' in sign_in("administrator").get(CONNECTION).content.decode()


def test_countries_are_named_and_ordered_as_readers_look_for_them() -> None:
    with translation.override("de"):
        german = [name for _code, name in regions.country_choices()]
    with translation.override("ar"):
        arabic = dict(regions.country_choices())

    assert {"Deutschland", "Vereinigtes Königreich"} <= set(german)
    assert german.index("Norwegen") < german.index("Österreich") < german.index("Polen")
    assert arabic["SA"] == "السعودية"
    assert min(len(name) for name in (*german, *arabic.values())) >= 2


def test_every_zone_on_offer_suggests_itself() -> None:
    found = regions.by_browser()

    assert [zone for zone in time_zones.names() if found[zone][0] != zone] == []
    assert (found["Europe/Kiev"], found["UTC"]) == (("Europe/Kyiv", "UA"), ("UTC", ""))


def test_countries_are_named_in_a_language_of_which_the_server_has_few_names(
    domain: Domain, show: Show, sign_in: SignIn
) -> None:
    client = sign_in("administrator")
    User.objects.update(language="ar")
    for path in (PROVIDER, CONNECTION):
        page = show(path=path, client=client).page

        expect(page.locator("[name=country] option:checked")).to_have_text("ألمانيا")
        expect(page.locator("[name=country]")).to_have_value("DE")
        page.close()
