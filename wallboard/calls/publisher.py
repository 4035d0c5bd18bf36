"""Tells the feeds what changed, after the commit and in a thread of its own: a slow Redis delays no answer."""

import logging
import threading
from collections.abc import Iterable

from django.db import DatabaseError, connection

from wallboard.calls import news
from wallboard.calls.ledger import News
from wallboard.calls.models import Leg
from wallboard.live import feeds, publish

log = logging.getLogger(__name__)
MOST_WAITING = 20_000  # legs whose news wait for Redis; what is beyond is mended from the database later


def tell(told: dict[int, News]) -> None:
    """Publish the newest state of everything that changed. Never raises on account of Redis."""
    for domain_id, changes in told.items():
        if changes.leg_ids:
            publish.tell(feeds.calls(domain_id), news.calls(domain_id, changes.leg_ids))
            publish.tell(feeds.wall(domain_id), news.wall(domain_id, changes.leg_ids))
            _tell_desks(domain_id, changes.leg_ids)
        if changes.extensions:
            publish.tell(feeds.people(domain_id), news.people(domain_id, changes.extensions))
        if changes.is_health:
            tell_health(domain_id)


def tell_health(domain_id: int) -> None:
    """Say on every feed that shows calls whether their events can be trusted now."""
    for feed in (feeds.people(domain_id), feeds.calls(domain_id), feeds.wall(domain_id)):
        publish.tell(feed, news.events(domain_id))


def _tell_desks(domain_id: int, leg_ids: Iterable[int]) -> None:
    """Ring at the desks that these legs lead to, and at those of the same call: its outcome may concern them too."""
    changed = Leg.objects.filter(pk__in=list(leg_ids)).values_list("from_call_id", "to_user", "pk")
    concerned = {(extension, pk) for _call, extension, pk in changed if extension}
    calls = {call for call, _extension, _pk in changed if call}
    siblings = Leg.objects.filter(domain_id=domain_id, from_call_id__in=calls).exclude(to_user="")
    concerned |= set(siblings.values_list("to_user", "pk"))
    for extension in sorted({extension for extension, _pk in concerned}):
        theirs = {pk for each, pk in concerned if each == extension}
        publish.tell(feeds.desk(domain_id, extension), news.desk(domain_id, extension, theirs))


class Publisher:
    """A thread that tells what it is handed, several changes at a time, newest state only."""

    def __init__(self) -> None:
        self._waiting: dict[int, News] = {}
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None

    def hand(self, told: dict[int, News]) -> None:
        """Take over what changed; returns at once. Beyond a bound it is left to mending."""
        with self._wake:
            for domain_id, changes in told.items():
                waiting = self._waiting.setdefault(domain_id, News())
                if len(waiting.leg_ids) < MOST_WAITING:
                    waiting.add(changes)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="calls-publisher", daemon=True)
                self._thread.start()
            self._wake.notify()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: bool(self._waiting))
                told, self._waiting = self._waiting, {}
            try:
                tell(told)
            except DatabaseError as error:
                log.warning("News of calls could not be read (%s); the feeds are mended later.", type(error).__name__)
            except Exception:  # a fault here must not end the thread: mending would then be all that is left
                log.exception("News of calls could not be told.")
            if not self._waiting:
                connection.close()  # back to the pool: an idle thread holds nothing


publisher = Publisher()
