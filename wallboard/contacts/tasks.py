"""Celery tasks: thin edges."""

from celery import shared_task

from wallboard.contacts import imports


@shared_task
def import_contacts(import_id: int) -> None:
    imports.run(import_id)
