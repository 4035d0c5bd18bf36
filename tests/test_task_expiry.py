"""Tasks expire by Redis' clock, whatever the clocks of sender and worker say."""

from datetime import UTC, datetime
from typing import Any

import pytest

from wallboard import task_expiry
from wallboard.celery import app
from wallboard.live import clocks

pytestmark = pytest.mark.usefixtures("redis_url")


@app.task(name="tests.task_expiry.ran")
def ran() -> str:
    return "ran"


class Published:
    """What stands in the message of a task that is sent with `expires`."""

    def __init__(self, expires: float) -> None:
        message = app.amqp.as_task_v2("id", ran.name, expires=expires, now=datetime.now(UTC))
        self.headers: dict[str, Any] = dict(message.headers)
        task_expiry.by_redis(headers=self.headers)

    def run(self) -> Any:
        """As the worker does: with the headers of the message as the request."""
        ran.push_request(**self.headers)
        try:
            return ran()
        finally:
            ran.pop_request()


def test_a_worker_whose_clock_is_ahead_runs_what_is_in_time() -> None:
    published = Published(expires=4.5)

    assert published.headers["expires"] is None  # nothing for the worker's own clock to judge
    assert published.headers[task_expiry.STALE_AT] == pytest.approx(clocks.redis_time() + 4.5, abs=1)
    assert published.run() == "ran"


def test_what_is_too_late_by_redis_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    published = Published(expires=4.5)
    now = clocks.redis_time()
    monkeypatch.setattr(clocks, "redis_time", lambda: now + 5)

    assert published.run() is None


def test_a_task_that_is_called_directly_or_sent_without_a_limit_runs() -> None:
    headers: dict[str, Any] = {"expires": None}
    task_expiry.by_redis(headers=headers)

    assert headers == {"expires": None}
    assert ran() == "ran"
