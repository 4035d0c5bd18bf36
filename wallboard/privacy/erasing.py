"""Forgetting strangers: by itself after the time that the company keeps calls and notes, or one number at once.

What counts stays: every call with its times, queue and people, every note with its outcome. What says who it was goes.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit, leases
from accounts import audit_anonymizing as entries
from accounts.models import Domain
from wallboard.calls import numbers
from wallboard.calls.models import Delivery, Leg, Record
from wallboard.calls.retention import anonymizing, traces
from wallboard.calls.retention import retention as calls
from wallboard.calls.retention.retention import Batch, NotNow
from wallboard.calls.retention.traces import GoOn, Place, Trace
from wallboard.carddav import erased as address_books
from wallboard.contacts import erasing as contact_numbers
from wallboard.contacts import imports as importing
from wallboard.contacts.models import Import
from wallboard.desk import callbacks
from wallboard.desk.models import CallBack, Note, Rule
from wallboard.replay import erasing as recordings

LONGEST_RUN_SECONDS = 20.0  # of one run; the next one goes on where it stopped
LEASE_SECONDS = 120  # longer than any run; after a killed worker the next one waits for so long
NOTES_AT_ONCE = 500  # short statements, so that nobody at a desk waits for a row
HAS_CALLER = ~Q(contact=None) | (~Q(number_e164="") & ~Q(number_e164__startswith=numbers.REMOVED))
OF_CALLS = (Leg, Record, Delivery)


def apply_retention(domain: Domain) -> bool:
    """Forget what is past its time, for some seconds at most; gives whether all of it is done. Safe to repeat.

    One run at a time per company; another one meanwhile does nothing.
    """
    if (lease := leases.acquire(f"forget:{domain.pk}", LEASE_SECONDS)) is None:
        return False
    with lease:
        ends_at = time.monotonic() + LONGEST_RUN_SECONDS
        importing.delete_old(domain)
        _drop_call_backs(domain)
        is_done = _anonymize_calls(domain, calls.limit(domain, calls.days_of_callers(domain)), ends_at)
        # Notes first in this line, so that they get their turn whether or not the calls are done.
        return _empty_notes(domain, calls.limit(domain, domain.notes_kept_days), ends_at) and is_done


@dataclass(frozen=True)
class Step:
    """A part of erasing a number; `take` gives how much of which kind lost it. Taken again it does no harm."""

    take: Callable[[], dict[str, int]]
    is_atomic: bool = False

    def together(self) -> AbstractContextManager[object]:
        """A transaction for the step and what is noted about it; none where the step may take long."""
        return transaction.atomic() if self.is_atomic else nullcontext()


def check(domain: Domain, trace: Trace) -> None:
    """Raises NotNow where the number cannot be erased now."""
    # It would bring the number back after it was erased.
    if importing.is_any_under_way(domain):
        raise NotNow(_("A file of contacts is on its way in. Try again once it is in."))
    calls.check(domain, trace, calls.legs_of(domain, trace))


def steps(domain: Domain, trace: Trace, go_on: GoOn = traces.always) -> list[Step]:
    """What is to be done, in order: first what says who it was, then every text of every table, which may take long.

    In a transaction of its own a step asks nobody whether to go on.
    """
    others = [place for place in traces.places() if place.model not in OF_CALLS]
    return [
        Step(lambda: _erase_caller(domain, trace), is_atomic=True),
        Step(lambda: {"imports": _erase_imports(domain, trace)}),
        Step(lambda: _erase_rules(domain, trace)),
        Step(lambda: {"deliveries": calls.erase_deliveries(domain, trace, go_on)}),
        Step(lambda: {"others": calls.mask_mentions(domain, trace, go_on)}),
        *(Step(partial(_erase_others, domain, place, trace, go_on)) for place in others),
        Step(lambda: {"others": recordings.erase(domain, trace, go_on)}),
        Step(lambda: {"others": address_books.note(domain, trace)}),
    ]


def note(domain: Domain, trace: Trace, found: Mapping[str, int]) -> None:
    """Say in the audit log that it was erased."""
    counts = {name: [None, count] for name, count in found.items() if count}
    # Masked: the log outlives what was erased.
    audit.log(domain.pk, "number erased", numbers.masked(trace.number), counts)


def _erase_caller(domain: Domain, trace: Trace) -> dict[str, int]:
    check(domain, trace)
    importing.give_up_dead(domain)
    batch = calls.erase(domain, trace)
    # Notes carry the mark of the calls, so that what belongs together still does.
    mark = batch.marks.get(trace.number) or anonymizing.new_mark()
    notes = _erase_notes(domain, trace, batch, mark)
    contacts = contact_numbers.erase(domain, trace)
    backs = CallBack.objects.filter(domain=domain, number_e164=trace.number).delete()[0]
    callbacks.invalidate_cache(domain.pk)
    return {"calls": batch.legs, "notes": notes, "contacts": contacts, "call_backs": backs}


def _erase_others(domain: Domain, place: Place, trace: Trace, go_on: GoOn) -> dict[str, int]:
    return {"others": traces.mask_rows(place, domain.pk, trace, go_on)}


def remaining(domain: Domain, trace: Trace, go_on: GoOn = traces.always) -> list[str]:
    """What still holds the number after erase(), in words: addresses and names by which other things are found.

    They are for people to change, who know what else uses them: a board's address, a queue's number, the company's
    name. The provider's own call ids are not looked at.
    """
    found = []
    for place in traces.key_places():
        for row in traces.rows_with(place, domain.pk, trace, go_on):
            held = [name for name in place.columns if trace.is_in(row[name])]
            found += [f"{place.model._meta.verbose_name}: {name} ({row['pk']})" for name in held]
    return found


def notes_of(domain: Domain, trace: Trace, call_ids: Iterable[str]) -> list[Note]:
    """What was noted about this number: on its calls, or under it."""
    about = Q(number_e164=trace.number) | Q(call_id__in=list(call_ids))
    rows = Note.objects.filter(about, domain=domain).select_related("person", "outcome", "contact")
    return list(rows.order_by("written_at", "pk"))


def _anonymize_calls(domain: Domain, before: datetime | None, ends_at: float) -> bool:
    until = calls.done_until(domain)
    if before is None or (until and until >= before):
        return True
    calls.empty_deliveries(domain, before)
    entries.mask_old_entries(domain.pk, until, before)
    # Before the calls: once these are done, nothing is looked at until the next day.
    if not _anonymize_notes_left(domain, before, ends_at):
        return False
    while time.monotonic() < ends_at:
        with transaction.atomic():
            # In one transaction with the notes below, so that both carry the same mark or still the number.
            batch = calls.forget_next(domain, before)
            if batch is None:
                return True
            _anonymize_notes(domain, batch)
    return False


def _anonymize_notes(domain: Domain, batch: Batch) -> None:
    """Notes of these calls stay with them, under the same mark; whom the caller was taken for goes."""
    for note in Note.objects.filter(domain=domain, call_id__in=batch.calls):
        trace = traces.of(note.number_e164, domain.country)
        note.text = trace.masked(note.text) if trace else note.text
        note.number_e164 = batch.marks.get(note.number_e164, "") if trace else note.number_e164
        note.contact = None
        _save(note)


def _anonymize_notes_left(domain: Domain, before: datetime, ends_at: float) -> bool:
    """The same for old notes whose calls are deleted; gives whether all of it is done."""
    legs = Leg.objects.filter(domain=domain)
    # A call is named by the caller's side, or by the other one; each is a look into the same index.
    by_from = legs.filter(from_call_id=OuterRef("call_id"))
    by_to = legs.filter(from_call_id="", to_call_id=OuterRef("call_id"))
    old = Note.objects.filter(HAS_CALLER, domain=domain, written_at__lt=before)
    due = old.exclude(Exists(by_from)).exclude(Exists(by_to)).order_by("pk")
    while some := list(due[:NOTES_AT_ONCE]):
        marks: dict[str, str] = {}
        for note in some:
            number = note.number_e164
            if trace := traces.of(number, domain.country):
                note.text = trace.masked(note.text)
                number = marks.setdefault(number, anonymizing.new_mark())
            # Without a trace nothing tells whose number it is, and the note must not be found again.
            note.number_e164, note.contact = number if trace else "", None
            _save(note)
        if time.monotonic() >= ends_at:
            return False
    return True


def _empty_notes(domain: Domain, before: datetime | None, ends_at: float) -> bool:
    if before is None:
        return True
    # Emptied ones no longer match, so each round finds the next.
    due = Note.objects.filter(~Q(text="") | HAS_CALLER, domain=domain, written_at__lt=before).order_by("pk")
    while time.monotonic() < ends_at:
        some = list(due.values_list("pk", flat=True)[:NOTES_AT_ONCE])
        if not some:
            return True
        # Asked again: somebody may have written one anew since.
        Note.objects.filter(pk__in=some, written_at__lt=before).update(text="", number_e164="", contact=None)
    return False


def _drop_call_backs(domain: Domain) -> None:
    """Forget what was decided about callers who are on nobody's list any more."""
    recent = Leg.objects.filter(domain=domain, first_seen_at__gt=timezone.now() - callbacks.LOOKBACK)
    # Nobody can see them any more, and they hold numbers.
    CallBack.objects.filter(domain=domain).exclude(number_e164__in=recent.values("caller_e164")).delete()


