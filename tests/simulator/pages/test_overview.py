"""What the service shows of itself."""

import pytest
import requests

from tests.simulator.conftest import Provider, Receiver
from wallboard.simulator.undocumented import UNDOCUMENTED

pytestmark = pytest.mark.flow


def page(provider: Provider, path: str = "/") -> requests.Response:
    return requests.get(f"{provider.url}{path}", timeout=5)


def test_the_page_shows_the_floor_and_who_is_who(provider: Provider) -> None:
    text = page(provider).text

    assert "Support" in text
    assert "4001" in text
    assert "Ana Albers" in text
    assert text.count('<li class="') == 14


def test_the_page_shows_subscriptions_and_deliveries_without_the_subscribers_secret(
    provider: Provider, receiver: Receiver
) -> None:
    created = provider.subscribe(provider.company_token(), receiver.url).json()
    receiver.wait_ready()
    placed = provider.place_call("101", name="Tara <b>Brandt</b>")
    receiver.wait_ended(placed["from_call_id"])

    text = page(provider).text

    assert created["id"] in text
    assert "a-long-secret-path" not in text
    assert "Tara &lt;b&gt;Brandt&lt;/b&gt; → 101: progressing / ringing" in text
    assert "acknowledged (204)" in text


def test_the_page_lists_what_the_document_leaves_open(provider: Provider) -> None:
    text = page(provider).text

    assert len(UNDOCUMENTED) > 15
    assert all(subject in text for subject, _ in UNDOCUMENTED if "'" not in subject)


def test_no_secret_is_on_any_page(provider: Provider) -> None:
    for path in ("/", "/control/", "/assets/service.js"):
        text = page(provider, path).text
        assert provider.simulator.client_secret not in text
        assert provider.simulator.login_client_secret not in text


def test_pages_survive_wrong_types_that_were_sent(provider: Provider, receiver: Receiver) -> None:
    provider.subscribe(provider.company_token(), receiver.url, cdrs=True)
    receiver.wait_ready()
    provider.control("faults", at="deliveries", do="wrong_types", times=5)
    provider.place_call("101")
    receiver.wait(lambda: any(isinstance(body, list) for body in receiver.bodies))

    assert page(provider).status_code == 200


def test_only_assets_are_served(provider: Provider) -> None:
    paths = ("/assets/service.css", "/assets/service.js", "/assets/base.html", "/assets/x")

    assert [page(provider, path).status_code for path in paths] == [200, 200, 404, 404]
