"""The page on which administrators download their company's configuration, and upload one."""

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from wallboard.configuration import document, exporting, importing
from wallboard.configuration.comparing import Difference
from wallboard.configuration.document import LARGEST_BYTES, NotUnderstood


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def configuration(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """A POST shows what a file would change, or with `do=import` takes it."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    found: list[Difference] | None = None
    problem: NotUnderstood | None = None
    left_out: list[str] = []
    text = ""
    if request.method == "POST":
        is_dry = request.POST.get("do") != "import"
        try:
            text = _posted(request)
            wanted = document.read(text.encode(errors="surrogatepass"))
            found = importing.take(domain, wanted, is_dry=is_dry, left_out=left_out)
        except NotUnderstood as refusal:
            problem = refusal
        if found is not None and not is_dry:
            words = ngettext("%(count)d place was changed.", "%(count)d places were changed.", len(found))
            messages.success(request, words % {"count": len(found)})
            if left_out:
                messages.warning(request, importing.LEFT_OUT % {"places": " ".join(left_out)})
            return redirect("configuration:configuration")
    context = {
        "found": found,
        "problem": problem,
        "left_out": importing.LEFT_OUT % {"places": " ".join(left_out)} if left_out else "",
        "text": text if found else "",
    }
    return render(request, "configuration/configuration.html", context, status=400 if problem else 200)


def _posted(request: HttpRequest) -> str:
    """The document: a file, or the text that was looked at already. Raises NotUnderstood."""
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        return request.POST.get("text", "")
    if (file.size or 0) > LARGEST_BYTES:
        raise NotUnderstood(_("The file is too large."))
    content: bytes = file.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # With other letters in their place names would be stored wrong.
        raise NotUnderstood(_("The file is not in UTF-8. Save it in that encoding.")) from None


@never_cache
@require_GET
@for_role(Person.Role.ADMINISTRATOR)
def download(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The configuration as a file."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    text = document.written(exporting.export(domain))
    headers = {"Content-Disposition": f'attachment; filename="{domain.slug}.json"'}
    return HttpResponse(text, "application/json", headers=headers)
