"""The rows that the feeds of many companies are made of, read in one query for each table, as digests.

Two readings with the same digest make the same documents, so a feed that was equal to the database is so still. What
changes with every poll, every minute or every sign of life is told as the documents that follow from it instead.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cache, cached_property, reduce
from hashlib import sha1
from operator import or_
from typing import Any

import msgspec
from django.conf import settings
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from accounts.models import Domain, Person
from wallboard.alerts.models import Alert
from wallboard.boards.cards.figures import UNCACHED
from wallboard.boards.models import Board, Image
from wallboard.calls import documents as calls
from wallboard.calls.models import Leg, Presence
from wallboard.calls.subscriptions import health
from wallboard.live.feeds import Feed, milliseconds
from wallboard.notifications.models import Mute
from wallboard.notifications.mutes import LONGEST
from wallboard.queues import documents as queues
from wallboard.queues.models import PollState, Queue, Target, Trends
from wallboard.sockets import marks
from wallboard.sockets.marks import Told

TOLD = {"queues": ("queue:", "trend:", "poll"), **dict.fromkeys(("people", "calls", "wall"), ("events",))}
OF_CALLS = ("domains", "people", "queues", "legs")
PARTS = {
    "queues": ("queues", "targets", "mutes"),
    "people": (*OF_CALLS, "presences"),
    "calls": OF_CALLS,
    "wall": OF_CALLS,
    "alerts": ("alerts", "queues"),
    "board": ("domains", "images", "minute"),
}
ByDomain = dict[int, list[Any]]
_raw = msgspec.json.Decoder(dict[str, tuple[int, msgspec.Raw]])
_lines = msgspec.json.Decoder(dict[str, msgspec.Raw])


def _columns(model: Any, *but: str) -> list[str]:
    """All columns of a table, but for these: a document that is made of one more needs no word here."""
    return [field.attname for field in model._meta.concrete_fields if field.attname not in (*but, "domain_id")]


class Sources:
    """What the database says of these companies; each table is read when it is needed first."""

    def __init__(self, domain_ids: Collection[int]) -> None:
        self._ids = list(domain_ids)
        self._now = timezone.now()

    def digest(self, feed: Feed) -> str:
        """Of all rows that the feed's documents are made of, but for those that are told."""
        kind = feed.name.partition(":")[0]
        parts = [getattr(self, f"_{part}").get(feed.domain_id, ()) for part in PARTS[kind]]
        board = self._boards.get(feed.name) if kind == "board" else None
        # Another release may make other documents of the same rows.
        return _digest(msgspec.json.encode([_code(), parts, board]))

    def is_steady(self, feed: Feed) -> bool:
        """Whether its documents follow from these rows: a board may have a card that is counted anew each time."""
        layout = str(self._boards.get(feed.name, ()))
        return not any(f"'{kind}'" in layout for kind in UNCACHED)

    def told(self, feed: Feed) -> Told:
        """The documents of the feed that are told by themselves."""
        if feed.name == "queues":
            return self._poll(feed.domain_id) | self._trends.get(feed.domain_id, {})
        return self._events[feed.domain_id] if feed.name in TOLD else {}

    @cached_property
    def _domain_rows(self) -> dict[int, Domain]:
        return Domain.objects.only("slug", "country", "time_zone", "poll_seconds").in_bulk(self._ids)

    @cached_property
    def _domains(self) -> ByDomain:
        return {pk: [row.country, row.time_zone] for pk, row in self._domain_rows.items()}

    @cached_property
    def _poll_states(self) -> dict[int, Any]:
        rows = PollState.objects.filter(domain__in=self._ids).defer("figures")
        return {row.domain_id: row for row in rows.annotate(text=Cast("figures", TextField()))}

    def _poll(self, domain_id: int) -> Told:
        """How polling goes, and the queues as they are stored: that is the text that travels."""
        domain, state = self._domain_rows[domain_id], self._poll_states.get(domain_id)
        poll = queues.poll(domain, state or PollState(domain=domain))
        found = marks.told((key, *document) for key, document in poll.items())
        for number, (version, document) in _raw.decode(state.text if state else "{}").items():
            found[f"queue:{number}"] = version, _digest(bytes(document))
        return found

    @cached_property
    def _trends(self) -> dict[int, Told]:
        rows = Trends.objects.filter(domain__in=self._ids).annotate(text=Cast("lines", TextField()))
        return {domain_id: _told_lines(milliseconds(at), text) for domain_id, at, text in rows.values_list(
            "domain_id", "until", "text"
        )}  # fmt: skip

    @cached_property
    def _events(self) -> dict[int, Told]:
        rows = health.of_calls(self._ids)
        healths = {pk: health.judged(rows[pk], self._poll_states.get(pk)) for pk in self._ids}
        documents = {pk: calls.events_document(each) for pk, each in healths.items()}
        return {pk: marks.told((key, *each) for key, each in of.items()) for pk, of in documents.items()}

    @cached_property
    def _queues(self) -> ByDomain:
        return self._rows(Queue.objects.all(), _columns(Queue))

    @cached_property
    def _targets(self) -> ByDomain:
        return self._rows(Target.objects.all(), _columns(Target))

    @cached_property
    def _mutes(self) -> ByDomain:
        """Those that ran lately, and which of them are over."""
        lately = Mute.objects.filter(until__gt=self._now - LONGEST)
        rows = self._rows(lately, ["until", "pk", "queue_id", "reason", "created_at"])
        return {pk: [(*row, row[0] <= self._now) for row in found] for pk, found in rows.items()}

    @cached_property
    def _people(self) -> ByDomain:
        return self._rows(Person.objects.all(), ["pk", "extension", "name", "is_hidden"])

    @cached_property
    def _presences(self) -> ByDomain:
        return self._rows(Presence.objects.all(), _columns(Presence, "overdue_since"), "person__domain_id")

    @cached_property
    def _legs(self) -> ByDomain:
        """Legs that are live or that a presence names, and those by which their calls came through a queue."""
        names = _columns(Leg)
        at, of_call = names.index("id"), names.index("from_call_id")
        found = self._rows(Leg.objects.filter(ended_at=None), names)
        place = _columns(Presence, "overdue_since").index("leg_id")
        named = {row[place] for rows in self._presences.values() for row in rows} - {None}
        known = {row[at] for rows in found.values() for row in rows}
        # Asked by itself: together with the live ones no index would serve.
        if named - known:
            _join(found, self._rows(Leg.objects.filter(pk__in=named - known), names))
        heads = {pk: {row[of_call] for row in rows} - {""} for pk, rows in found.items()}
        if calls_of := [Q(domain=pk, from_call_id__in=each) for pk, each in heads.items() if each]:
            queued = Leg.objects.filter(reduce(or_, calls_of), ended_at__isnull=False).exclude(queue="")
            _join(found, self._rows(queued, names))
        return found

    @cached_property
    def _alerts(self) -> ByDomain:
        return self._rows(Alert.objects.filter(ended_at=None), _columns(Alert))

    @cached_property
    def _boards(self) -> dict[str, list[Any]]:
        """By the name of their feed."""
        rows = self._rows(Board.objects.all(), _columns(Board))
        return {f"board:{row[0]}": row for of_company in rows.values() for row in of_company}

    @cached_property
    def _images(self) -> ByDomain:
        return self._rows(Image.objects.all(), ["pk", "digest"])

    @cached_property
    def _minute(self) -> ByDomain:
        """What is counted for boards is counted anew each minute."""
        minute = self._now.replace(second=0, microsecond=0)
        return {pk: [minute] for pk in self._ids}

    def _rows(self, rows: "QuerySet[Any]", names: Iterable[str], domain: str = "domain_id") -> ByDomain:
        found: ByDomain = defaultdict(list)
        of_these = rows.filter(**{f"{domain}__in": self._ids}).order_by("pk")
        for domain_id, *row in of_these.values_list(domain, *names):
            found[domain_id].append(row)
        return found


def _told_lines(until: int, text: str) -> Told:
    """The lines of the queues, in the words of TrendDocument around those that are stored."""
    begin = b'{"until":%d,' % until
    lines = _lines.decode(text).items()
    return {f"trend:{number}": (until // 60_000, _digest(begin + bytes(line)[1:])) for number, line in lines}


def _join(found: ByDomain, more: ByDomain) -> None:
    for pk, rows in more.items():
        found[pk] = found.get(pk, []) + rows


@cache
def _code() -> str:
    """A digest of the house itself."""
    files = sorted(path for room in ("wallboard", "accounts") for path in (settings.BASE_DIR / room).rglob("*.py"))
    return _digest(b"".join(path.read_bytes() for path in files))


def _digest(text: bytes) -> str:
    return sha1(text, usedforsecurity=False).hexdigest()
