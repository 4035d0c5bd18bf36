"""The webhook in ASGI, before any middleware."""

from typing import Any

import pytest

from accounts.encryption import sealed
from accounts.models import Domain
from tests.calls.conftest import SECRETS, make_subscription
from tests.calls.events import event
from wallboard.calls.models import Delivery, Leg
from wallboard.calls.webhooks import committer as batches
from wallboard.calls.webhooks import hook_secrets
from wallboard.calls.webhooks import receive as door
from wallboard.calls.webhooks.asgi_endpoint import Hooks

pytestmark = pytest.mark.django_db(transaction=True)
RIGHT = f"/hooks/{SECRETS['calls']}/"


class Asked:
    """One request through the edge: what came back, how much of the body was taken, and who else was asked."""

    def __init__(self) -> None:
        self.status = self.taken = 0
        self.headers: dict[bytes, bytes] = {}
        self.handed_on: list[str] = []
        self.counted: list[int] = []

    async def go(self, path: str, parts: list[bytes], method: str = "POST", length: bytes | None = None) -> int:
        waiting = list(parts)

        async def receive() -> dict[str, Any]:
            self.taken += 1
            return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.status, self.headers = message["status"], dict(message["headers"])

        async def others(scope: Any, receive: Any, send: Any) -> None:
            self.handed_on.append(scope["path"])

        headers = [] if length is None else [(b"content-length", length)]
        scope = {"type": "http", "path": path, "method": method, "headers": headers}
        await Hooks(others, self.counted.append)(scope, receive, send)
        return self.status


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, redis_url: str, transactional_db: None) -> Any:
    monkeypatch.setattr(door, "hook_secrets", hook_secrets.HookSecrets())
    monkeypatch.setattr(door, "committer", committer := batches.Committer())
    domain = Domain.objects.create(
        slug="acme", name="Acme", base_url="http://127.0.0.1:1", client_id="id", client_secret=sealed("secret")
    )
    make_subscription(domain, "calls")
    yield Asked()
    committer.stop()
    assert Delivery.objects.filter(applied_at=None).count() == 0


async def test_a_delivery_in_pieces_is_kept(asked: Asked) -> None:
    body = event("ringing")

    assert await asked.go(RIGHT, [body[:10], body[10:50], body[50:]]) == 204
    assert (asked.counted, asked.handed_on) == ([204], [])


async def test_a_wrong_secret_is_answered_before_its_body_is_looked_at(asked: Asked) -> None:
    assert await asked.go("/hooks/wrong/", [b"x" * 100]) == 404
    assert (asked.taken, asked.counted) == (0, [404])


async def test_other_methods_are_told_which_one_is_right(asked: Asked) -> None:
    assert await asked.go(RIGHT, [], "GET") == 405
    assert asked.headers[b"allow"] == b"POST"
    assert await asked.go("/hooks/wrong/", [], "GET") == 404


@pytest.mark.parametrize("length", [b"%d" % (door.MOST_BYTES + 1), b"9" * 30, b"-1", b"many"])
async def test_an_announced_size_beyond_the_limit_is_refused_unread(asked: Asked, length: bytes) -> None:
    assert await asked.go(RIGHT, [b"x"], length=length) == 413
    assert asked.taken == 0


async def test_an_endless_body_is_left_at_the_limit(asked: Asked) -> None:
    assert await asked.go(RIGHT, [b"x" * 10_000] * 200) == 413
    assert asked.taken == door.MOST_BYTES // 10_000 + 1


async def test_everything_else_is_handed_on(asked: Asked) -> None:
    for path in ("/", "/hook/", "/hooks", "/admin/hooks/"):
        await asked.go(path, [])

    assert (asked.handed_on, asked.counted) == (["/", "/hook/", "/hooks", "/admin/hooks/"], [])


@pytest.mark.parametrize("odd", [b"\\ud800", b"x" * 5000], ids=["no Unicode", "thousands of characters"])
async def test_a_call_with_an_id_that_cannot_be_stored_as_it_is_is_kept(asked: Asked, odd: bytes) -> None:
    for state in (b"ringing", b"ended"):
        body = b'{"calls": {"from": {"call_id": "%s", "state": "%s"}, "to": {}}}' % (odd, state)
        assert await asked.go(RIGHT, [body]) == 204

    assert [leg.ended_at is not None async for leg in Leg.objects.all()] == [True]
    problems = [each.problem async for each in Delivery.objects.exclude(problem="")]
    assert len(problems) == 2
    assert all(problem.startswith("from.call_id: ") for problem in problems)
