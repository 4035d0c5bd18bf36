"""Celery tasks: thin edges."""

from celery import shared_task

from wallboard.desk import importing


@shared_task
def import_contacts(import_id: int) -> None:
    importing.run(import_id)
