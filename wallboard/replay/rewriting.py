"""Spans written anew without what must not be known any more."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.db import transaction
from django.db.models import F

from wallboard.calls.retention.traces import GoOn, always
from wallboard.replay import patches, stream
from wallboard.replay.models import Span
from wallboard.replay.patches import Verbatim
from wallboard.replay.stream import Change, Documents, Writer

# A document (feed, key, value) as it may stay; None where nothing of it may.
Clean = Callable[[str, str, Any], Any]
# What may be in this span; None where nothing in it has to go.
CleanerOf = Callable[[stream.Reader], Clean | None]


def rewrite(
    domain_id: int,
    pattern: re.Pattern[str],
    cleaner_of: CleanerOf,
    tracks: Collection[str] = (),
    go_on: GoOn = always,
) -> int:
    """Clean every span of a company in whose text the pattern is found; gives how many were changed.

    Each in a transaction of its own. A recorder that still writes one of them begins a new one instead.
    """
    rows = Span.objects.filter(domain_id=domain_id, **({"track__in": tracks} if tracks else {}))
    count = 0
    for pk in list(rows.values_list("pk", flat=True)):
        go_on()
        count += _rewrite_one(pk, pattern, cleaner_of)
    return count


def _rewrite_one(pk: int, pattern: re.Pattern[str], cleaner_of: CleanerOf) -> bool:
    with transaction.atomic():
        span = Span.objects.select_for_update().filter(pk=pk).first()
        if span is None or not any(pattern.search(line.decode()) for line in stream.lines(span.data)):
            return False
        clean = cleaner_of(stream.Reader(span.data))
        if clean is None:
            return False
        Span.objects.filter(pk=pk).update(data=_cleaned(span.data, clean), version=F("version") + 1)
    return True


def _cleaned(data: bytes | memoryview, clean: Clean) -> bytes:
    reader = stream.Reader(data)
    writer = Writer(
        reader.begins, {name: held and _documents(name, held, clean) for name, held in reader.state.items()}
    )
    for change in reader.changes():
        documents = change.documents
        if documents is not None:
            documents = _documents(change.feed, documents, clean)
        writer.add(change.second, [Change(change.second, change.feed, documents, change.is_whole)])
    return writer.complete()


def _documents(feed: str, documents: Mapping[str, Any], clean: Clean) -> Documents:
    return {key: None if each is None else _document(feed, key, each, clean) for key, each in documents.items()}


def _document(feed: str, key: str, document: Any, clean: Clean) -> Any:
    """By what it means; kept as the text that it was where nothing of it has to go."""
    meant = patches.meaning(document)
    cleaned = clean(feed, key, meant)
    if cleaned == meant:
        return document
    return Verbatim(cleaned) if isinstance(cleaned, str) else cleaned
