"""The pages of the programs that are told: a secret shown once, the outcome of each event, and sending again."""

import re
from typing import Any

import pytest
from standardwebhooks import Webhook

from accounts.models import AuditEntry, Domain, Team
from tests.boards.conftest import SignIn
from tests.calls.conftest import Deliver
from tests.calls.events import event
from tests.notifications.channels.receivers import Receiver
from tests.outgoing.conftest import Listen, work
from wallboard.outgoing import endpoints, kinds
from wallboard.outgoing.models import Delivery, Endpoint

PATH = "/setup/webhooks/"


def posted(url: str, **more: Any) -> dict[str, Any]:
    return {"url": url, "kinds": [kinds.RINGING], "every_queue": "1", **more}


def test_an_administrator_adds_one_tries_it_and_sends_again(
    domain: Domain, sign_in: SignIn, receiver: Receiver, deliver: Deliver
) -> None:
    client = sign_in("administrator")
    shown = client.post(PATH, posted(receiver.url + "/hidden-path"), follow=True).content.decode()
    secret = re.findall(r"whsec_[\w+/=]+", shown)[0]
    endpoint = Endpoint.objects.get()
    domain.refresh_from_db()
    assert domain.tells_calls
    page = f"{PATH}{endpoint.pk}/"
    client.post(f"{page}do/", {"do": "test"})
    deliver(event("ringing"))
    work()

    [test, ringing] = [Webhook(secret).verify(each.body, each.headers)["type"] for each in receiver.received]
    assert (test, ringing) == (kinds.TEST, kinds.RINGING)
    listed = client.get(page).content.decode()
    assert "A call rings or waits in a queue" in listed
    assert "204" in listed
    for secret_part in (secret, "hidden-path"):
        assert secret_part not in listed + client.get(PATH).content.decode()
        assert secret_part not in str(list(AuditEntry.objects.values()))

    client.post(f"{page}do/", {"do": "again", "delivery": Delivery.objects.last().pk})  # type: ignore[union-attr]
    client.post(f"{page}do/", {"do": "since", "since": "2026-01-01T00:00"})
    work()
    assert len(receiver.received) == 4


def test_another_secret_leaves_the_old_one_valid_for_a_day(
    listen: Listen, sign_in: SignIn, receiver: Receiver, deliver: Deliver
) -> None:
    endpoint = listen(kinds.RINGING)
    old = endpoints.address_of(endpoint)["secret"]
    client = sign_in("administrator")
    client.post(f"{PATH}{endpoint.pk}/do/", {"do": "secret"})
    # A double click: a third secret would leave the receiver's old one valid no more.
    shown = client.post(f"{PATH}{endpoint.pk}/do/", {"do": "secret"}, follow=True).content.decode()
    new = re.findall(r"whsec_[\w+/=]+", shown)[0]
    deliver(event("ringing"))
    work()

    for secret in (old, new):
        Webhook(secret).verify(receiver.received[0].body, receiver.received[0].headers)


def test_a_double_click_adds_one(sign_in: SignIn) -> None:
    client = sign_in("administrator")
    client.post(PATH, posted("https://example.com/"))
    shown = client.post(PATH, posted("https://example.com/"), follow=True).content.decode()

    secret = re.findall(r"whsec_[\w+/=]+", shown)[0]
    assert endpoints.address_of(Endpoint.objects.get())["secret"] == secret


@pytest.mark.parametrize("url", ["http://example.com/", "https://user:word@example.com/", "nonsense"])
def test_an_address_that_cannot_be_used_is_refused(sign_in: SignIn, url: str) -> None:
    answer = sign_in("administrator").post(PATH, posted(url))

    assert answer.status_code == 400
    assert not Endpoint.objects.exists()


def test_it_is_changed_paused_and_removed(listen: Listen, sign_in: SignIn, domain: Domain) -> None:
    endpoint, client = listen(kinds.RINGING), sign_in("administrator")
    page = f"{PATH}{endpoint.pk}/"
    client.post(page, {"name": "Loads", "kinds": [kinds.DAY_ENDED], "every_queue": "1", "shows_numbers": "on"})
    client.post(f"{page}do/", {"do": "pause"})
    endpoint.refresh_from_db()
    domain.refresh_from_db()
    found = (endpoint.name, endpoint.kinds, endpoint.shows_numbers, endpoint.is_paused, domain.tells_calls)
    assert found == ("Loads", [kinds.DAY_ENDED], True, True, False)
    client.post(f"{page}do/", {"do": "remove"})

    assert not Endpoint.objects.exists()


def test_a_moment_that_is_none_is_refused(listen: Listen, sign_in: SignIn) -> None:
    endpoint = listen(kinds.RINGING)

    answer = sign_in("administrator").post(f"{PATH}{endpoint.pk}/do/", {"do": "since", "since": "noon"})

    assert answer.status_code == 400


def test_a_company_has_so_many(listen: Listen, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch) -> None:
    listen(kinds.RINGING)
    monkeypatch.setattr(endpoints, "MOST_ENDPOINTS", 1)

    assert sign_in("administrator").post(PATH, posted("https://example.com/")).status_code == 400
    assert Endpoint.objects.count() == 1


def test_a_team_of_another_company_is_refused(listen: Listen, domain: Domain) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="", client_id="", client_secret="x")
    with pytest.raises(ValueError, match="another company"):
        listen(kinds.RINGING, team=Team.objects.create(domain=other, name="Theirs"))
