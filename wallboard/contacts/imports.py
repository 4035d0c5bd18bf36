"""A file of contacts on its way in: first every line is read, then all of them are kept at once or none is."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import islice

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Domain, Person
from wallboard.contacts import import_files
from wallboard.contacts.address_book import ContactInput, InvalidInput, clean
from wallboard.contacts.bulk_import import store
from wallboard.contacts.models import Import

# A file that nobody finishes holds personal data for nothing.
RETENTION = timedelta(days=1)
STALLED_AFTER = timedelta(seconds=60)  # a run that has not been heard of for so long has died
# Nobody mends more by hand; such a file has the wrong columns.
MOST_ERRORS = 200
MOST_LINES = 200_000
# Often enough for a page that looks again each second, and for a run that died to be noticed.
STEP = 1000
BEGUN = (Import.State.QUEUED, Import.State.RUNNING)
ParsedLine = tuple[int, list[str], ContactInput | str]


def create(domain: Domain, person: Person | None, file_name: str, content: bytes) -> Import:
    """Take a file in, with a guess at what its columns hold. Raises InvalidInput."""
    delete_old(domain)
    try:
        text = import_files.decode(content)
        delimiter = import_files.detect_delimiter(text)
        lines = list(import_files.rows(text, delimiter))
    except import_files.Unreadable as error:
        raise InvalidInput(_("This file is no table of text. Save it as CSV and try again.")) from error
    if not lines or len(lines) > MOST_LINES:
        raise InvalidInput(_("A file may have 1 to %(most)d lines.") % {"most": MOST_LINES})
    columns = import_files.guess_columns(lines[0][1])
    has_header = any(columns)
    width = max(len(row) for _line, row in lines[:STEP])
    return Import.objects.create(
        domain=domain, person=person, file_name=file_name[:200], text=text, delimiter=delimiter,
        has_header=has_header, columns=(columns + [""] * width)[:width], lines=len(lines) - has_header,
    )  # fmt: skip


def preview(running: Import) -> list[ParsedLine]:
    """The first lines as they would come in: line number, cells, and the contact or what is wrong with it."""
    return list(islice(_parsed_lines(running), 10))


def is_under_way(running: Import) -> bool:
    """Whether a worker reads it or is about to; one that was not heard of for long has died."""
    return running.state in BEGUN and running.heard_at >= timezone.now() - STALLED_AFTER


def is_any_under_way(domain: Domain) -> bool:
    """Whether a worker reads one of the company's files or is about to."""
    recent = timezone.now() - STALLED_AFTER
    return Import.objects.filter(domain=domain, state__in=BEGUN, heard_at__gte=recent).exists()


def give_up_dead(domain: Domain) -> None:
    """Make new ones again of the company's files whose worker died: should it live, it keeps nothing of them any more.

    Waits for one that is just being kept.
    """
    Import.objects.filter(_dead(), domain=domain).update(state=Import.State.NEW)


def set_columns(running: Import, columns: list[str], has_header: bool) -> None:
    """Say what the columns hold. Raises InvalidInput where no contact could be made of them."""
    if running.state == Import.State.DONE or is_under_way(running):
        raise InvalidInput(_("This file is on its way in already."))
    running.columns = [role if role in import_files.ROLES else "" for role in columns][: len(running.columns)]
    if "number" not in running.columns or not {"name", "first", "last", "company"} & set(running.columns):
        raise InvalidInput(_("Choose at least one column with numbers and one with names."))
    running.lines += running.has_header - has_header
    running.has_header = has_header
    running.save(update_fields=["columns", "has_header", "lines"])


def queue(running: Import, *, skips_bad: bool) -> bool:
    """Whether this file may be run now: not while it runs already, nor again once it is in."""
    now = timezone.now()
    idle = Q(state__in=[Import.State.NEW, Import.State.FAULTY])
    # One conditional update: of two clicks exactly one starts it.
    free = Import.objects.filter(idle | _dead(), pk=running.pk)
    return bool(free.update(state=Import.State.QUEUED, skips_bad=skips_bad, heard_at=now, lines_read=0))


def run(import_id: int) -> None:
    """Read every line, telling how far it is; keep all of them in one transaction, or stop at bad ones."""
    # The broker may deliver a task twice, and a lost one may have been queued again.
    if not Import.objects.filter(pk=import_id, state=Import.State.QUEUED).update(state=Import.State.RUNNING):
        return
    running = Import.objects.select_related("domain").get(pk=import_id)
    good: list[ContactInput] = []
    errors: list[list[int | str]] = []
    bad = 0
    for number, (line, _row, parsed) in enumerate(_parsed_lines(running), 1):
        if isinstance(parsed, ContactInput):
            good.append(parsed)
        else:
            bad += 1
            errors += [[line, parsed]] if len(errors) < MOST_ERRORS else []
        if number % STEP == 0:
            _update(running, lines_read=number)
    _update(running, lines_read=len(good) + bad, bad=bad, errors=errors)
    if bad and not (running.skips_bad and good):
        _update(running, state=Import.State.FAULTY)
        return
    _store(running, good)


def delete_old(domain: Domain) -> None:
    """Drop the files of yesterday."""
    Import.objects.filter(domain=domain, made_at__lt=timezone.now() - RETENTION).delete()


def _dead() -> Q:
    return Q(state__in=BEGUN, heard_at__lt=timezone.now() - STALLED_AFTER)


@transaction.atomic
def _store(running: Import, entries: list[ContactInput]) -> None:
    mine = Import.objects.filter(pk=running.pk, state=Import.State.RUNNING)
    # It may have been taken for dead, and a number in it been erased since.
    if not list(mine.select_for_update().values_list("pk")):
        return
    added, changed = store(running.domain, entries)
    mine.update(state=Import.State.DONE, added=added, changed=changed, text="", heard_at=timezone.now())


def _update(running: Import, **known: object) -> None:
    Import.objects.filter(pk=running.pk).update(heard_at=timezone.now(), **known)


def _parsed_lines(running: Import) -> Iterator[ParsedLine]:
    lines = import_files.rows(running.text, running.delimiter)
    for line, row in islice(lines, int(running.has_header), None):
        try:
            yield line, row, clean(running.domain, _contact_input(running.columns, row))
        except InvalidInput as error:
            yield line, row, str(error)


def _contact_input(columns: Iterable[str], row: list[str]) -> ContactInput:
    cells: dict[str, list[str]] = {role: [] for role in import_files.ROLES}
    for role, cell in zip(columns, row, strict=False):
        if cell:
            cells[role].append(cell)
    name = " ".join(cells["name"] or cells["first"] + cells["last"])
    # A contact has one e-mail address, and any number of numbers.
    return ContactInput(name, " ".join(cells["company"]), " ".join(cells["email"][:1]), tuple(cells["number"]))
