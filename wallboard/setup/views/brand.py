"""The company's look and language, for its administrators; and the style sheet made of its colour."""

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import Viewer, for_role, person_of
from accounts.languages import choosing
from accounts.models import Domain, Person
from accounts.saving import stamps
from wallboard.boards import images
from wallboard.boards.models import Image
from wallboard.setup import brands, rtl_styles
from wallboard.setup.brands import BadBrand, BrandInput
from wallboard.setup.models import Brand
from wallboard.setup.templatetags import looks

THEME_MAX_AGE = timedelta(days=400)  # the longest that browsers keep a cookie
FOR_GOOD = "public, max-age=31536000, immutable"  # the digest is part of the address


class BrandForm(forms.Form):
    """Colour, logo (one of the company's pictures, or a new one), direction and language."""

    colour = forms.CharField(required=False, max_length=20)
    logo = forms.ModelChoiceField(Image.objects.none(), required=False)
    file = forms.FileField(required=False)
    direction = forms.ChoiceField(choices=Brand.Direction.choices, required=False)
    language = forms.ChoiceField(required=False)

    def __init__(self, domain: Domain, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.fields["language"].choices = choosing.choices("")  # type: ignore[attr-defined]
        chooser = self.fields["logo"]
        assert isinstance(chooser, forms.ModelChoiceField)
        chooser.queryset = Image.objects.filter(domain=domain).defer("data")


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def brand(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page on which a company sets its look."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    values = brand_values(domain)
    form = BrandForm(domain, request.POST or None, request.FILES or None)
    stamp, status = stamps.shown(request, values), 400 if request.method == "POST" else 200
    # Of a picture that is gone there is no option, and with none chosen the next Save would take the logo away.
    kept = {"logo"} & set(form.errors)
    values |= {name: form.data[name] for name in values if name in form.data and name not in kept}
    if request.method == "POST" and form.is_valid():
        try:
            wanted = brand_input(form, domain, viewer)
            values["logo"] = str(wanted.logo.pk) if wanted.logo else ""  # a file is not sent again
            with stamps.saving(request, domain, brand_values) as stored:
                saved = brands.save(stored, wanted)
        except (BadBrand, images.Refused) as refusal:
            messages.error(request, str(refusal))
        except stamps.Changed as changed:
            messages.error(request, str(changed))
            stamp, status = changed.stamp, 409
        else:
            messages.success(request, " ".join(filter(None, (_("Saved."), brands.adjustment_note(saved.colour)))))
            return redirect("setup:brand")
    shown = {"form": form, "stamp": stamp, "pictures": Image.objects.filter(domain=domain).defer("data")}
    shown |= {"languages": settings.LANGUAGES, "directions": Brand.Direction.choices}
    return render(request, "setup/brand.html", shown | values, status=status)


def brand_values(domain: Domain) -> dict[str, str]:
    """What the form shows of a company's look."""
    stored = brands.of(domain.pk) or Brand(domain=domain)
    return {
        "colour": stored.colour,
        "logo": str(stored.logo_id or ""),
        "direction": stored.direction,
        "language": choosing.of_company(domain),
    }


def brand_input(form: BrandForm, domain: Domain, viewer: Viewer) -> BrandInput:
    """What the form asks for; a file that was sent is the logo. Raises images.Refused."""
    values = form.cleaned_data
    logo = images.add(domain, values["file"], person_of(viewer)) if values["file"] else values["logo"]
    return BrandInput(values["colour"], logo, values["direction"], values["language"] or None)


@require_POST
@for_role(Person.Role.AGENT)
def choose_theme(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Light, dark or high contrast for the pages in this browser; boards keep their own."""
    response = redirect("accounts:account")
    theme = request.POST.get("theme", "")
    if theme in looks.CHOICES:
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(looks.COOKIE, theme, max_age=THEME_MAX_AGE, secure=secure, httponly=True, samesite="Lax")
    return response


@require_GET
def brand_style(request: HttpRequest, domain_id: int, digest: str) -> HttpResponse:
    """The style sheet of a company's colour; it tells nothing else, so TVs and sign-in pages may have it too."""
    stored = brands.of(domain_id)
    # Browsers keep the answer for good, so an outdated address must not get the new colour.
    if stored is None or not stored.colour or brands.digest(stored.colour) != digest:
        raise Http404
    response = HttpResponse(brands.style(stored.colour), content_type="text/css; charset=utf-8")
    response["Cache-Control"] = FOR_GOOD
    return response


@require_GET
def mirrored_style(request: HttpRequest, digest: str) -> HttpResponse:
    """What turns pages over for those who read from right to left."""
    if digest != rtl_styles.digest():
        raise Http404
    response = HttpResponse(rtl_styles.style(), content_type="text/css; charset=utf-8")
    response["Cache-Control"] = FOR_GOOD
    return response
