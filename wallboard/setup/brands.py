"""A company's own colour and logo. The colour is moved until text on it and beside it can be read (WCAG 2.2, 1.4.3)."""

import colorsys
import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.languages.lists import listed
from accounts.models import Domain
from accounts.signin import rights
from wallboard.boards.models import Board, Image
from wallboard.setup.models import Brand

MIN_CONTRAST = 4.5
LIGHT_BACKGROUNDS = ("#ffffff", "#f3f1ec")  # card and ground of tokens.css; a test holds that they are the same
DARK_BACKGROUNDS = ("#181e26", "#10141a")  # and of dark.css
ON_LIGHT, ON_DARK = "#ffffff", "#10141a"  # text on the colour itself


class BadBrand(ValueError):
    """What was entered is no brand; the sentence says what to do."""


@dataclass(frozen=True)
class Shades:
    """The colour as light and as dark pages show it."""

    light: str
    dark: str


@dataclass(frozen=True)
class BrandInput:
    """All that can be set; an empty colour is the product's own."""

    colour: str = ""
    logo: Image | None = None
    direction: str = ""
    language: str | None = None


def luminance(colour: str) -> float:
    """Relative luminance, 0 to 1, by WCAG's formula."""
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(256)  # asked for with every page, by way of `digest`
def shades(colour: str) -> Shades:
    """The colour, moved in lightness no further than reading needs."""
    # White text on the colour is the same pair as the colour on a white card, so light needs no third ground.
    return Shades(_moved(colour, LIGHT_BACKGROUNDS, -0.01), _moved(colour, (*DARK_BACKGROUNDS, ON_DARK), 0.01))


def _moved(colour: str, grounds: tuple[str, ...], step: float) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    # Ends at black or white at the latest, which can be read on all grounds of their side.
    while min(contrast(colour, ground) for ground in grounds) < MIN_CONTRAST:
        lightness = min(1.0, max(0.0, lightness + step))
        parts = colorsys.hls_to_rgb(hue, lightness, saturation)
        colour = "#" + "".join(f"{round(part * 255):02x}" for part in parts)
    return colour


def parse_colour(text: str) -> str:
    """A colour as #rrggbb; "" for none. Raises BadBrand."""
    written = text.strip().lower()
    if written and not re.fullmatch(r"#[0-9a-f]{6}", written):
        raise BadBrand(_("Write the colour like #0a6e5c: a number sign and six digits or letters from a to f."))
    return written


def adjustment_note(colour: str) -> str:
    """What became of a colour, where it could not stay as it is; "" where it could."""
    shown = shades(colour) if colour else Shades("", "")
    moved = [(_("light"), shown.light), (_("dark"), shown.dark)]
    adjusted = [f"{where}: {shade}" for where, shade in moved if shade != colour]
    if not adjusted:
        return ""
    return _("Text in %(colour)s could not be read everywhere, so pages show it a little different (%(shades)s).") % {
        "colour": colour,
        "shades": listed(adjusted),
    }


def style(colour: str) -> str:
    """The style sheet of a colour, for light pages, dark ones, and those that follow the device."""
    shown = shades(colour)
    light = f"--color-accent: {shown.light}; --color-on-accent: {ON_LIGHT};"
    dark = f"--color-accent: {shown.dark}; --color-on-accent: {ON_DARK};"
    themes = ", ".join(f':root[data-theme="{theme}"]' for theme in (Board.Theme.DARK, Board.Theme.CALM_DARK))
    device = f'@media screen and (prefers-color-scheme: dark) {{ :root[data-theme="system"] {{ {dark} }} }}'
    return f":root {{ {light} }}\n@media screen {{ {themes} {{ {dark} }} }}\n{device}\n"


def digest(colour: str) -> str:
    """Changes with the style sheet, so that browsers may keep it for good."""
    return hashlib.sha256(style(colour).encode()).hexdigest()[:16]


def of(domain_id: int) -> Brand | None:
    """The company's brand, where it has one."""
    # Every page asks for the brand; the bytes of the logo have an address of their own.
    return Brand.objects.filter(domain_id=domain_id).select_related("logo").defer("logo__data").first()


def save(domain: Domain, wanted: BrandInput) -> Brand:
    """Keep a brand; pages show it when they are next opened. Raises BadBrand."""
    if wanted.logo is not None and wanted.logo.domain_id != domain.pk:
        raise BadBrand(_("Choose one of the company's pictures."))
    values = {"colour": parse_colour(wanted.colour), "logo": wanted.logo, "direction": wanted.direction}
    with transaction.atomic():
        before = Brand.objects.filter(domain=domain).select_related("logo").first() or Brand(domain=domain)
        was = {"colour": before.colour, "logo": before.logo and before.logo.name, "direction": before.direction}
        brand, _is_new = Brand.objects.update_or_create(domain=domain, defaults=values)
        now = {**values, "logo": wanted.logo and wanted.logo.name}
        audit.log_changes(domain.pk, "brand changed", domain.slug, audit.differences(was, now))
        if wanted.language is not None and wanted.language != domain.language:
            audit.log_changes(
                domain.pk, "company changed", domain.slug, {"language": [domain.language, wanted.language]}
            )
            domain.language = wanted.language
            domain.save(update_fields=["language"])
            rights.changed(domain_id=domain.pk)  # pages and TVs load anew: their texts come with them
    return brand
