"""The Celery application; what beat starts stands in settings.CELERY_BEAT_SCHEDULE."""

import os
import sys
import time
from typing import Any

from celery import Celery
from celery.signals import beat_init, task_postrun, worker_init, worker_ready, worker_shutdown
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from accounts.spreading import inline
from wallboard.live import clocks
from wallboard.live.loops import start_thread
from wallboard.task_expiry import ExpiringTask

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
try:
    settings.REDIS_URL  # noqa: B018  (read now, so that half-set settings end the process with one sentence)
except ImproperlyConfigured as refusal:
    sys.exit(str(refusal))

app = Celery("wallboard", task_cls=ExpiringTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

AT_ONCE = ("wallboard.queues.tasks.poll_queues", "wallboard.calls.tasks.check_subscriptions")
POLLED, EVALUATE = "wallboard.queues.tasks.poll_domain", "wallboard.alerts.tasks.evaluate_reading"
LOOK, PLAN = "wallboard.alerts.tasks.look_at", "wallboard.notifications.tasks.plan"
COUNTED = "wallboard.reports.tasks.count_service_level"
COMPARE_SECONDS = 60
SEND_SECONDS = 3  # beat only sends: it needs none of the patience of a worker that waits for tasks
ENDING_SECONDS = 12  # an exchange with a provider takes ten at most
EVALUATED_SECONDS = 20  # what nobody evaluated by then is superseded by the next reading


@worker_init.connect
def run_in_turns(**_: Any) -> None:
    """What is done for each company runs in threads of its own, where one that hangs delays no other."""
    from accounts.spreading import runner

    runner.begin()
    worker_shutdown.connect(lambda **_: runner.end(ENDING_SECONDS), weak=False)


@worker_ready.connect
def begin_at_once(**_: Any) -> None:
    """A worker that has just started does not wait for beat to look at the provider for the first time."""
    for name in AT_ONCE:
        app.send_task(name, expires=30)


@worker_ready.connect
def compare_clocks_of_worker(**_: Any) -> None:
    """A worker records every minute by how much its clock differs, and with it that it is alive."""
    _compare_clocks("worker")


@worker_ready.connect
def record_boards(**_: Any) -> None:
    """A worker keeps what boards show, for companies for which no other worker does."""
    from wallboard.replay import recording  # models, which are not loaded yet when Celery is

    recording.start()
    worker_shutdown.connect(lambda **_: recording.stop(), weak=False)


@beat_init.connect
def give_up_soon(**_: Any) -> None:
    """A beat whose Redis is cut off finds the next one before much is late."""
    app.conf.broker_transport_options = {**app.conf.broker_transport_options, "socket_timeout": SEND_SECONDS}


@beat_init.connect
def compare_clocks_of_beat(**_: Any) -> None:
    """Beat as well."""
    _compare_clocks("beat")


def _compare_clocks(role: str) -> None:
    def step() -> None:
        clocks.record(role)
        time.sleep(COMPARE_SECONDS)

    start_thread("clocks", step)


# Joined here, as the room of the queues may not import that of the alerts.
@task_postrun.connect
def evaluate_reading(task: Any = None, args: Any = (), **_: Any) -> None:
    """After each reading of the queues the alert rules are evaluated."""
    if task is not None and task.name == POLLED:
        _follow(task, EVALUATE, args)


@task_postrun.connect
def plan_messages(task: Any = None, args: Any = (), retval: Any = None, **_: Any) -> None:
    """What an evaluation has changed is turned into messages at once, and not only when beat comes round."""
    if task is not None and task.name in (EVALUATE, LOOK, COUNTED) and retval is not False:
        _follow(task, PLAN, args[:1])


def _follow(task: Any, name: str, args: Any) -> None:
    """What came with a message is followed by a message; what runs in a thread of the worker goes on there."""
    if task.request.is_eager:
        inline.run(app.tasks[name], *args)
    else:
        app.tasks[name].apply_async(args, expires=EVALUATED_SECONDS)
