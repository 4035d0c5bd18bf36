"""Publishes what changed to the feeds, after the commit and in a thread of its own: a slow Redis delays no answer.

The news are worded while the database commits, which is mostly waiting for its disk.
"""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.db import InterfaceError, OperationalError, connection

from wallboard.calls import documents, legs, linking
from wallboard.calls.leg_store import Changes
from wallboard.calls.models import Leg
from wallboard.calls.presence import documents as presence_documents
from wallboard.live import feeds, publish
from wallboard.live.feeds import Documents, Feed
from wallboard.live.loops import start_thread

Foreseen = Mapping[int, tuple[Changes, publish.Worded]]  # by domain: the news of just these changes

log = logging.getLogger(__name__)
MOST_WAITING = 20_000  # changed legs that wait for Redis; what is beyond is mended from the database later
IDLE_SECONDS = 5.0  # after which the connection goes back to the pool: an idle thread holds nothing
BREATHERS = 4  # under load a telling is followed by a pause so many times as long: most of the time is intake's
TRIED_WITHOUT_ANSWER = 2  # companies, since a statement may fail for one alone; then the database is taken to be away
RETRY_SECONDS, KEPT_SECONDS = 0.25, 120.0  # while the database is away; what lies longer is mended from it later
LONGEST_PAUSE_SECONDS = 0.1  # and what gathers meanwhile is told once; boards get no more than ten frames a second


def publish_changes(by_domain: Mapping[int, Changes], foreseen: Foreseen | None = None) -> None:
    """Publish everything that changed. Never raises on account of Redis."""
    for domain_id, changes in by_domain.items():
        of, news = (foreseen or {}).get(domain_id, (None, None))
        publish.send(news if news is not None and of is changes else _worded(domain_id, changes))
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


def _worded(domain_id: int, changes: Changes) -> publish.Worded:
    if not (changes.legs or changes.presences):
        return publish.worded(())
    changed = changes.legs.values()
    on_phones = [row.leg for row in changes.presences.values() if row.leg]
    # One directory for all four audiences, so that names are read once, mostly by the commit already.
    known = documents.directory_of(domain_id, [*changed, *changes.context.values(), *on_phones], changes)
    return publish.worded(
        [
            # Desks first: a pop that comes late is of no use.
            *_for_desks(domain_id, changes, known),
            (feeds.calls(domain_id), documents.leg_documents(changed, documents.call_document, known)),
            (feeds.wall(domain_id), documents.leg_documents(changed, documents.wall_document, known)),
            (feeds.people(domain_id), presence_documents.person_documents(changes.presences.values(), known)),
        ]
    )


def _for_desks(domain_id: int, changes: Changes, known: documents.Directory) -> list[tuple[Feed, Documents]]:
    """What rings first of all, at the desk of each person that a leg leads to; what never rang is nothing to a desk."""
    answered: dict[str, list[Leg]] = defaultdict(list)
    of_calls = {**changes.context, **changes.legs}.values()
    # By the answer, so that whoever was first counts as the one who took the call.
    was_answered = (leg for leg in of_calls if leg.active_at or leg.is_answered)
    for leg in sorted(was_answered, key=documents.answered_at):
        answered[documents.call_of(leg)].append(leg)
    at_desks: dict[str, dict[str, tuple[int, Any]]] = defaultdict(dict)
    for leg in changes.legs.values():
        if leg.to_user and leg.to_user not in known.queues and (leg.ringing_at or leg.active_at):
            document = documents.desk_document(leg, answered[documents.call_of(leg)], known)
            at_desks[leg.to_user][str(leg.pk)] = (leg.version, document)
        for extension in changes.left.get(leg.pk, set()) - {leg.to_user}:
            at_desks[extension][str(leg.pk)] = (leg.version, _left(leg, known))
    return [(feeds.desk(domain_id, extension), documents) for extension, documents in at_desks.items()]


def _left(leg: Leg, known: documents.Directory) -> documents.PopDocument | None:
    """What a bell needs of a leg that rang there before it went to another phone: who picked it up, if anybody did."""
    if not leg.active_at or not legs.reaches_person(leg):
        return None
    by, since = known.name(leg.to_user) or leg.to_user, feeds.milliseconds(leg.active_at)
    return documents.PopDocument(leg.pk, documents.call_of(leg), "ended", since, "taken", by)


