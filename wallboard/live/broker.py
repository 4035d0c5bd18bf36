"""Tasks that a page hands to the broker."""

from typing import Any

from celery import Task


def send_now(task: "Task[Any, Any]", *args: Any, **options: Any) -> None:
    """Hand a task to the broker for somebody who waits for a page; OperationalError at once where it is away.

    `retry=False` is only about sending: Celery would try for three seconds to connect.
    """
    with task.app.connection(transport_options={"max_retries": 0}) as connection:
        task.apply_async(args, retry=False, connection=connection, **options)  # type: ignore[call-arg]
