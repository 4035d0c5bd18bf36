"""Records of callers, asked of a real server: signed, in time, kept, and told of where they fail."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from standardwebhooks import Webhook, WebhookVerificationError

from accounts.models import AuditEntry, Domain
from tests.boards.conftest import SignIn, domain, plain_static_files, sign_in  # noqa: F401
from tests.notifications.channels.receivers import Receiver, answer, receiving
from wallboard.calls.models import Leg
from wallboard.notifications.permitted_addresses import networks
from wallboard.setup.callers import records
from wallboard.setup.models import CallerSource

NUMBER = "+4930901820"
KNOWN = {
    "title": "Hanna Brandt <i>",
    "lines": [{"label": "Plan", "text": "Gold"}],
    "links": [{"label": "Open", "url": "https://crm.example.com/1"}],
}


@pytest.fixture(autouse=True)
def loopback(settings: Any) -> Iterator[None]:

    settings.OUTBOUND_ALLOWED_NETWORKS = networks(["127.0.0.0/8"])
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def crm() -> Iterator[Receiver]:
    """The company's program, which knows everybody."""
    with receiving(lambda handler: answer(handler, 200, json.dumps(KNOWN).encode())) as receiver:
        yield receiver


@pytest.fixture
def agent(sign_in: SignIn) -> Client:  # noqa: F811
    return sign_in("agent")


def ringing(domain: Domain, number: str = NUMBER, to: str = "200") -> Leg:  # noqa: F811
    now = timezone.now()
    return Leg.objects.create(
        domain=domain, from_call_id=f"call-{number}-{to}", to_call_id="leg", from_state="ringing", to_state="ringing",
        from_number=number or "anonymous", caller_e164=number, to_user=to, first_seen_at=now, ringing_at=now,
        heard_at=now, version=1,
    )  # fmt: skip


def asked(client: Client, leg: Leg) -> Any:
    return client.post("/desk/record/", {"leg": leg.pk}, content_type="application/json")


def test_the_card_gets_what_the_program_knows_and_the_question_is_signed(
    domain: Domain,  # noqa: F811
    agent: Client,
    crm: Receiver,
) -> None:
    source, secret = records.save(domain, crm.url, is_on=True)
    leg = ringing(domain)

    assert asked(agent, leg).json() == {"record": KNOWN}

    (question,) = crm.received
    headers = {name.lower(): value for name, value in question.headers.items()}
    Webhook(secret).verify(question.body, headers)
    assert json.loads(question.body)["data"] == {"number": NUMBER, "extension": "200"}
    other = Domain.objects.create(slug="other", name="Other", base_url="http://other.test")
    _source, theirs = records.save(other, crm.url, is_on=True)
    with pytest.raises(WebhookVerificationError):
        Webhook(theirs).verify(question.body, headers)
    assert secret not in str(CallerSource.objects.values()) + str(AuditEntry.objects.values())
    source.refresh_from_db()
    assert (source.is_failing, source.asked_at is not None) == (False, True)


def test_answers_are_kept_also_that_nothing_is_known(domain: Domain, agent: Client, crm: Receiver) -> None:  # noqa: F811
    records.save(domain, crm.url, is_on=True)
    leg = ringing(domain)
    asked(agent, leg)
    asked(agent, leg)
    assert len(crm.received) == 1

    crm.answering = lambda handler: answer(handler, 404)
    stranger = ringing(domain, "+4930901821")
    assert [asked(agent, stranger).json() for _ in range(2)] == [{"record": None}] * 2
    assert len(crm.received) == 2

    records.save(domain, crm.url, is_on=True)  # a changed setting asks anew
    asked(agent, leg)
    assert len(crm.received) == 3


def test_a_slow_program_delays_nothing_and_is_left_alone_for_a_while(
    domain: Domain,  # noqa: F811
    agent: Client,
    crm: Receiver,
) -> None:
    release = threading.Event()
    crm.answering = lambda handler: hang(handler, release)
    records.save(domain, crm.url, is_on=True)

    began = time.monotonic()
    assert asked(agent, ringing(domain)).json() == {"record": None}
    assert time.monotonic() - began < 1.5
    assert asked(agent, ringing(domain, "+4930901821")).json() == {"record": None}

    release.set()
    assert len(crm.received) == 1
    source = CallerSource.objects.get()
    assert source.is_failing
    assert "half a second" in source.outcome


