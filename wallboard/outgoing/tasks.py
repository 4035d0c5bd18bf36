"""Celery tasks: thin edges. They follow what happens and wake the threads that send; none waits for a receiver."""

from celery import shared_task

from wallboard.outgoing.deciding import following
from wallboard.outgoing.sending.pool import pool


@shared_task
def tell_calls() -> None:
    """Tell what became of calls, and send what is due."""
    following.follow_calls()
    pool.wake()


@shared_task
def tell_the_rest() -> None:
    """Look at call-backs and at days that are over."""
    following.follow_the_rest()


@shared_task
def delete_old() -> None:
    following.delete_old()