def _erase_notes(domain: Domain, trace: Trace, batch: Batch, mark: str) -> int:
    notes = notes_of(domain, trace, batch.calls)
    for note in notes:
        note.text, note.contact = "", None
        note.number_e164 = mark if note.number_e164 else ""
        _save(note)
    return len(notes)


def _save(note: Note) -> None:
    """Without `written_at`, which tells when somebody wrote."""
    columns = {"text": note.text, "number_e164": note.number_e164, "contact": note.contact}
    Note.objects.filter(pk=note.pk).update(**columns)


def _erase_imports(domain: Domain, trace: Trace) -> int:
    """A file that nobody took in yet is dropped as a whole: it can be chosen again without the line."""
    waiting = Import.objects.filter(domain=domain, text__regex=trace.pattern)
    return waiting.exclude(state__in=(Import.State.QUEUED, Import.State.RUNNING)).delete()[0]


def _erase_rules(domain: Domain, trace: Trace) -> dict[str, int]:
    """Who ignored this number has nothing more to ignore."""
    for rule in Rule.objects.filter(person__domain=domain):
        ignored = [address for address in rule.ignored if not trace.is_in(address)]
        if ignored != rule.ignored:
            Rule.objects.filter(pk=rule.pk).update(ignored=ignored)
    return {}
