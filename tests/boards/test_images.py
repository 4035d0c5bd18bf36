"""Pictures for boards: only three formats, only pixels, only for the company and its TVs."""

import struct
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import GifImagePlugin, PngImagePlugin
from PIL import Image as Pictures

from accounts import limits
from accounts.models import Domain, Person
from tests.boards.conftest import SignIn
from wallboard.boards import editing, images, layout
from wallboard.boards.editor import drafts
from wallboard.boards.models import Board, Image
from wallboard.screens import screens

EXIF_ORIENTATION, TURNED_RIGHT = 0x0112, 6


def picture(form: str = "PNG", size: tuple[int, int] = (60, 40), **options: Any) -> bytes:
    out = BytesIO()
    Pictures.new("RGB", size, (200, 30, 30)).save(out, form, **options)
    return out.getvalue()


def upload(data: bytes, name: str = "logo.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data, "image/png")


def bomb(side: int) -> bytes:
    """A PNG of a few bytes that says it is very large."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_kept_in_its_form(domain: Domain, form: str) -> None:
    image = images.add(domain, upload(picture(form), "our logo.png"))

    kept = Pictures.open(BytesIO(image.data))
    assert (kept.format, kept.size, image.kind) == (form, (60, 40), images.FORMATS[form])
    assert (image.name, image.width, image.height) == ("our logo", 60, 40)


def test_nothing_but_pixels_survives(domain: Domain) -> None:
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", "canary")
    exif = Pictures.Exif()
    exif[0x010E] = "canary"
    files = [
        picture(pnginfo=info, exif=exif),
        picture("JPEG", exif=exif, comment=b"canary"),
        picture("WEBP", exif=exif),
    ]

    for data in files:
        assert b"canary" in data
        kept = images.add(domain, upload(data)).data
        assert b"canary" not in kept
        assert not Pictures.open(BytesIO(kept)).getexif()


def test_what_is_hidden_behind_a_picture_is_gone(domain: Domain) -> None:
    image = images.add(domain, upload(picture() + b"<script>canary</script>"))

    assert b"canary" not in bytes(image.data)


def test_a_picture_stands_upright(domain: Domain) -> None:
    exif = Pictures.Exif()
    exif[EXIF_ORIENTATION] = TURNED_RIGHT

    image = images.add(domain, upload(picture("JPEG", (60, 40), exif=exif)))

    assert (image.width, image.height) == (40, 60)


def test_a_large_picture_is_made_smaller(domain: Domain) -> None:
    image = images.add(domain, upload(picture("JPEG", (4000, 1000))))

    assert (image.width, image.height) == (1920, 480)


def test_transparency_stays(domain: Domain) -> None:
    out = BytesIO()
    Pictures.new("RGBA", (9, 9), (0, 0, 0, 0)).save(out, "PNG")

    kept = Pictures.open(BytesIO(images.add(domain, upload(out.getvalue())).data))

    assert kept.getpixel((4, 4)) == (0, 0, 0, 0)


NO_PICTURES = {
    "an SVG": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "a GIF": picture("GIF"),
    "a BMP": picture("BMP"),
    "a TIFF": picture("TIFF"),
    "a page": b"<!doctype html><script>alert(1)</script>",
    "nothing": b"",
    "half a PNG": picture()[:60],
    "half a JPEG": picture("JPEG", (300, 300))[:700],
    "a page that begins as a PNG": b"\x89PNG\r\n\x1a\n<html>",
    "a bomb": bomb(3999)[:200] + b"\0",
}


@pytest.mark.parametrize("name", NO_PICTURES)
def test_everything_else_is_refused_with_a_sentence(domain: Domain, name: str) -> None:
    with pytest.raises(images.Refused, match="PNG, JPEG or WebP"):
        images.add(domain, upload(NO_PICTURES[name]))
    assert not Image.objects.exists()


@pytest.mark.parametrize("side", [6001, 20_000, 60_000])
def test_a_bomb_is_refused_before_it_is_opened(domain: Domain, side: int) -> None:
    with pytest.raises(images.Refused):
        images.add(domain, upload(bomb(side)))


@pytest.mark.parametrize("size", [(6001, 2), (2, 6001)])
def test_a_picture_with_a_long_side_is_refused(domain: Domain, size: tuple[int, int]) -> None:
    with pytest.raises(images.Refused, match="6000 pixels"):
        images.add(domain, upload(picture(size=size)))


def test_a_picture_of_many_pixels_is_refused_before_it_is_decoded(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PngImagePlugin.PngImageFile, "load", lambda self: pytest.fail("decoded"))

    with pytest.raises(images.Refused, match="16 million pixels"):
        images.add(domain, upload(bomb(5999)))


def test_pictures_are_decoded_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once, most, reencoded = [0], [0], images._reencoded

    def watched(data: bytes) -> images.EncodedImage:
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        time.sleep(0.05)
        at_once[0] -= 1
        return reencoded(data)

    monkeypatch.setattr(images, "_reencoded", watched)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(images.reencoded, [picture()] * 4))

    assert (most, len(found)) == ([1], 4)


def test_a_picture_that_waited_too_long_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "WAIT_SECONDS", 0.01)

    with images._one_at_a_time(), pytest.raises(images.Refused, match="Try again"):
        images.reencoded(picture())
    assert images.reencoded(picture()).width == 60


def test_no_other_decoder_ever_sees_a_file(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    data, seen = picture("GIF"), []
    monkeypatch.setattr(GifImagePlugin.GifImageFile, "_open", lambda self: seen.append(self))

    with pytest.raises(images.Refused):
        images.add(domain, upload(data))
    assert seen == []


def test_a_large_file_is_refused(domain: Domain) -> None:
    with pytest.raises(images.Refused, match="5 MB"):
        images.add(domain, upload(picture() + b"\0" * images.MAX_BYTES))


def test_a_company_keeps_so_many(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "MAX_IMAGES", 1)
    first = images.add(domain, upload(picture()))

    assert images.add(domain, upload(picture())) == first
    with pytest.raises(images.Refused, match="at most 1"):
        images.add(domain, upload(picture(size=(9, 9))))


@pytest.mark.parametrize(
    ("name", "kept"), [("a\0b\n.png", "a b"), ("x" * 300 + ".png", "x" * 120), ("  .png", "Picture")]
)
def test_a_name_is_a_line_of_text(name: str, kept: str) -> None:
    assert images.clean_name(name) == kept


def shown_on(board: Board, image: Image) -> layout.Layout:
    card = {"id": "c1", "kind": "image", "x": 0, "y": 0, "w": 3, "h": 3, "image": image.pk}
    return layout.parse({"rows": 6, "cards": [card]})


def test_a_picture_on_a_board_or_draft_is_not_deleted(board: Board) -> None:
    image = images.add(board.domain, upload(picture()))
    board_input = editing.BoardInput("Board", layout=shown_on(board, image))
    drafts.save(board, board_input, 0, board.version)

    with pytest.raises(images.Refused, match="Service desk"):
        images.remove(image)
    drafts.publish(board, 1)
    with pytest.raises(images.Refused, match="Board"):
        images.remove(image)

    editing.update(board, editing.BoardInput("Board"))
    images.remove(image)
    assert not Image.objects.exists()


def test_a_board_says_where_its_pictures_are(board: Board) -> None:
    image = images.add(board.domain, upload(picture()))
    saved = editing.update(board, editing.BoardInput("Board", layout=shown_on(board, image)))

    assert layout.board_document(saved)[1].images == {str(image.pk): f"{image.pk}/{image.digest}/"}


def test_a_picture_is_served_to_the_company_and_its_tvs(board: Board, sign_in: SignIn) -> None:
    image = images.add(board.domain, upload(picture()))
    _, token = screens.create(board, "Wall")
    tv = Client()
    tv.get(f"/screen/{token}/")
    path = f"images/{image.pk}/{image.digest}/"

    for client, address in ((sign_in("agent"), f"/boards/{path}"), (tv, f"/screen/{path}")):
        answer = client.get(address)
        assert (answer.status_code, answer.content) == (200, bytes(image.data))
        assert answer.headers["Content-Type"] == "image/png"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
        assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert sign_in("agent").get(f"/boards/images/{image.pk}/{'0' * 64}/").status_code == 404
    assert Client().get(f"/screen/{path}").status_code == 403


def test_the_page_keeps_lists_and_deletes_pictures(board: Board, sign_in: SignIn) -> None:
    client = sign_in("supervisor")

    added = client.post("/boards/images/", {"file": upload(picture(), "logo.png")})
    refused = client.post("/boards/images/", {"file": upload(b"<svg/>", "logo.svg")})
    listed = client.get("/boards/images/").json()["images"]
    removed = client.post(f"/boards/images/{added.json()['image']['id']}/remove/")

    assert [each["name"] for each in listed] == ["logo"]
    assert (refused.status_code, "PNG, JPEG or WebP" in refused.json()["error"]) == (400, True)
    assert removed.json()["images"] == []


def test_who_may_not_see_a_board_is_not_told_its_name_by_a_picture_on_it(board: Board, sign_in: SignIn) -> None:
    image = images.add(board.domain, upload(picture()))
    client = sign_in("supervisor")
    limits.set_limit(Person.objects.latest("pk"), ["810"], None)
    card = {"id": "c1", "kind": "image", "x": 0, "y": 0, "w": 3, "h": 3, "image": image.pk}
    other = {"id": "c2", "kind": "queue", "x": 3, "y": 0, "w": 3, "h": 3, "queues": ["866"]}
    shown = editing.create(board.domain, editing.BoardInput("Ours", layout=layout.parse({"rows": 6, "cards": [card]})))
    hidden = layout.parse({"rows": 6, "cards": [card, other]})
    editing.create(board.domain, editing.BoardInput("Secret plan", layout=hidden))

    answer = client.post(f"/boards/images/{image.pk}/remove/")

    assert answer.status_code == 409
    assert "Secret plan" not in answer.content.decode()
    assert shown.name in answer.json()["error"]
    assert "a board that you may not see" in answer.json()["error"]
