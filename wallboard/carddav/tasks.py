"""Celery tasks: thin edges."""

from celery import shared_task

from wallboard.carddav import syncing

EXPIRES_SECONDS = 50  # beat asks again each minute


@shared_task
def sync_books() -> None:
    """Start a run for each address book that is due."""
    for book_id in syncing.due():
        sync_book.apply_async((book_id,), expires=EXPIRES_SECONDS)


@shared_task
def sync_book(book_id: int) -> None:
    syncing.run(book_id)
