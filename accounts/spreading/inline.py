"""A task that is run in a thread of the worker, without a message; what follows it follows (wallboard/celery.py).

Celery's own apply() does this too, and makes a tracer, a request and a result for each, which costs a millisecond.
"""

from typing import Any

from celery.signals import task_postrun


def run(task: Any, *arguments: Any) -> Any:
    """Run it now, in this thread; gives what it gives, and raises what it raises."""
    task.push_request(args=arguments, is_eager=True, called_directly=False)
    answer = None
    try:
        answer = task.run(*arguments)
        return answer
    finally:
        task_postrun.send(sender=task, task=task, args=arguments, retval=answer)
        task.pop_request()
