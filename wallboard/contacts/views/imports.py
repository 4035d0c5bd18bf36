"""Contacts from a file: choose it, say what its columns hold, see what would happen, and let it happen."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from kombu.exceptions import OperationalError

from accounts import audit
from accounts.access import Viewer, for_role, person_of
from wallboard.contacts import import_files, imports, tasks
from wallboard.contacts.address_book import InvalidInput
from wallboard.contacts.models import Import
from wallboard.live.broker import send_now

LOOK_AGAIN_SECONDS = 1
# As long as a run may be silent: after that it can be started again.
EXPIRES_SECONDS = 60


@never_cache
@require_http_methods(["GET", "POST"])
@for_role("supervisor")
def choose_file(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Where a file is chosen; it is not kept as contacts yet."""
    upload = request.FILES.get("file")
    if request.method == "POST" and upload is not None:
        if (upload.size or 0) > import_files.LARGEST_BYTES:
            messages.error(request, _("A file may have 25 MB."))
            return redirect("contacts:import")
        person = person_of(viewer)
        try:
            begun = imports.create(person.domain, person, upload.name or "", upload.read())
        except InvalidInput as error:
            messages.error(request, str(error))
        else:
            return redirect("contacts:import_state", begun.pk)
    return render(request, "contacts/import.html")


@never_cache
@require_GET
@for_role("supervisor")
def import_state(request: HttpRequest, viewer: Viewer, import_id: int) -> HttpResponse:
    """Where a file stands: its first lines and columns, how far the reading is, what is wrong, or that it is in."""
    running = _get_import(viewer, import_id)
    is_busy = imports.is_under_way(running)
    context = {
        "running": running,
        "is_busy": is_busy,
        "good": running.lines_read - running.bad,
        "roles": import_files.ROLES,
        "preview": [] if is_busy or not running.text else imports.preview(running),
    }
    answer = render(request, "contacts/import_state.html", context)
    if is_busy:
        # A header, so that the page needs no script.
        answer["Refresh"] = str(LOOK_AGAIN_SECONDS)
    return answer


@require_POST
@for_role("supervisor")
def change_columns(request: HttpRequest, viewer: Viewer, import_id: int) -> HttpResponse:
    """Say what the columns hold, and look again or begin."""
    running = _get_import(viewer, import_id)
    try:
        imports.set_columns(running, request.POST.getlist("column"), "has_header" in request.POST)
    except InvalidInput as error:
        messages.error(request, str(error))
    else:
        if "start" in request.POST:
            _start(request, running)
    return redirect("contacts:import_state", import_id)


@require_POST
@for_role("supervisor")
def skip_bad_lines(request: HttpRequest, viewer: Viewer, import_id: int) -> HttpResponse:
    """Take the good lines of a file that has bad ones."""
    _start(request, _get_import(viewer, import_id), skips_bad=True)
    return redirect("contacts:import_state", import_id)


def _start(request: HttpRequest, running: Import, *, skips_bad: bool = False) -> None:
    if not imports.queue(running, skips_bad=skips_bad):
        return
    try:
        send_now(tasks.import_contacts, running.pk, expires=EXPIRES_SECONDS)
    except OperationalError:
        # Else it would look queued for a minute, while nobody has it.
        Import.objects.filter(pk=running.pk).update(state=Import.State.NEW)
        messages.error(request, _("It cannot begin right now: Redis is away. Try again in a moment."))
    else:
        audit.log(running.domain_id, "contacts imported", running.file_name)


def _get_import(viewer: Viewer, import_id: int) -> Import:
    return get_object_or_404(Import.objects.select_related("domain"), domain_id=viewer.domain_id, pk=import_id)
