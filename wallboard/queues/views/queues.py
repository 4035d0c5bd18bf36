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
from accounts.saving import tables
from wallboard.queues import queue_table, renumbering
from wallboard.queues.forms import queue_forms


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def queues(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The table of the queues; sent, it is saved and open boards show it at once."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    known = queue_table.queues_of(domain)
    stamp, status = queue_table.stamp(known), 200
    cells = {name: text for form in queue_forms(known) for name, text in form.cells().items()}
    forms = queue_forms(known, request.POST if request.method == "POST" else None)
    # Places count over the whole table, so a table made from an older order would shuffle what others sorted.
    if request.method == "POST" and request.POST.get("stamp") != stamp:
        forms = queue_forms(known, tables.merged(request.POST, cells))
        messages.error(
            request, _("Somebody else changed queues meanwhile. Look at the table again; it holds what you wrote.")
        )
        status = 409
    elif request.method == "POST" and all(form.is_valid() for form in forms):
        changed = queue_table.save([form.row() for form in forms])
        summary = ngettext("Saved: %(n)s queue changed.", "Saved: %(n)s queues changed.", changed) % {"n": changed}
        messages.success(
            request, " ".join((summary, _("Open boards show it already."))) if changed else _("Nothing changed.")
        )
        return redirect("queues:queues")
    elif request.method == "POST":
        messages.error(request, _("Nothing is saved: look at the cells that are marked."))
        status = 400
    groups = sorted({queue.group for queue in known if queue.group})
    context = {
        "forms": forms,
        "stamp": stamp,
        "made_from": tables.carried(cells),
        "groups": groups,
        "renumbered": renumbering.sentences(domain),
    }
    return render(request, "queues/queues.html", context, status=status)
