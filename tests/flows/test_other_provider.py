"""The same installation at another server that speaks the API: pointed there by the environment only."""

from urllib.parse import urlsplit

import pytest

from tests.conftest import MakeSite
from tests.harness.follower import following_as_tv
from tests.harness.other_provider import running_other_provider


@pytest.mark.one_database
def test_another_provider_is_live_by_environment_only(make_site: MakeSite) -> None:
    with running_other_provider() as provider:
        site = make_site(
            {
                "PROVIDER_BASE_URL": provider.base_url,
                "PROVIDER_CLIENT_ID": "other-id",
                "PROVIDER_CLIENT_SECRET": "other-secret",
                "PROVIDER_LOGIN_CLIENT_ID": "",
                "PROVIDER_LOGIN_CLIENT_SECRET": "",
            }
        )

        with following_as_tv(site) as board:
            board.until(lambda held: held["queues"]["queue:700"]["waiting"] == 3 if "queues" in held else False)
            provider.waiting = 5
            board.until(lambda held: held["queues"]["queue:700"]["waiting"] == 5)
            assert board.documents["queues"]["queue:700"]["longest_wait"] == 41
            provider.ring("31", "+12125550123")
            board.until(lambda held: ringing(held["wall"]))

    addresses = [urlsplit(held["post_uri"]) for held in provider.subscriptions.values()]
    assert {f"{each.scheme}://{each.netloc}" for each in addresses} == {site.url}
    assert {each.path.split("/")[1] for each in addresses} == {"hooks"}
    assert {held["events"]["type"] for held in provider.subscriptions.values()} == {"calls", "cdrs"}
    assert provider.complaints == []
    assert set(provider.post_answers) <= {200, 204}


def ringing(wall: dict[str, dict[str, object]]) -> bool:
    """Whether the call shows, without its caller's number."""
    calls = [call for key, call in wall.items() if key != "events"]
    return [call["state"] for call in calls] == ["ringing"] and "5550" not in str(calls)
