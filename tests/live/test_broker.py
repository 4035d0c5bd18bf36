"""Tasks that pages hand to the broker."""

from typing import Any

import pytest
from kombu.exceptions import OperationalError

from wallboard.celery import app
from wallboard.live.broker import send_now


@app.task(name="tests.live.rang")
def rang() -> None:
    """Never runs."""


def test_whoever_waits_for_a_page_hears_at_once_that_the_broker_is_away(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pause(seconds: float) -> None:
        pytest.fail(f"paused for {seconds} s")

    monkeypatch.setattr("kombu.utils.functional.sleep", pause)
    monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")

    with pytest.raises(OperationalError):
        send_now(rang, expires=5)
