"""Publishes what changed to the feeds, after the commit and in a thread of its own: a slow Redis delays no answer."""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.db import InterfaceError, OperationalError, connection

from wallboard.calls import documents, linking
from wallboard.calls.leg_store import Changes
from wallboard.calls.models import Leg
from wallboard.calls.presence import documents as presence_documents
from wallboard.live import feeds, publish
from wallboard.live.feeds import Documents, Feed

log = logging.getLogger(__name__)
MOST_WAITING = 20_000  # changed legs that wait for Redis; what is beyond is mended from the database later
IDLE_SECONDS = 5.0  # after which the connection goes back to the pool: an idle thread holds nothing
BREATHERS = 4  # under load a telling is followed by a pause so many times as long: most of the time is intake's
TRIED_WITHOUT_ANSWER = 2  # companies, since a statement may fail for one alone; then the database is taken to be away
RETRY_SECONDS, KEPT_SECONDS = 0.25, 120.0  # while the database is away; what lies longer is mended from it later
LONGEST_PAUSE_SECONDS = 0.1  # and what gathers meanwhile is told once; boards get no more than ten frames a second


def publish_changes(by_domain: dict[int, Changes]) -> None:
    """Publish everything that changed. Never raises on account of Redis."""
    for domain_id, changes in by_domain.items():
        if changes.legs or changes.presences:
            _publish_changes(domain_id, changes)
        # After the feeds: linking asks the database, and a ringing desk must not wait for that.
        linking.notice(domain_id, changes.legs.values())
        if changes.is_health:
            publish_health(domain_id)


def publish_health(domain_id: int) -> None:
    """Say on every feed that shows calls whether their events can be trusted now."""
    publish_healths({domain_id: documents.events(domain_id)})


def publish_healths(by_domain: Mapping[int, Documents]) -> bool:
    """The same for many companies in one round trip; False where Redis could not be reached."""
    return publish.tell_all(
        (feed, health) for domain_id, health in by_domain.items() for feed in feeds.of_calls(domain_id)
    )


def _publish_changes(domain_id: int, changes: Changes) -> None:
    legs = changes.legs.values()
    on_phones = [row.leg for row in changes.presences.values() if row.leg]
    # One directory for all four audiences, so that names are read once, mostly by the commit already.
    known = documents.directory_of(domain_id, [*legs, *changes.context.values(), *on_phones], changes)
    publish.tell_all(
        [
            # Desks first: a pop that comes late is of no use.
            *_for_desks(domain_id, changes, known),
            (feeds.calls(domain_id), documents.leg_documents(legs, documents.call_document, known)),
            (feeds.wall(domain_id), documents.leg_documents(legs, documents.wall_document, known)),
            (feeds.people(domain_id), presence_documents.person_documents(changes.presences.values(), known)),
        ]
    )


def _for_desks(domain_id: int, changes: Changes, known: documents.Directory) -> list[tuple[Feed, Documents]]:
    """What rings first of all, at the desk of each person that a leg leads to; what never rang is nothing to a desk."""
    answered: dict[str, list[Leg]] = defaultdict(list)
    of_calls = {**changes.context, **changes.legs}.values()
    # By the answer, so that whoever was first counts as the one who took the call.
    for leg in sorted((leg for leg in of_calls if leg.active_at), key=documents.answered_at):
        answered[documents.call_of(leg)].append(leg)
    at_desks: dict[str, dict[str, tuple[int, Any]]] = defaultdict(dict)
    for leg in changes.legs.values():
        if leg.to_user and leg.to_user not in known.queues and (leg.ringing_at or leg.active_at):
            document = documents.desk_document(leg, answered[documents.call_of(leg)], known)
            at_desks[leg.to_user][str(leg.pk)] = (leg.version, document)
    return [(feeds.desk(domain_id, extension), documents) for extension, documents in at_desks.items()]


class Publisher:
    """A thread that publishes what is submitted, several changes at a time, newest state only."""

    def __init__(self) -> None:
        self._waiting: dict[int, Changes] = {}
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._away_since: float | None = None

    def submit(self, by_domain: dict[int, Changes]) -> None:
        """Take over what changed; returns at once. Beyond a bound it is left to mending."""
        with self._wake:
            for domain_id, changes in by_domain.items():
                waiting = self._waiting.setdefault(domain_id, Changes())
                if len(waiting.legs) < MOST_WAITING:
                    waiting.add(changes)
            # Started with the first change, not at import: a forked server process would not have the thread.
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="calls-publisher", daemon=True)
                self._thread.start()
            self._wake.notify()

    def _run(self) -> None:
        while True:
            by_domain = self._next()
            begun = time.monotonic()
            unanswered, error = _published(by_domain)
            if error is None:
                self._away_since = None
            else:
                self._keep(unanswered, error)
                time.sleep(RETRY_SECONDS)
            if self._waiting:
                time.sleep(min(BREATHERS * (time.monotonic() - begun), LONGEST_PAUSE_SECONDS))

    def _keep(self, by_domain: dict[int, Changes], error: Exception) -> None:
        """Tell them once the database answers: nobody else knows what they are, and mending comes round but seldom."""
        now = time.monotonic()
        if self._away_since is None:
            self._away_since = now
            log.warning("Names for changes of calls could not be read (%s); they are told later.", type(error).__name__)
        elif now - self._away_since > KEPT_SECONDS:
            log.error("Changes of calls were not told within %d s; the feeds are mended later.", KEPT_SECONDS)
            self._away_since = None
            return
        with self._wake:
            for domain_id, changes in by_domain.items():
                changes.add(self._waiting.pop(domain_id, Changes()))
                self._waiting[domain_id] = changes

    def _next(self) -> dict[int, Changes]:
        """What waits, or what comes first. While changes come every moment, the connection stays: it takes longer to
        borrow than the feeds take to be told.
        """
        with self._wake:
            if not self._wake.wait_for(lambda: bool(self._waiting), IDLE_SECONDS):
                connection.close()
                self._wake.wait_for(lambda: bool(self._waiting))
            by_domain, self._waiting = self._waiting, {}
        return by_domain


def _published(by_domain: Mapping[int, Changes]) -> tuple[dict[int, Changes], Exception | None]:
    """Publish company by company, so that what fails for one keeps no other's from the boards.

    Gives those for which the database did not answer, and what it said last. After two of them no more are tried; these
    come first the next time.
    """
    unanswered: dict[int, Changes] = {}
    untried: dict[int, Changes] = {}
    error: Exception | None = None
    for domain_id, changes in by_domain.items():
        if len(unanswered) == TRIED_WITHOUT_ANSWER:
            untried[domain_id] = changes
            continue
        try:
            publish_changes({domain_id: changes})
        except (OperationalError, InterfaceError) as unreached:
            connection.close()  # the next one may be a better one
            unanswered[domain_id], error = changes, unreached
        except Exception:  # a fault here must not end the thread: mending would then be all that is left
            connection.close()
            log.exception("Changes of calls could not be published.")
    return untried | unanswered, error


publisher = Publisher()
