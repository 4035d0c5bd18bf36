"""Daphne's time for an answer begins anew with each of its pieces."""

import time
from typing import Any

import pytest

from wallboard.live.servers.daphne_answers import flowing


class Request:
    """Stands for Daphne's."""

    request_start = 0.0

    def handle_reply(self, message: dict[str, Any]) -> None:
        self.replied = message


def test_an_answer_that_goes_on_is_not_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 100.0)
    request = flowing(Request)()

    request.handle_reply({"type": "http.response.body"})

    assert (request.request_start, request.replied) == (100.0, {"type": "http.response.body"})
