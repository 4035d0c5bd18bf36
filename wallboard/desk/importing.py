"""A file of contacts on its way in: first every line is read, then all of them are kept at once or none is."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import islice

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Domain, Person
from wallboard.desk import sheets
from wallboard.desk.contacts import Unsaid, Wish, read
from wallboard.desk.keeping import keep
from wallboard.desk.models import Import

KEPT = timedelta(days=1)
SILENT = timedelta(seconds=60)  # a run that has not been heard of for so long has died
MOST_ERRORS = 200
MOST_LINES = 200_000
STEP = 1000
Read = tuple[int, list[str], Wish | str]


def begin(domain: Domain, person: Person | None, file_name: str, content: bytes) -> Import:
    """Take a file in, with a guess at what its columns hold. Raises Unsaid."""
    forget(domain)
    try:
        text = sheets.text_of(content)
        delimiter = sheets.delimiter_of(text)
        lines = list(sheets.rows(text, delimiter))
    except sheets.Unreadable as error:
        raise Unsaid(_("This file is no table of text. Save it as CSV and try again.")) from error
    if not lines or len(lines) > MOST_LINES:
        raise Unsaid(_("A file may have 1 to %(most)d lines.") % {"most": MOST_LINES})
    columns = sheets.guess(lines[0][1])
    has_header = any(columns)
    width = max(len(row) for _line, row in lines[:STEP])
    return Import.objects.create(
        domain=domain, person=person, file_name=file_name[:200], text=text, delimiter=delimiter,
        has_header=has_header, columns=(columns + [""] * width)[:width], lines=len(lines) - has_header,
    )  # fmt: skip


def preview(running: Import, most: int = 10) -> list[Read]:
    """The first lines as they would come in: line number, cells, and the contact or what is wrong with it."""
    return list(islice(_wishes(running), most))


def choose(running: Import, columns: list[str], has_header: bool) -> None:
    """Say what the columns hold. Raises Unsaid where no contact could be made of them."""
    if running.state not in (Import.State.NEW, Import.State.FAULTY):
        raise Unsaid(_("This file is on its way in already."))
    running.columns = [role if role in sheets.ROLES else "" for role in columns][: len(running.columns)]
    if "number" not in running.columns or not {"name", "first", "last", "company"} & set(running.columns):
        raise Unsaid(_("Choose at least one column with numbers and one with names."))
    running.lines += running.has_header - has_header
    running.has_header = has_header
    running.save(update_fields=["columns", "has_header", "lines"])


def queue(running: Import, *, skips_bad: bool) -> bool:
    """Whether this file may be run now: not while it runs already, nor again once it is in."""
    now = timezone.now()
    idle = Q(state__in=[Import.State.NEW, Import.State.FAULTY])
    dead = Q(state__in=[Import.State.QUEUED, Import.State.RUNNING], heard_at__lt=now - SILENT)
    free = Import.objects.filter(idle | dead, pk=running.pk)
    return bool(free.update(state=Import.State.QUEUED, skips_bad=skips_bad, heard_at=now, lines_read=0))


def run(import_id: int) -> None:
    """Read every line, telling how far it is; keep all of them in one transaction, or stop at bad ones."""
    if not Import.objects.filter(pk=import_id, state=Import.State.QUEUED).update(state=Import.State.RUNNING):
        return
    running = Import.objects.select_related("domain").get(pk=import_id)
    good: list[Wish] = []
    errors: list[list[int | str]] = []
    bad = 0
    for number, (line, _row, wish) in enumerate(_wishes(running), 1):
        if isinstance(wish, Wish):
            good.append(wish)
        else:
            bad += 1
            errors += [[line, wish]] if len(errors) < MOST_ERRORS else []
        if number % STEP == 0:
            _tell(running, lines_read=number)
    _tell(running, lines_read=len(good) + bad, bad=bad, errors=errors)
    if bad and not (running.skips_bad and good):
        _tell(running, state=Import.State.FAULTY)
        return
    _keep(running, good)


def forget(domain: Domain) -> None:
    """Drop the files of yesterday."""
    Import.objects.filter(domain=domain, made_at__lt=timezone.now() - KEPT).delete()


@transaction.atomic
def _keep(running: Import, wishes: list[Wish]) -> None:
    added, changed = keep(running.domain, wishes)
    mine = Import.objects.filter(pk=running.pk, state=Import.State.RUNNING)
    mine.update(state=Import.State.DONE, added=added, changed=changed, text="", heard_at=timezone.now())


def _tell(running: Import, **known: object) -> None:
    Import.objects.filter(pk=running.pk).update(heard_at=timezone.now(), **known)


def _wishes(running: Import) -> Iterator[Read]:
    lines = sheets.rows(running.text, running.delimiter)
    for line, row in islice(lines, int(running.has_header), None):
        try:
            yield line, row, read(running.domain, _wish(running.columns, row))
        except Unsaid as error:
            yield line, row, str(error)


def _wish(columns: Iterable[str], row: list[str]) -> Wish:
    cells: dict[str, list[str]] = {role: [] for role in sheets.ROLES}
    for role, cell in zip(columns, row, strict=False):
        if cell:
            cells[role].append(cell)
    name = " ".join(cells["name"] or cells["first"] + cells["last"])
    return Wish(name, " ".join(cells["company"]), " ".join(cells["email"][:1]), tuple(cells["number"]))
