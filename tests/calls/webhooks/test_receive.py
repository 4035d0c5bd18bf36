"""The webhook over HTTP: who gets in, what is refused, and that a 2xx means durable."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError, connection
from django.test import AsyncClient
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import Domain, IdentityProbe
from tests.calls.conftest import SECRETS, make_subscription
from tests.calls.events import event
from tests.calls.webhooks.answers import answered
from wallboard.calls.models import Delivery, Leg, Subscription
from wallboard.calls.webhooks import committer as batches
from wallboard.calls.webhooks import hook_secrets, intake, receive
from wallboard.calls.webhooks.committer import Committer

pytestmark = pytest.mark.django_db(transaction=True)
PATH = f"/hooks/{SECRETS['calls']}/"
BODY = event("ringing")


@pytest.fixture
def committer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Committer]:
    fresh = Committer()
    monkeypatch.setattr(receive, "committer", fresh)
    yield fresh
    fresh.stop()


@pytest.fixture
def known(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, redis_url: str, committer: Committer, settings: Any
) -> Subscription:
    """A subscription, and a door that has seen nothing yet."""
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr(receive, "hook_secrets", hook_secrets.HookSecrets())
    domain = Domain.objects.create(
        slug="acme", name="Acme", base_url="http://127.0.0.1:1", client_id="id", client_secret=sealed("secret")
    )
    return make_subscription(domain, "calls")


@pytest.fixture(autouse=True)
async def _nothing_left_open(transactional_db: None) -> AsyncIterator[None]:
    """The thread of Django's async queries gives its connection back."""
    yield
    await sync_to_async(lambda: connection.close())()


async def post(path: str = PATH, body: bytes = BODY, **headers: str) -> int:
    answer = await AsyncClient().post(path, body, content_type="application/json", headers=headers)
    return answer.status_code


async def kept() -> int:
    return await Delivery.objects.acount()


async def test_a_delivery_is_in_the_database_when_it_is_answered(known: Subscription) -> None:
    assert await post() == 204

    delivery = await Delivery.objects.aget()
    assert (delivery.subscription_id, delivery.body, delivery.problem) == (known.pk, BODY.decode(), "")
    assert delivery.applied_at is not None
    assert (await Leg.objects.aget()).to_state == "ringing"


@pytest.mark.parametrize("path", [PATH.rstrip("/"), PATH])
async def test_the_slash_at_the_end_does_not_matter(known: Subscription, path: str) -> None:
    assert await post(path) == 204


@pytest.mark.parametrize(
    "wrong",
    [
        *("", "/", "wrong", f"{SECRETS['calls']}x", SECRETS["calls"][:-1], f"{SECRETS['calls']}/more", "a/b/c"),
        *("%00", "%f0%9f%98%80", "..%2fadmin", "x" * 4000, SECRETS["calls"].upper(), "%0a%0d"),
    ],
)
async def test_a_wrong_secret_is_not_found_and_nothing_is_kept(known: Subscription, wrong: str) -> None:
    client = AsyncClient()
    for method in ("post", "get", "put", "delete"):
        answer = await getattr(client, method)(f"/hooks/{wrong}")
        assert (answer.status_code, answer.content) == (404, b"")

    assert await kept() == 0


@pytest.mark.parametrize("method", ["get", "put", "delete", "patch", "head", "options"])
async def test_a_right_secret_takes_nothing_but_posts(known: Subscription, method: str) -> None:
    answer = await getattr(AsyncClient(), method)(PATH)

    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"nonsense", b"<html>", b"null", b"42", b'"text"', b"{}", b'{"calls": 5}', b'{"calls": {}}'),
        *(b"[1, 2]", b"[{}]", b"[" * 30_000, b'{"a":' * 10_000, b'{"calls":' * 7_000, b"\xff\xfe", b'{"state": 1e400}'),
        b'{"unread": "\x00", "state": "ready"}',
        b'{"unread": "\xff", "state": "ready"}',
        BODY[:-1],
    ],
)
async def test_nonsense_is_kept_as_a_problem_and_harms_nothing(known: Subscription, body: bytes) -> None:
    assert await post() == 204

    assert await post(body=body) == 204
    assert await kept() == 2
    row = await Delivery.objects.order_by("-pk").afirst()
    assert row is not None
    assert row.problem in ("nonsense", "unread: not Unicode")
    assert await post(body=event("ended")) == 204
    assert (await Leg.objects.aget()).to_state == "ended"


@pytest.mark.parametrize(
    "body",
    [
        BODY.replace(b'"c1"', b'"c\\u0000 1"'),
        BODY.replace(b'"Ana Lima"', '"\U0001f600‮\\u2028<script>"'.encode()),
        BODY.replace(b'{"calls"', b'{"unread": "\\ud800", "calls"'),
        BODY.replace(b'{"calls"', b'{"calls": null, "calls"'),
        b"[]",
    ],
)
async def test_odd_messages_are_kept_and_applied(known: Subscription, body: bytes) -> None:
    assert await post(body=body) == 204
    assert await Delivery.objects.filter(applied_at=None).acount() == 0


async def test_more_than_a_megabyte_is_too_large(known: Subscription) -> None:
    room = receive.MOST_BYTES - len(BODY)

    assert await post(body=BODY + b" " * room) == 204
    assert await post(body=BODY + b" " * (room + 1)) == 413
    assert await post(body=b"x" * 3_000_000) == 413
    assert await kept() == 1


