"""Pictures on the boards of a TV."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from wallboard.boards.views.images import picture
from wallboard.screens import screens


@require_GET
def show(request: HttpRequest, image_id: int, digest: str) -> HttpResponse:
    """A picture of the TV's company, below the path of its cookie."""
    screen = screens.screen_at(request)
    if screen is None:
        return HttpResponse(status=403)
    return picture(screen.domain_id, image_id, digest)
