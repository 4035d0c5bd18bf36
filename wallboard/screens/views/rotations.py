"""Rotations of a company, for supervisors: add, change, delete."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from accounts.saving import stamps
from wallboard.screens import rotations
from wallboard.screens.forms import RotationForm
from wallboard.screens.models import Rotation


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def new(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Make a rotation."""
    return edit(request, viewer, None)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def change(request: HttpRequest, viewer: Viewer, rotation_id: int) -> HttpResponseBase:
    """Change a rotation; screens that show it follow within seconds."""
    return edit(request, viewer, own_rotation(viewer, rotation_id))


def edit(request: HttpRequest, viewer: Viewer, rotation: Rotation | None) -> HttpResponseBase:
    """The form, or what was saved."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = RotationForm(domain, request.POST or None, rotation)
    stamp, status = stamps.shown(request, _shown(rotation)), 400 if form.errors else 200
    try:
        if form.is_valid():
            save(request, domain, form.rotation_input(), rotation)
            messages.success(request, _("Saved. Screens that show it follow within seconds."))
            return redirect("screens:screens")
    except stamps.Changed as changed:
        messages.error(request, str(changed))
        stamp, status = changed.stamp, 409
    context = {"form": form, "rotation": rotation, "stamp": stamp}
    return render(request, "screens/rotation.html", context, status=status)


def save(request: HttpRequest, domain: Domain, wanted: rotations.RotationInput, rotation: Rotation | None) -> None:
    """Make the rotation or change it. Raises Changed where somebody else changed it since the form was made."""
    if rotation is None:
        rotations.save(domain, wanted)
        return
    with stamps.saving(request, rotation, _shown) as stored:
        rotations.save(domain, wanted, stored)


def _shown(rotation: Rotation | None) -> list[object]:
    return [rotation.name, list(rotation.steps.values_list("board", "seconds"))] if rotation is not None else []


@require_POST
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def delete(request: HttpRequest, viewer: Viewer, rotation_id: int) -> HttpResponseBase:
    """Delete a rotation; its screens go on with one board."""
    rotation = own_rotation(viewer, rotation_id)
    rotations.delete(rotation)
    messages.success(request, _("%(name)s is removed; its screens go on with one board.") % {"name": rotation.name})
    return redirect("screens:screens")


def own_rotation(viewer: Viewer, rotation_id: int) -> Rotation:
    """The viewer's company's rotation. Raises Http404."""
    return get_object_or_404(Rotation, pk=rotation_id, domain_id=viewer.domain_id)
