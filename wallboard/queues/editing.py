"""What people set for queues: names, order, who is shown, and targets. Changed, stored and published in one place."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import F

from accounts import audit
from accounts.models import Domain
from wallboard.live import feeds, publish
from wallboard.queues import documents
from wallboard.queues.models import Queue, Target
from wallboard.queues.targets import levels

TARGET_FIELDS = tuple(column for pair in levels.COLUMNS.values() for column in pair)


def edit(queue: Queue, **values: str | int | bool) -> None:
    """Change some of `name`, `order`, `group` and `is_hidden`. The empty name shows the number."""
    if not values:
        return
    with transaction.atomic():
        before = Queue.objects.filter(pk=queue.pk).values(*values).first() or {}
        # Only the changed columns: two pages that edit different fields do not undo each other.
        Queue.objects.filter(pk=queue.pk).update(**values)
        audit.log_changes(queue.domain_id, "queue changed", queue.number, audit.differences(before, values))
        _touch(queue.domain_id, queue)
    # The version was counted up in the database.
    queue.refresh_from_db()


def set_targets(domain: Domain, queue: Queue | None, bounds: Mapping[str, int | None]) -> Target:
    """Set the targets of one queue, or with None the domain's default; a missing bound is inherited or none.

    Names and targets reach the boards at once, levels with the next reading.
    """
    with transaction.atomic():
        values = {name: bounds.get(name) for name in TARGET_FIELDS}
        before = Target.objects.filter(domain=domain, queue=queue).values(*TARGET_FIELDS).first() or {}
        target, _ = Target.objects.update_or_create(domain=domain, queue=queue, defaults=values)
        changes = audit.differences({name: before.get(name) for name in TARGET_FIELDS}, values)
        audit.log_changes(domain.pk, "targets changed", queue.number if queue else "every queue", changes)
        _touch(domain.pk, queue)
    return target


def drop_targets(target: Target) -> None:
    """Remove targets: the queue inherits again, or the domain has no default any more."""
    with transaction.atomic():
        domain_id, queue = target.domain_id, target.queue
        target.delete()
        audit.log(domain_id, "targets dropped", queue.number if queue else "every queue")
        _touch(domain_id, queue)


def _touch(domain_id: int, queue: Queue | None) -> None:
    """One version further for the queue, or for all where the default changed; published after the commit."""
    queues = Queue.objects.filter(domain_id=domain_id, **({} if queue is None else {"pk": queue.pk}))
    # In the database, since two editors at once would compute the same next version, and the feed drops equals.
    queues.update(version=F("version") + 1)
    numbers = None if queue is None else [queue.number]

    def publish_settings() -> None:
        publish.tell(feeds.queues(domain_id), documents.about(domain_id, numbers))

    # Robust: Redis being away must not turn a saved change into an error page. Feeds are mended later.
    transaction.on_commit(publish_settings, robust=True)
