"""The Celery application; what beat starts stands in settings.CELERY_BEAT_SCHEDULE."""

import os
import sys
from typing import Any

from celery import Celery
from celery.signals import task_postrun, worker_ready
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
try:
    settings.REDIS_URL  # noqa: B018  (read now, so that half-set settings end the process with one sentence)
except ImproperlyConfigured as refusal:
    sys.exit(str(refusal))

app = Celery("wallboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

AT_ONCE = ("wallboard.queues.tasks.poll_queues", "wallboard.calls.tasks.check_subscriptions")
POLLED, JUDGE = "wallboard.queues.tasks.poll_domain", "wallboard.alerts.tasks.judge"
JUDGED_SECONDS = 20  # a reading that was not judged by then is judged with the next one


@worker_ready.connect
def begin_at_once(**_: Any) -> None:
    """A worker that has just started does not wait for beat to look at the provider for the first time."""
    for name in AT_ONCE:
        app.send_task(name, expires=30)


@task_postrun.connect
def judge_what_was_read(task: Any = None, args: Any = (), **_: Any) -> None:
    """After each reading of the queues it is judged whether somebody must be called."""
    if task is not None and task.name == POLLED:
        app.tasks[JUDGE].apply_async(args, expires=JUDGED_SECONDS)
