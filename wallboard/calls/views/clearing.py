"""Supervisors end calls that hang."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from wallboard.calls import clearing


@require_POST
@for_role(Person.Role.SUPERVISOR)
def clear(request: HttpRequest, viewer: Viewer, leg_id: int) -> HttpResponseBase:
    """End what hangs of this leg's call: it leaves the boards at once, and its people are free again."""
    count = clearing.clear(Domain.objects.get(pk=viewer.domain_id), leg_id, viewer.limit)
    # 404, not 403: whether a call exists that one may not see is none of one's business.
    if count is None:
        raise Http404
    if count:
        messages.success(request, _("The call is cleared: boards do not show it any more."))
    else:
        messages.info(request, _("There was nothing to clear: the call is over, or news of it came in meanwhile."))
    return redirect("calls:calls")
