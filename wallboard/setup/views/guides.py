"""Help: the guides, each for one kind of reader, and their pictures."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, get_language_info
from django.views.decorators.http import require_GET

from accounts.access import Viewer, for_role
from accounts.models import Person
from wallboard.setup import guides


@require_GET
@for_role(Person.Role.AGENT)
def guide(request: HttpRequest, viewer: Viewer, name: str = guides.INDEX) -> HttpResponse:
    """One guide with its chapters; without a name, whom there is a guide for."""
    try:
        found = guides.guide(name, get_language() or guides.SOURCE_LANGUAGE)
    except guides.NoGuide:
        raise Http404 from None
    is_rtl = get_language_info(found.language)["bidi"]
    context = {"guide": found, "is_index": name == guides.INDEX, "direction": "rtl" if is_rtl else "ltr"}
    return render(request, "setup/guide.html", context)


@require_GET
@for_role(Person.Role.AGENT)
def picture(request: HttpRequest, viewer: Viewer, file: str) -> HttpResponse:
    """A picture of the guides."""
    if file not in {path.name for path in guides.PICTURES.glob("*.png")}:
        raise Http404
    response = HttpResponse((guides.PICTURES / file).read_bytes(), content_type="image/png")
    response["Cache-Control"] = "private, max-age=86400"
    return response
