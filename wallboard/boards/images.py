"""Pictures for boards. An upload is decoded and written anew: only its pixels survive, and only three formats."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Any

from django.core.files.base import File
from django.utils.translation import gettext as _
from PIL import Image as Pictures
from PIL import ImageOps

from accounts import audit
from accounts.languages.lists import listed
from accounts.models import Domain, Person
from wallboard.boards.models import Board, Draft, Image

MAX_BYTES = 5 * 1024 * 1024
MAX_SIDE = 6000
MAX_PIXELS = 16_000_000  # 64 MB once decoded, however few bytes the file has
WAIT_SECONDS = 15.0  # for the picture before this one; decoding one of MAX_PIXELS takes about a second
STORED_SIDE = 1920  # no TV shows a card wider than this before it is scaled
MAX_IMAGES = 100
FORMATS = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
ENCODING: dict[str, dict[str, Any]] = {
    "PNG": {},
    "JPEG": {"quality": 88, "optimize": True},
    "WEBP": {"quality": 88, "method": 4},
}
MODES = {"PNG": "RGBA", "JPEG": "RGB", "WEBP": "RGBA"}


_decoder = threading.Lock()


class Refused(ValueError):
    """The file is not taken; the text says why and what to do."""


class StillShown(Refused):
    """The picture stands on boards; `boards` are their names, which not everybody may read."""

    def __init__(self, image: Image, boards: list[str]) -> None:
        super().__init__(_("“%(name)s” stands on %(boards)s.") % {"name": image, "boards": listed(boards)})
        self.boards = boards


@dataclass(frozen=True)
class EncodedImage:
    """A picture as it is stored."""

    data: bytes
    kind: str
    width: int
    height: int


def add(domain: Domain, upload: "File[bytes]", by: Person | None = None) -> Image:
    """Store an uploaded picture; the same pixels twice are stored once. Raises Refused."""
    if (upload.size or 0) > MAX_BYTES:
        raise Refused(_("A picture may have 5 MB. Make it smaller and try again."))
    encoded = reencoded(upload.read())
    # Of what is stored, not of the file: two files with the same pixels are one picture.
    digest = sha256(encoded.data).hexdigest()
    known = Image.objects.filter(domain=domain, digest=digest).first()
    if known is not None:
        return known
    if Image.objects.filter(domain=domain).count() >= MAX_IMAGES:
        raise Refused(_("A company keeps at most %(most)d pictures. Delete one first.") % {"most": MAX_IMAGES})
    name = clean_name(upload.name or "")
    audit.log(domain.pk, "picture added", name)
    return Image.objects.create(domain=domain, name=name, digest=digest, made_by=by, **vars(encoded))


def clean_name(name: str) -> str:
    """The file's name without its ending, as one line of text."""
    text = "".join(letter if letter.isprintable() else " " for letter in name.rpartition(".")[0] or name)
    return " ".join(text.split())[:120] or _("Picture")


def reencoded(data: bytes) -> EncodedImage:
    """Decode a picture and write it anew, upright, without anything but its pixels. Raises Refused."""
    try:
        with _one_at_a_time():
            return _reencoded(data)
    except Refused:
        raise
    except Exception as error:  # whatever a decoder makes of hostile bytes: it is no picture to us
        raise Refused(_("This is no picture that can be read. Use a PNG, JPEG or WebP file.")) from error


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Only one picture is in memory at once in each process, however many are sent together. Raises Refused."""
    if not _decoder.acquire(timeout=WAIT_SECONDS):
        raise Refused(_("Other pictures are being read just now. Try again in a moment."))
    try:
        yield
    finally:
        _decoder.release()


def _reencoded(data: bytes) -> EncodedImage:
    # Only three of Pillow's decoders ever see the bytes.
    with Pictures.open(BytesIO(data), formats=tuple(FORMATS)) as opened:
        form = str(opened.format)
        # The header tells both: refused before any pixel is decoded.
        if max(opened.size) > MAX_SIDE:
            side = {"side": MAX_SIDE}
            raise Refused(_("A picture may be %(side)d pixels wide and high. Make it smaller and try again.") % side)
        if opened.width * opened.height > MAX_PIXELS:
            most = {"most": MAX_PIXELS // 1_000_000}
            raise Refused(_("A picture may have %(most)d million pixels. Make it smaller and try again.") % most)
        opened.draft("RGB", (STORED_SIDE, STORED_SIDE))  # a JPEG is decoded at a fraction of its size
        # Phones store photos lying down; the mark that says so goes with all other metadata.
        picture = ImageOps.exif_transpose(opened).convert(MODES[form])
    picture.thumbnail((STORED_SIDE, STORED_SIDE))
    # Pixels are copied onto a new picture: what else Pillow keeps of the file stays behind.
    bare = Pictures.new(picture.mode, picture.size)
    bare.paste(picture)
    out = BytesIO()
    bare.save(out, form, **ENCODING[form])
    return EncodedImage(out.getvalue(), FORMATS[form], bare.width, bare.height)


def image_list(domain_id: int) -> list[dict[str, Any]]:
    """The company's pictures for the editor, without their bytes."""
    images = Image.objects.filter(domain_id=domain_id).defer("data")
    return [as_json(image) for image in images]


def as_json(image: Image) -> dict[str, Any]:
    """What pages know of a picture; `path` follows /boards/images/ for people and /screen/images/ for TVs."""
    size = {"width": image.width, "height": image.height}
    return {"id": image.pk, "name": image.name, "path": f"{image.pk}/{image.digest}/", **size}


def paths(domain_id: int, layout: dict[str, Any]) -> dict[str, str]:
    """Where the pictures of a layout are, by their ids as text; without those that are gone."""
    wanted = set(_image_ids(layout))
    if not wanted:
        return {}
    found = Image.objects.filter(domain_id=domain_id, pk__in=wanted).values_list("pk", "digest")
    return {str(pk): f"{pk}/{digest}/" for pk, digest in found}


def boards_using(image: Image) -> list[str]:
    """The names of the boards whose published form or draft shows this picture."""
    drafts = Draft.objects.filter(board__domain_id=image.domain_id).exclude(content=None)
    layouts = [(board.name, board.layout) for board in Board.objects.filter(domain_id=image.domain_id)]
    layouts += [(draft.board.name, (draft.content or {}).get("layout")) for draft in drafts.select_related("board")]
    return sorted({name for name, layout in layouts if image.pk in _image_ids(layout)})


def _image_ids(layout: Any) -> Iterator[int]:
    cards = layout.get("cards") if isinstance(layout, dict) else None
    return (card["image"] for card in cards or () if card.get("image") is not None)


def remove(image: Image) -> None:
    """Delete a picture that no board shows. Raises StillShown."""
    boards = boards_using(image)
    if boards:
        raise StillShown(image, boards)
    audit.log(image.domain_id, "picture deleted", image.name)
    image.delete()
