"""What browsers install the pages by: the manifest, and icons of the sizes it says, also under a company's look."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

from accounts.models import Domain
from wallboard.setup.models import Brand

STATIC = Path(settings.BASE_DIR) / "static"
WHOLE = 0.8  # of an icon's width is a circle that every system leaves whole


def size_of(path: Path) -> str:
    """Width and height of a picture, as a manifest writes them."""
    with Image.open(path) as image:
        return f"{image.width}x{image.height}"


def reach(path: Path) -> float:
    """How far from the middle an icon is drawn on, as a share of half its width; it must be opaque."""
    with Image.open(path) as image:
        picture = image.convert("RGBA")
    assert picture.getchannel("A").getextrema() == (255, 255), "systems paint transparent ground black"
    half, ground = picture.width / 2, picture.getpixel((0, 0))
    points = ((x, y) for x in range(picture.width) for y in range(picture.height))
    drawn = [point for point in points if picture.getpixel(point) != ground]
    return float(max((x + 0.5 - half) ** 2 + (y + 0.5 - half) ** 2 for x, y in drawn) ** 0.5 / half)


def test_the_manifest_names_icons_that_have_the_sizes_it_says() -> None:
    path = finders.find("app.webmanifest")
    assert isinstance(path, str)
    manifest = json.loads(Path(path).read_text())

    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert {(icon["sizes"], icon.get("purpose", "any")) for icon in manifest["icons"]} == {
        ("any", "any"), ("192x192", "any"), ("512x512", "any"), ("192x192", "maskable"), ("512x512", "maskable"),
    }  # fmt: skip
    pixels = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert [size_of(STATIC / icon["src"]) for icon in pixels] == [icon["sizes"] for icon in pixels]
    assert [icon["src"] for icon in manifest["icons"] if icon not in pixels] == ["icon.svg"]
    assert (STATIC / "icon.svg").is_file()


@pytest.mark.parametrize("name", ["maskable-192", "touch-180"])
def test_icons_that_systems_cut_are_drawn_in_their_middle(name: str) -> None:
    assert reach(STATIC / f"icons/{name}.png") <= WHOLE


def test_messages_show_an_icon_that_telephones_can_draw() -> None:
    named = re.search(r'icon: "/static/([^"]+)"', (STATIC / "js/pages/push-worker.js").read_text())

    assert named
    assert size_of(STATIC / named[1]) == "192x192"


@pytest.mark.usefixtures("plain_static_files")
def test_a_page_names_them_also_where_the_company_has_a_look(client: Client, domain: Domain) -> None:
    Brand.objects.create(domain=domain, colour="#7a1fa2")

    head = client.get("/login/", follow=True).content.decode().split("</head>")[0]

    assert '<link rel="manifest" href="/static/app.webmanifest">' in head
    touch = re.search(r'rel="apple-touch-icon" href="/static/([^"]+)"', head)
    assert touch
    assert size_of(STATIC / touch[1]) == "180x180"