async def test_the_content_type_does_not_matter(known: Subscription) -> None:
    answer = await AsyncClient().post(PATH, BODY, content_type="application/x-www-form-urlencoded")

    assert answer.status_code == 204


async def test_a_new_secret_works_at_once_and_a_retired_one_ends(known: Subscription) -> None:
    assert await post() == 204
    fresh = await sync_to_async(make_subscription)(known.domain, "cdrs")
    assert await post(f"/hooks/{SECRETS['cdrs']}/", b"[]") == 204

    long_ago = timezone.now() - hook_secrets.OVERLAP - timedelta(seconds=1)
    await Subscription.objects.filter(pk=fresh.pk).aupdate(state="retired", retired_at=timezone.now())
    receive.hook_secrets.forget()
    assert await post(f"/hooks/{SECRETS['cdrs']}/", b"[]") == 204
    await Subscription.objects.filter(pk=fresh.pk).aupdate(retired_at=long_ago)
    receive.hook_secrets.forget()
    assert await post(f"/hooks/{SECRETS['cdrs']}/", b"[]") == 404


async def test_the_address_of_an_identity_probe_takes_everything_and_keeps_nothing(known: Subscription) -> None:
    until = timezone.now() + timedelta(minutes=1)
    secret_hash = hook_secrets.hash_of("probe-secret")
    await IdentityProbe.objects.acreate(domain_id=known.domain_id, secret_hash=secret_hash, until=until)

    assert await post("/hooks/probe-secret/", b'{"msg": "x", "state": "preparing"}') == 204
    assert await kept() == 0


async def test_many_wrong_secrets_cost_few_queries(known: Subscription, monkeypatch: pytest.MonkeyPatch) -> None:
    readings: list[int] = []
    really_read = hook_secrets.from_database

    def read() -> dict[str, hook_secrets.HookTarget]:
        readings.append(1)
        return really_read()

    monkeypatch.setattr(hook_secrets, "from_database", read)

    statuses = await asyncio.gather(*(answered(f"guess-{number}", BODY) for number in range(200)))

    assert set(statuses) == {404}
    assert len(readings) < 5


async def test_no_log_line_holds_a_secret_or_a_body(known: Subscription, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    await post(body=b'{"calls": "canary-body"}')
    await post("/hooks/canary-secret/")
    await AsyncClient().get(PATH)
    await post()

    assert "canary" not in caplog.text
    assert SECRETS["calls"] not in caplog.text
    assert "no message" in caplog.text


async def test_what_arrives_together_is_committed_together(known: Subscription, committer: Committer) -> None:
    bodies = [event("ringing", call=f"c{number}") for number in range(60)]
    statuses = await asyncio.gather(*(answered(SECRETS["calls"], body) for body in bodies))

    assert set(statuses) == {204}
    assert (await kept(), await Leg.objects.acount()) == (60, 60)
    assert committer.batches < 30


async def test_without_a_spool_a_missing_database_means_503(
    known: Subscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await post() == 204
    break_database(monkeypatch)

    assert await post(body=event("active")) == 503
    monkeypatch.undo()


async def test_with_a_spool_a_missing_database_loses_nothing_and_doubles_nothing(
    known: Subscription, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.SPOOL_DIR = str(tmp_path / "spool")
    assert await post() == 204
    with monkeypatch.context() as patch:
        break_database(patch)
        assert await post(body=event("active")) == 204
        assert await post(body=event("ended")) == 204
        assert await kept() == 1

    await eventually(kept, 3)
    assert (await Leg.objects.aget()).to_state == "ended"
    assert [path.suffix for path in (tmp_path / "spool").iterdir()] == [".json"]


async def test_a_restart_without_database_still_knows_the_secrets(
    known: Subscription, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.SPOOL_DIR = str(tmp_path)
    assert await post() == 204
    with monkeypatch.context() as patch:
        break_database(patch)
        patch.setattr(receive, "hook_secrets", hook_secrets.HookSecrets())

        assert await post(body=event("active")) == 204
        assert await post("/hooks/unknown/") == 503

    assert SECRETS["calls"] not in "".join(path.read_text() for path in tmp_path.iterdir())
    await eventually(kept, 2)


async def test_a_commit_that_hangs_is_overtaken_by_the_spool(
    known: Subscription, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.SPOOL_DIR = str(tmp_path)
    monkeypatch.setattr(receive, "SPOOL_AFTER_SECONDS", 0.2)
    really_commit = intake.commit

    def slow(arrivals: list[intake.Arrival], foresee: Any = None) -> intake.ChangesByDomain:
        while not (tmp_path / "thawed").exists():
            time.sleep(0.01)
        return really_commit(arrivals, foresee)

    with monkeypatch.context() as patch:
        patch.setattr(intake, "commit", slow)
        assert await post() == 204
        assert await post(body=event("active")) == 204
        assert await kept() == 0
        (tmp_path / "thawed").touch()
        await eventually(kept, 2)

    await asyncio.sleep(1.2)
    assert await kept() == 2


def break_database(patch: pytest.MonkeyPatch) -> None:
    def away(*_: Any) -> Any:
        raise OperationalError("server closed the connection unexpectedly")

    patch.setattr(intake, "commit", away)
    patch.setattr(hook_secrets, "from_database", away)
    patch.setattr(batches, "TRY_AGAIN_SECONDS", 0.05)


async def eventually(count: Any, expected: int) -> None:
    for _ in range(100):
        if await count() == expected:
            return
        await asyncio.sleep(0.05)
    assert await count() == expected
