"""Pictures for boards: added and deleted by supervisors, served to the company's people."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import Viewer, for_role, person_of
from accounts.models import Domain, Person
from wallboard.boards import images, permissions
from wallboard.boards.models import Image

CACHE_FOREVER = "private, max-age=31536000, immutable"  # the digest is part of the address
IMAGE_POLICY = (  # a picture that is opened on its own may load and run nothing
    "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR)
def listing(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The company's pictures; POST adds one (field `file`) and answers with it, or with a sentence why not."""
    if request.method == "GET":
        return JsonResponse({"images": images.image_list(viewer.domain_id)})
    upload = request.FILES.get("file")
    if upload is None:
        return JsonResponse({"error": _("Choose a picture first.")}, status=400)
    domain = Domain.objects.get(pk=viewer.domain_id)
    try:
        image = images.add(domain, upload, person_of(viewer))
    except images.Refused as error:
        return JsonResponse({"error": str(error)}, status=400)
    return JsonResponse({"image": images.as_json(image)})


@require_POST
@for_role(Person.Role.SUPERVISOR)
def delete(request: HttpRequest, viewer: Viewer, image_id: int) -> HttpResponse:
    """Delete a picture that no board shows."""
    image = get_object_or_404(Image.objects.defer("data"), pk=image_id, domain_id=viewer.domain_id)
    try:
        images.remove(image)
    except images.StillShown as error:
        # Names of boards may not be told to everybody who may delete pictures.
        readable = images.StillShown(image, permissions.readable_names(viewer, error.boards))
        return JsonResponse({"error": str(readable)}, status=409)
    return JsonResponse({"images": images.image_list(viewer.domain_id)})


@require_GET
@for_role(Person.Role.AGENT)
def show(request: HttpRequest, viewer: Viewer, image_id: int, digest: str) -> HttpResponse:
    """A picture for the company's people."""
    return picture(viewer.domain_id, image_id, digest)


def picture(domain_id: int, image_id: int, digest: str) -> HttpResponse:
    """The bytes with the kind that we wrote. Raises Http404."""
    image = get_object_or_404(Image, pk=image_id, domain_id=domain_id, digest=digest)
    response = HttpResponse(bytes(image.data), content_type=image.kind)
    response["Cache-Control"] = CACHE_FOREVER
    response["Content-Security-Policy"] = IMAGE_POLICY
    return response
