"""Tells the feeds what changed, after the commit and in a thread of its own: a slow Redis delays no answer."""

import logging
import threading
import time
from collections import defaultdict
from typing import Any

from django.db import DatabaseError, connection

from wallboard.calls import linking, news
from wallboard.calls.ledger import News
from wallboard.calls.models import Leg
from wallboard.live import feeds, publish
from wallboard.live.feeds import Documents, Feed

log = logging.getLogger(__name__)
MOST_WAITING = 20_000  # legs whose news wait for Redis; what is beyond is mended from the database later
BREATHERS = 4  # under load a telling is followed by a pause so many times as long: most of the time is intake's
LONGEST_PAUSE_SECONDS = 0.1  # and what gathers meanwhile is told once; boards get no more than ten frames a second


def tell(told: dict[int, News]) -> None:
    """Publish everything that changed. Never raises on account of Redis."""
    for domain_id, changes in told.items():
        if changes.legs or changes.presences:
            _tell_changes(domain_id, changes)
        linking.notice(domain_id, changes.legs.values())
        if changes.is_health:
            tell_health(domain_id)


def tell_health(domain_id: int) -> None:
    """Say on every feed that shows calls whether their events can be trusted now."""
    documents = news.events(domain_id)
    for feed in (feeds.people(domain_id), feeds.calls(domain_id), feeds.wall(domain_id)):
        publish.tell(feed, documents)


def _tell_changes(domain_id: int, changes: News) -> None:
    legs_told = changes.legs.values()
    on_phones = [row.leg for row in changes.presences.values() if row.leg]
    known = news.directory_of(domain_id, [*legs_told, *changes.context.values(), *on_phones])
    publish.tell_all(
        [
            *_for_desks(domain_id, changes, known),
            (feeds.calls(domain_id), news.leg_documents(legs_told, news.call_document, known)),
            (feeds.wall(domain_id), news.leg_documents(legs_told, news.wall_document, known)),
            (feeds.people(domain_id), news.person_documents(changes.presences.values(), known)),
        ]
    )


def _for_desks(domain_id: int, changes: News, known: news.Directory) -> list[tuple[Feed, Documents]]:
    """What rings first of all, at the desk of each person that a leg leads to; what never rang is nothing to a desk."""
    answered: dict[str, list[Leg]] = defaultdict(list)
    of_calls = {**changes.context, **changes.legs}.values()
    for leg in sorted((leg for leg in of_calls if leg.active_at), key=news.answered_at):
        answered[news.call_of(leg)].append(leg)
    at_desks: dict[str, dict[str, tuple[int, Any]]] = defaultdict(dict)
    for leg in changes.legs.values():
        if leg.to_user and leg.to_user not in known.queues and (leg.ringing_at or leg.active_at):
            document = news.desk_document(leg, answered[news.call_of(leg)], known)
            at_desks[leg.to_user][str(leg.pk)] = (leg.version, document)
    return [(feeds.desk(domain_id, extension), documents) for extension, documents in at_desks.items()]


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
                if len(waiting.legs) < MOST_WAITING:
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
            begun = time.monotonic()
            try:
                tell(told)
            except DatabaseError as error:
                log.warning("News of calls could not be read (%s); the feeds are mended later.", type(error).__name__)
            except Exception:  # a fault here must not end the thread: mending would then be all that is left
                log.exception("News of calls could not be told.")
            if self._waiting:
                time.sleep(min(BREATHERS * (time.monotonic() - begun), LONGEST_PAUSE_SECONDS))
            else:
                connection.close()  # back to the pool: an idle thread holds nothing


publisher = Publisher()
