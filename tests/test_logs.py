"""Lines of the log as JSON: what they are about, and nothing that is secret."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, RequestFactory

from accounts.models import Domain
from tests.calls.conftest import make_subscription
from wallboard import logs
from wallboard.calls.webhooks import intake, receive
from wallboard.calls.webhooks.hook_secrets import HookTarget
from wallboard.celery import app
from wallboard.middleware import RequestId

log = logging.getLogger("tests.logs")


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What a handler as that of LOGGING writes with LOG_FORMAT=json."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonFormatter())
    handler.addFilter(logs.RedactingFilter())
    logging.getLogger().addHandler(handler)
    yield stream
    logging.getLogger().removeHandler(handler)


def lines(written: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_a_line_is_one_object_however_many_lines_its_text_has(written: io.StringIO) -> None:
    log.warning("first\nsecond of %s", "“Büro”")

    (line,) = lines(written)
    assert line.pop("time").endswith("+00:00")
    assert line == {"level": "WARNING", "logger": "tests.logs", "message": "first\nsecond of “Büro”"}


def test_secrets_are_in_neither_message_nor_stack(written: io.StringIO) -> None:
    try:
        raise ValueError("Bearer secret")
    except ValueError:
        log.exception("POST /hooks/secret/ failed")

    (line,) = lines(written)
    assert "secret" not in json.dumps({**line, "stack": line["stack"].split("ValueError: ")[-1]})
    assert line["message"] == "POST /hooks/…/ failed"
    assert "ValueError: Bearer …" in line["stack"]


def answered(request: HttpRequest) -> HttpResponse:
    log.warning("inside")
    return HttpResponse()


@pytest.mark.parametrize("given", ["", "short", "two words here", "x" * 65, 'forged","level":"INFO'])
def test_a_request_has_a_name_of_its_own_where_none_is_given_that_is_one(written: io.StringIO, given: str) -> None:
    headers = {"X-Request-ID": given} if given else {}
    response = RequestId(answered)(RequestFactory().get("/", headers=headers))
    log.warning("outside")

    inside, outside = lines(written)
    assert UUID(response["X-Request-ID"]) == UUID(inside["request"])
    assert "request" not in outside


def test_a_request_keeps_the_name_that_a_proxy_gave_it(written: io.StringIO) -> None:
    response = RequestId(answered)(RequestFactory().get("/", headers={"X-Request-ID": "edge-0001.a_b"}))

    assert response["X-Request-ID"] == lines(written)[0]["request"] == "edge-0001.a_b"


@pytest.mark.django_db
async def test_answers_of_the_site_name_their_request() -> None:
    asked = await AsyncClient().get("/healthz", headers={"X-Request-ID": "edge-0002"})

    assert asked["X-Request-ID"] == "edge-0002"


@app.task(name="tests.logs.told")
def told() -> None:
    """Writes a line."""
    log.warning("from a task")


def test_a_task_is_named(written: io.StringIO) -> None:
    told.apply(task_id="task-0001")

    assert [line["task"] for line in lines(written) if line["message"] == "from a task"] == ["task-0001"]


@pytest.mark.django_db
def test_what_cannot_be_applied_names_its_delivery(written: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    domain = Domain.objects.create(slug="acme", base_url="http://127.0.0.1:1", client_id="id")
    subscription = make_subscription(domain, "calls")
    arrival = receive.arrival_of(HookTarget(subscription.pk, domain.pk), b'{"no": "message"}')

    def fail(_arrivals: object) -> None:
        raise ValueError

    monkeypatch.setattr(intake, "apply", fail)
    intake.commit([arrival])

    (line,) = [line for line in lines(written) if "cannot be applied" in line["message"]]
    assert line["delivery"] == str(arrival.identity)
