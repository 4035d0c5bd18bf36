"""Keeps secrets out of the log, whoever wrote the line."""

import logging
import re

SECRETS = re.compile(
    r"(?P<keep>/hooks/|/screen/|/setup/first/|"
    r"Bearer |code=|state=|code_verifier=|client_secret=|access_token=|refresh_token=)"
    r"[^\s/&'\"]+"
)


def redacted(text: str) -> str:
    """The text with hook paths, TV tokens, bearer tokens and login parameters replaced by an ellipsis."""
    return SECRETS.sub(lambda match: match["keep"] + "…", text)


class RedactingFormatter(logging.Formatter):
    """A line of the log; what exceptions say of themselves is rewritten too."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


class RedactingFilter(logging.Filter):
    """Rewrites each record's finished message; arguments are dropped so that no handler can print them again."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redacted(record.getMessage()), None
        return True