def hang(handler: BaseHTTPRequestHandler, release: threading.Event) -> None:
    release.wait(5)
    answer(handler, 204)


@pytest.mark.parametrize("body", [b"<html>", b'{"links": [{"label": "x", "url": "javascript:alert(1)"}]}'])
def test_a_bad_answer_is_told_to_the_administrator_and_not_on_the_card(
    domain: Domain,  # noqa: F811
    sign_in: SignIn,  # noqa: F811
    agent: Client,
    crm: Receiver,
    body: bytes,
) -> None:
    crm.answering = lambda handler: answer(handler, 200, body)
    records.save(domain, crm.url, is_on=True)

    assert asked(agent, ringing(domain)).json() == {"record": None}

    page = sign_in("administrator").get("/setup/callers/").content.decode()
    assert "The last question failed" in page
    assert "answer" in CallerSource.objects.get().outcome


def test_only_for_own_calls_with_a_number(domain: Domain, agent: Client, crm: Receiver) -> None:  # noqa: F811
    records.save(domain, crm.url, is_on=True)

    assert asked(agent, ringing(domain, to="999")).status_code == 404
    assert asked(agent, ringing(domain, "")).json() == {"record": None}
    assert crm.received == []


def test_switched_off_nothing_is_asked(domain: Domain, agent: Client, crm: Receiver) -> None:  # noqa: F811
    records.save(domain, crm.url, is_on=False)

    assert asked(agent, ringing(domain)).json() == {"record": None}
    assert crm.received == []
    assert "/desk/record/" not in agent.get("/desk/").content.decode()


def test_private_addresses_need_the_operators_word(domain: Domain, agent: Client, crm: Receiver, settings: Any) -> None:  # noqa: F811
    records.save(domain, crm.url, is_on=True)
    settings.OUTBOUND_ALLOWED_NETWORKS = ()

    assert asked(agent, ringing(domain)).json() == {"record": None}
    assert crm.received == []


def test_the_page_sets_tries_and_never_shows_a_secret_twice(sign_in: SignIn, domain: Domain, crm: Receiver) -> None:  # noqa: F811
    client = sign_in("administrator")

    def posted(**form: str) -> str:
        answer = client.post("/setup/callers/", form, follow=True)
        assert answer.redirect_chain
        return answer.content.decode()

    page = posted(url=crm.url, is_on="on")
    secret = CallerSource.objects.get().secret.open()
    assert secret in page
    assert "/desk/record/" in client.get("/desk/").content.decode()

    tried = client.post("/setup/callers/", {"act": "test"}).content.decode()
    assert "Hanna Brandt &lt;i&gt;" in tried
    kept = posted(url="", is_on="")
    assert secret not in tried + kept + client.get("/setup/callers/").content.decode()
    source = CallerSource.objects.get()
    assert (source.is_on, source.url.open(), source.secret.open()) == (False, crm.url, secret)

    renewed, clicked_twice = (posted(url="", new_secret="on") for _ in range(2))
    assert CallerSource.objects.get().secret.open() in renewed
    assert CallerSource.objects.get().secret.open() in clicked_twice
    moved = posted(url=crm.url.replace("127.0.0.1", "localhost"))
    assert CallerSource.objects.get().secret.open() in moved
    assert client.post("/setup/callers/", {"url": "ftp://x"}).status_code == 400


def test_an_address_that_is_no_longer_allowed_can_be_replaced(
    sign_in: SignIn,  # noqa: F811
    domain: Domain,  # noqa: F811
    crm: Receiver,
    settings: Any,
) -> None:
    admin, (_source, secret) = sign_in("administrator"), records.save(domain, crm.url, is_on=True)
    settings.OUTBOUND_ALLOWED_NETWORKS = networks([])

    page = admin.get("/setup/callers/")
    kept = admin.post("/setup/callers/", {"url": "", "is_on": "on"})
    replaced = admin.post("/setup/callers/", {"url": "https://crm.example.com/caller", "is_on": "on"})

    assert (page.status_code, kept.status_code, replaced.status_code) == (200, 400, 302)
    assert "is asked." not in page.content.decode()
    source = CallerSource.objects.get()
    assert source.url.open() == "https://crm.example.com/caller"
    assert source.secret.open() != secret
