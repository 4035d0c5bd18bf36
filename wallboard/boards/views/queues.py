"""What administrators call the queues, and in which order and groups boards show them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from wallboard.boards import queue_rows


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def queues(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The table of the queues; sent, it is kept and open boards show it at once."""
    known = queue_rows.queues_of(Domain.objects.get(pk=viewer.domain_id))
    posted = {name: str(value) for name, value in request.POST.items()} if request.method == "POST" else None
    rows, stamp = queue_rows.rows_of(known, posted), queue_rows.stamp(known)
    is_old = posted is not None and posted.get("stamp") != stamp
    if posted is not None and not is_old:
        changed = queue_rows.save(rows)
        said = ngettext("Saved: %(n)s queue changed.", "Saved: %(n)s queues changed.", changed) % {"n": changed}
        messages.success(request, f"{said} {_('Open boards show it already.')}" if changed else _("Nothing changed."))
        return redirect("boards:queues")
    if is_old:
        messages.error(
            request, _("Somebody else changed queues meanwhile. Look at the table again; it holds what you wrote.")
        )
    groups = sorted({queue.group for queue in known if queue.group})
    shown = {"rows": rows, "stamp": stamp, "groups": groups}
    return render(request, "boards/queues.html", shown, status=409 if is_old else 200)
