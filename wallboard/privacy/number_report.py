"""Everything that is kept about one number, to be looked at and to be handed to whoever asks for it."""

import io
import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from accounts import csv_export
from accounts.languages import audit_labels
from accounts.models import AuditEntry, Domain
from wallboard.calls.detail_records import of_pairs
from wallboard.calls.models import Delivery, Leg, Record
from wallboard.calls.retention import retention, traces
from wallboard.calls.retention.traces import Trace
from wallboard.contacts.models import Contact, ContactNumber, ContactWord, Import
from wallboard.desk.models import CallBack, Note, Rule
from wallboard.privacy.erasing import notes_of

MOST_ROWS = 20_000  # of one kind; more would be a machine's, and no page or file for people
LEG = ("first_seen_at", "ended_at", "from_number", "from_name", "from_user", "to_number", "to_name", "to_user", "queue",
       "is_answered", "from_call_id", "to_call_id")  # fmt: skip
RECORD = ("started_at", "answered_at", "ended_at", "duration_seconds", "from_number", "from_name", "from_user",
          "to_number", "to_user", "from_call_id", "to_call_id")  # fmt: skip
# In full under titles of their own.
LISTED_SEPARATELY = (Leg, Record, Delivery, ContactNumber, ContactWord, CallBack, Rule, AuditEntry)
MOST_SHOWN = 5
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Section:
    """One sort of what is kept: a short name for files, a title for people, and the rows.

    `lines` are the same rows as people read them, where they read anything else than in a file.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    lines: tuple[Row, ...] = ()

    @property
    def first(self) -> tuple[Row, ...]:
        """Some to look at."""
        return (self.lines or self.rows)[:MOST_SHOWN]

    @property
    def more(self) -> int:
        """How many there are beside those."""
        return len(self.rows) - len(self.first)


def collect(domain: Domain, trace: Trace) -> tuple[Section, ...]:
    """Every kind of which there is anything."""
    legs = retention.legs_of(domain, trace)[:MOST_ROWS]
    notes = notes_of(domain, trace, {leg.from_call_id or leg.to_call_id for leg in legs})
    kinds = (
        Section(
            "calls", _("Calls, by phone that rang"), LEG, _rows(legs, LEG), tuple(map(_leg_line, legs[:MOST_SHOWN]))
        ),
        _records(domain, legs),
        _notes(notes),
        _contacts(domain, trace),
        _call_backs(domain, trace),
        _imports(domain, trace),
        _deliveries(domain, trace),
        _rules(domain, trace),
        _entries(domain, trace),
        _elsewhere(domain, trace, {note.pk for note in notes}),
    )
    return tuple(kind for kind in kinds if kind.rows)


def as_zip(kinds: Iterable[Section]) -> bytes:
    """A zip file: everything as JSON, and each kind as CSV in which no cell is a formula."""
    buffer, sections = io.BytesIO(), list(kinds)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        named = {kind.name: [dict(zip(kind.columns, row, strict=True)) for row in kind.rows] for kind in sections}
        file.writestr("everything.json", json.dumps(named, indent=1, default=_as_text, ensure_ascii=False))
        for kind in sections:
            lines = [kind.columns, *(tuple(_as_text(value) for value in row) for row in kind.rows)]
            file.writestr(f"{kind.name}.csv", csv_export.MARK + csv_export.lines(lines))
    return buffer.getvalue()


def _as_text(value: object) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value if value is None else str(value)


def _rows(found: Iterable[Model], columns: tuple[str, ...]) -> tuple[Row, ...]:
    return tuple(tuple(getattr(row, name) for name in columns) for row in found)


def _leg_line(leg: Leg) -> Row:
    ends = ((leg.from_name, leg.from_user or leg.from_number), (leg.to_name, leg.to_user or leg.to_number))
    # Once each: some networks send the number again in place of a name.
    source, target = (" ".join(dict.fromkeys(filter(None, end))) for end in ends)
    return (
        leg.first_seen_at,
        f"{source or _('withheld')} → {target}",
        _("answered") if leg.is_answered else _("unanswered"),
    )


def _records(domain: Domain, legs: list[Leg]) -> Section:
    pairs = {(leg.from_call_id, leg.to_call_id) for leg in legs}
    rows = Record.objects.filter(of_pairs(pairs), domain=domain).order_by("pk")
    found = [row for row in rows if (row.from_call_id, row.to_call_id) in pairs]
    lines = tuple((row.started_at, f"{row.from_name or row.from_number} → {row.to_number}") for row in found)
    return Section("records", _("Call detail records"), RECORD, _rows(found, RECORD), lines)


def _notes(notes: list[Note]) -> Section:
    values = tuple((row.written_at, _name(row.person), _name(row.outcome), row.text, row.call_id) for row in notes)
    return Section("notes", _("Notes"), ("written_at", "by", "outcome", "text", "call"), values)


def _name(row: object | None) -> str:
    return str(row) if row else ""


def _contacts(domain: Domain, trace: Trace) -> Section:
    known = ContactNumber.objects.filter(domain=domain, number=trace.number).values("contact")
    rows = Contact.objects.filter(pk__in=known).prefetch_related("numbers").order_by("pk")
    values = tuple(
        (row.name, row.company, row.email, ", ".join(each.number for each in row.numbers.all())) for row in rows
    )
    return Section("contacts", _("Contacts"), ("name", "company", "email", "numbers"), values)


def _call_backs(domain: Domain, trace: Trace) -> Section:
    rows = CallBack.objects.filter(domain=domain, number_e164=trace.number).select_related("owner", "done_by")
    values = tuple((_name(row.owner), row.snoozed_until, row.done_at, _name(row.done_by)) for row in rows)
    return Section("call_backs", _("Call-backs"), ("owner", "put_off_until", "done_at", "done_by"), values)


def _imports(domain: Domain, trace: Trace) -> Section:
    found = Import.objects.filter(domain=domain, text__regex=trace.pattern).order_by("pk")
    lines = ((row, line) for row in found for line in row.text.splitlines() if trace.is_in(line))
    values = tuple((row.made_at, row.file_name, line) for row, line in lines)
    return Section("imports", _("Files of contacts that wait to be taken in"), ("chosen_at", "file", "line"), values)


def _deliveries(domain: Domain, trace: Trace) -> Section:
    rows = retention.deliveries_with(domain, trace).order_by("received_at", "pk")[:MOST_ROWS]
    values = tuple((row.received_at, row.body) for row in rows if trace.is_in(row.body))
    return Section("deliveries", _("What the provider posted"), ("received_at", "body"), values)


def _rules(domain: Domain, trace: Trace) -> Section:
    rows = Rule.objects.filter(person__domain=domain).select_related("person").order_by("pk")
    values = tuple((str(row.person), trace.number) for row in rows if trace.is_in(row.ignored))
    return Section("ignored", _("People who ignore it"), ("person", "number"), values)


def _entries(domain: Domain, trace: Trace) -> Section:
    place = next(each for each in traces.places() if each.model is AuditEntry)
    rows: QuerySet[AuditEntry] = place.holding(domain.pk, trace).order_by("at", "pk")[:MOST_ROWS]
    values = tuple((row.at, row.who, audit_labels.label(row.what), row.about, json.dumps(row.changes)) for row in rows)
    return Section("entries", _("Entries of the audit log"), ("at", "who", "what", "about", "changes"), values)


def _elsewhere(domain: Domain, trace: Trace, notes: set[int]) -> Section:
    """Where else somebody wrote it: a notice on a board, a note about somebody else, the name of a contact."""
    found: list[Row] = []
    for place in traces.places():
        if place.model in LISTED_SEPARATELY:
            continue
        for row in traces.rows_with(place, domain.pk, trace):
            if place.model is not Note or row["pk"] not in notes:
                # Files are listed line by line in a section of their own.
                held = [name for name in place.columns if (place.model, name) != (Import, "text")]
                found += [
                    (place.model._meta.label, name, _as_text(row[name])) for name in held if trace.is_in(row[name])
                ]
    return Section("elsewhere", _("Elsewhere"), ("table", "column", "text"), tuple(found[:MOST_ROWS]))
