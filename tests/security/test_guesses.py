"""Guessing secrets at the webhook: cheap, bounded in memory, and never at the cost of what the provider sends (S1)."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from accounts.encryption import sealed
from accounts.models import Domain
from tests.calls.conftest import SECRETS, make_subscription
from tests.calls.events import event
from wallboard.calls.webhooks import asgi_endpoint, hook_secrets, secret_throttle
from wallboard.calls.webhooks import committer as batches
from wallboard.calls.webhooks import receive as door
from wallboard.calls.webhooks.hook_secrets import HookSecrets
from wallboard.calls.webhooks.secret_throttle import SecretThrottle, TooManyGuesses

pytestmark = pytest.mark.django_db(transaction=True)
STRANGER, PROVIDER = "203.0.113.9", "198.51.100.7"


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch, redis_url: str, transactional_db: None) -> Iterator[HookSecrets]:
    fresh = HookSecrets()
    monkeypatch.setattr(door, "hook_secrets", fresh)
    monkeypatch.setattr(door, "committer", committer := batches.Committer())
    domain = Domain.objects.create(
        slug="acme", name="Acme", base_url="http://127.0.0.1:1", client_id="id", client_secret=sealed("secret")
    )
    make_subscription(domain, "calls")
    yield fresh
    committer.stop()


async def knock(secret: str, sender: str = STRANGER, **headers: str) -> int:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": event("ringing"), "more_body": False}

    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "headers": sent, "client": [sender, 4711]}
    return await asgi_endpoint.answer(scope, receive, secret)


async def many(count: int, sender: str = STRANGER, **headers: str) -> list[int]:
    return await asyncio.gather(*(knock(f"wrong-{number}", sender, **headers) for number in range(count)))


async def test_whoever_guesses_on_and_on_is_not_looked_up_any_more(known: HookSecrets) -> None:
    assert set(await many(secret_throttle.MOST_WRONG)) == {404}

    told = await many(200)

    assert (told.count(404), told.count(429)) == (secret_throttle.NOISY_AT_ONCE, 200 - secret_throttle.NOISY_AT_ONCE)


async def test_others_are_looked_up_meanwhile(known: HookSecrets) -> None:
    await many(secret_throttle.MOST_WRONG)
    noisy, quiet = await asyncio.gather(many(100), many(10, "203.0.113.10"))

    assert (429 in noisy, set(quiet)) == (True, {404})


async def test_a_right_secret_is_never_held_up_even_from_an_address_that_guesses(known: HookSecrets) -> None:
    assert await knock(SECRETS["calls"], PROVIDER) == 204
    await many(secret_throttle.MOST_WRONG, PROVIDER)

    _, told = await asyncio.gather(
        many(100, PROVIDER), asyncio.gather(*(knock(SECRETS["calls"], PROVIDER) for _ in range(50)))
    )

    assert told == [204] * 50


async def test_a_new_secret_is_found_at_once_from_an_address_that_guesses(known: HookSecrets) -> None:
    await many(secret_throttle.MOST_WRONG + 5, PROVIDER)
    domain = await Domain.objects.aget()
    await asyncio.to_thread(make_subscription, domain, "cdrs")

    assert await knock(SECRETS["cdrs"], PROVIDER) == 204


async def test_guesses_from_everywhere_together_are_bounded(
    known: HookSecrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secret_throttle, "MOST_AT_ONCE", 20)
    told = await asyncio.gather(*(knock("wrong", f"203.0.113.{number}") for number in range(100)))

    assert (told.count(404), told.count(429)) == (20, 80)


@pytest.mark.parametrize(("proxies", "is_one_address"), [(0, True), (1, False)])
async def test_a_forwarded_address_counts_only_behind_a_proxy_of_ours(
    proxies: int, is_one_address: bool, known: HookSecrets, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = proxies
    for number in range(secret_throttle.MOST_WRONG):
        await knock("wrong", x_forwarded_for=f"192.0.2.{number}")

    told = await many(20, x_forwarded_for="192.0.2.200")

    assert (429 in told) == is_one_address


def test_what_is_remembered_is_bounded_and_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = SecretThrottle()
    for number in range(secret_throttle.MOST_ADDRESSES + 500):
        kept.count_wrong(f"a{number}")
    assert len(kept._wrong) == secret_throttle.MOST_ADDRESSES

    for _ in range(secret_throttle.MOST_WRONG):
        kept.count_wrong("b")
    assert kept.is_noisy("b")
    monkeypatch.setattr(secret_throttle, "WINDOW_SECONDS", 0)
    assert not kept.is_noisy("b")


def test_a_lookup_that_is_over_is_no_longer_counted() -> None:
    kept = SecretThrottle()
    for _ in range(secret_throttle.MOST_WRONG):
        kept.count_wrong("a")
    for _ in range(50):
        with pytest.raises(RuntimeError), kept.attempt("a"):
            raise RuntimeError

    assert (kept._at_once, kept._waiting) == (0, {})
    with pytest.raises(TooManyGuesses):
        hold(kept, secret_throttle.NOISY_AT_ONCE + 1)


def hold(kept: SecretThrottle, count: int) -> None:
    with kept.attempt("a"):
        if count > 1:
            hold(kept, count - 1)


async def test_a_body_that_drips_is_given_up(known: HookSecrets, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "BODY_SECONDS", 0.05)

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.03)
        return {"type": "http.request", "body": b"{", "more_body": True}

    scope = {"type": "http", "method": "POST", "headers": [], "client": [STRANGER, 1]}

    assert await asgi_endpoint.answer(scope, receive, SECRETS["calls"]) == 408
    assert await knock(SECRETS["calls"]) == 204
    assert hook_secrets.hash_of("x") != hook_secrets.hash_of("y")