class Publisher:
    """A thread that publishes what is submitted, several changes at a time, newest state only."""

    def __init__(self) -> None:
        self._coming: dict[int, Changes] = {}
        self._waiting: dict[int, list[Changes]] = {}
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._foreseen: Foreseen = {}
        self._away_since: float | None = None

    def foresee(self, by_domain: dict[int, Changes]) -> None:
        """Word what will be told of these, unless there is more to do; they may never be submitted. Returns at once."""
        with self._wake:
            self._coming = by_domain
            self._start()

    def submit(self, by_domain: dict[int, Changes]) -> None:
        """Take over what changed; returns at once. Beyond a bound it is left to mending."""
        with self._wake:
            self._coming = {}
            for domain_id, changes in by_domain.items():
                waiting = self._waiting.setdefault(domain_id, [])
                if sum(len(each.legs) for each in waiting) < MOST_WAITING:
                    waiting.append(changes)
            self._start()

    def _start(self) -> None:
        # Started with the first change, not at import: a forked server process would not have the thread.
        if self._thread is None:
            self._thread = start_thread("calls-publisher", self._step)
        self._wake.notify()

    def _step(self) -> None:
        coming, by_domain = self._next()
        if not by_domain:
            self._foreseen = _foreseen(coming)
            return
        begun = time.monotonic()
        unanswered, untried, error = _published(by_domain, self._foreseen)
        if error is None:
            self._away_since = None
        else:
            self._keep(unanswered, untried, error)
            time.sleep(RETRY_SECONDS)
        if self._waiting:
            time.sleep(min(BREATHERS * (time.monotonic() - begun), LONGEST_PAUSE_SECONDS))

    def _keep(self, unanswered: dict[int, Changes], untried: dict[int, Changes], error: Exception) -> None:
        """Tell them once the database answers: nobody else knows what they are, and mending comes round but seldom."""
        now = time.monotonic()
        if self._away_since is None:
            self._away_since = now
            log.warning("Names for changes of calls could not be read (%s); they are told later.", type(error).__name__)
        elif now - self._away_since > KEPT_SECONDS:
            log.error("Changes of calls were not told within %d s; the feeds are mended later.", KEPT_SECONDS)
            self._away_since, unanswered = None, {}
        with self._wake:
            came_meanwhile = self._waiting
            self._waiting = {domain_id: [changes] for domain_id, changes in (untried | unanswered).items()}
            for domain_id, waiting in came_meanwhile.items():
                self._waiting.setdefault(domain_id, []).extend(waiting)

    def _next(self) -> tuple[dict[int, Changes], dict[int, Changes]]:
        """What comes, and what waits; at least one of them. While changes come every moment, the connection stays: it
        takes longer to borrow than the feeds take to be told.
        """
        with self._wake:
            if not self._wake.wait_for(self._is_there_more, IDLE_SECONDS):
                connection.close()
                self._wake.wait_for(self._is_there_more)
            coming, self._coming = self._coming, {}
            waiting, self._waiting = self._waiting, {}
        return coming, {domain_id: _joined(changes) for domain_id, changes in waiting.items()}

    def _is_there_more(self) -> bool:
        return bool(self._waiting or self._coming)


def _joined(several: list[Changes]) -> Changes:
    """All of them as one; the only one as it is, since its news may be worded already."""
    if len(several) == 1:
        return several[0]
    joined = Changes()
    for changes in several:
        joined.add(changes)
    return joined


def _foreseen(by_domain: Mapping[int, Changes]) -> Foreseen:
    """The news of what is being committed. Whatever hinders shows again when it is told."""
    try:
        return {domain_id: (changes, _worded(domain_id, changes)) for domain_id, changes in by_domain.items()}
    except Exception as error:  # it is no more than a guess, and must not end the thread
        connection.close()
        log.debug("News could not be worded ahead (%s).", type(error).__name__)
        return {}


def _published(
    by_domain: Mapping[int, Changes], foreseen: Foreseen
) -> tuple[dict[int, Changes], dict[int, Changes], Exception | None]:
    """Publish company by company, so that what fails for one keeps no other's from the boards.

    Gives those for which the database did not answer, those that were not tried after two of them, and what it said
    last.
    """
    unanswered: dict[int, Changes] = {}
    untried: dict[int, Changes] = {}
    error: Exception | None = None
    for domain_id, changes in by_domain.items():
        if len(unanswered) == TRIED_WITHOUT_ANSWER:
            untried[domain_id] = changes
            continue
        try:
            publish_changes({domain_id: changes}, foreseen)
        except (OperationalError, InterfaceError) as unreached:
            connection.close()  # the next one may be a better one
            unanswered[domain_id], error = changes, unreached
        except Exception:  # a fault here must not end the thread: mending would then be all that is left
            connection.close()
            log.exception("Changes of calls could not be published.")
    return unanswered, untried, error


publisher = Publisher()
