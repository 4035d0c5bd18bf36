"""Lines of the log, as text or as JSON; keeps secrets out of them, whoever wrote the line."""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from uuid import uuid4

from celery import current_task

SECRETS = re.compile(
    r"(?P<keep>/hooks/|wbt_|/screen/|/embed/|/setup/first/|/setup/address/|/notifications/acknowledge/|/notifications/confirm/|"
    r"Bearer |code=|state=|code_verifier=|client_secret=|access_token=|refresh_token=)"
    r"[^\s/&'\"]+"
)
# What a proxy may call a request; anything else could forge a line, or carry a secret into it.
REQUEST_ID = re.compile(r"[A-Za-z0-9_.-]{8,64}")
_request_id: ContextVar[str] = ContextVar("request_id", default="")


@contextmanager
def in_request(name: str = "") -> Iterator[str]:
    """Lines inside belong to the request of this name; gives the name, made up where that is none."""
    name = name if REQUEST_ID.fullmatch(name) else uuid4().hex
    before = _request_id.set(name)
    try:
        yield name
    finally:
        _request_id.reset(before)


def redacted(text: str) -> str:
    """The text with hook paths, tokens and login parameters replaced by an ellipsis."""
    return SECRETS.sub(lambda match: match["keep"] + "…", text)


class RedactingFormatter(logging.Formatter):
    """A line of the log; what exceptions say of themselves is rewritten too."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


class JsonFormatter(logging.Formatter):
    """A line of the log as one JSON object: time (UTC), level, logger and message, and where there are such, the ids of
    the request, the task and the delivery that it is about, and the stack of an exception."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": redacted(record.getMessage()),
            "request": _request_id.get(),
            "task": current_task.request.id if current_task else "",
            "delivery": str(getattr(record, "delivery", "")),
            "stack": redacted(self.formatException(record.exc_info)) if record.exc_info else "",
        }
        return json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=False)


class RedactingFilter(logging.Filter):
    """Rewrites each record's finished message; arguments are dropped so that no handler can print them again."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redacted(record.getMessage()), None
        return True
