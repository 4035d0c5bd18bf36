"""The settings of an installation that logs all there is: every logger at DEBUG, through the same handler."""

from wallboard.settings import *  # noqa: F403
from wallboard.settings import LOGGING as QUIET

NAMES = [
    *("amqp", "asyncio", "celery", "channels", "daphne", "django", "kombu", "requests", "twisted", "urllib3"),
    *("wallboard", "accounts", "django.request", "django.server", "django.channels", "celery.app.trace"),
    *("celery.worker.strategy", "celery.beat", "django.db.backends", "django.security", "redis"),
]
LOGGING = {
    **QUIET,
    "root": {"handlers": ["console"], "level": "DEBUG"},
    "loggers": {name: {"level": "DEBUG"} for name in NAMES},
}
