"""Pictures for boards. An upload is decoded and written anew: only its pixels survive, and only three formats."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Any

from django.core.files.base import File
from django.utils.translation import gettext as _
from PIL import Image as Pictures
from PIL import ImageOps

from accounts import audit
from accounts.models import Domain, Person
from wallboard.boards.models import Board, Draft, Image

LARGEST_BYTES = 5 * 1024 * 1024
LARGEST_SIDE = 6000
SHOWN_SIDE = 1920  # no TV shows a card wider than this before it is scaled
MOST_IMAGES = 100
FORMATS = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
WRITTEN: dict[str, dict[str, Any]] = {
    "PNG": {},
    "JPEG": {"quality": 88, "optimize": True},
    "WEBP": {"quality": 88, "method": 4},
}
MODES = {"PNG": "RGBA", "JPEG": "RGB", "WEBP": "RGBA"}


class Refused(ValueError):
    """The file is not taken; the text says why and what to do."""


@dataclass(frozen=True)
class Written:
    """A picture as it is kept."""

    data: bytes
    kind: str
    width: int
    height: int


def add(domain: Domain, upload: "File[bytes]", by: Person | None = None) -> Image:
    """Keep an uploaded picture; the same pixels twice are kept once. Raises Refused."""
    if (upload.size or 0) > LARGEST_BYTES:
        raise Refused(_("A picture may have 5 MB. Make it smaller and try again."))
    written = rewritten(upload.read())
    digest = sha256(written.data).hexdigest()
    known = Image.objects.filter(domain=domain, digest=digest).first()
    if known is not None:
        return known
    if Image.objects.filter(domain=domain).count() >= MOST_IMAGES:
        raise Refused(_("A company keeps at most %(most)d pictures. Delete one first.") % {"most": MOST_IMAGES})
    name = clean_name(upload.name or "")
    audit.note(domain.pk, "picture added", name)
    return Image.objects.create(domain=domain, name=name, digest=digest, made_by=by, **vars(written))


def clean_name(name: str) -> str:
    """The file's name without its ending, as one line of text."""
    text = "".join(letter if letter.isprintable() else " " for letter in name.rpartition(".")[0] or name)
    return " ".join(text.split())[:120] or _("Picture")


def rewritten(data: bytes) -> Written:
    """Decode a picture and write it anew, upright, without anything but its pixels. Raises Refused."""
    try:
        return _rewritten(data)
    except Refused:
        raise
    except Exception as error:  # whatever a decoder makes of hostile bytes: it is no picture to us
        raise Refused(_("This is no picture that can be read. Use a PNG, JPEG or WebP file.")) from error


def _rewritten(data: bytes) -> Written:
    with Pictures.open(BytesIO(data), formats=tuple(FORMATS)) as opened:
        form = str(opened.format)
        if max(opened.size) > LARGEST_SIDE:
            side = {"side": LARGEST_SIDE}
            raise Refused(_("A picture may be %(side)d pixels wide and high. Make it smaller and try again.") % side)
        opened.draft("RGB", (SHOWN_SIDE, SHOWN_SIDE))
        picture = ImageOps.exif_transpose(opened).convert(MODES[form])
    picture.thumbnail((SHOWN_SIDE, SHOWN_SIDE))
    bare = Pictures.new(picture.mode, picture.size)
    bare.paste(picture)
    out = BytesIO()
    bare.save(out, form, **WRITTEN[form])
    return Written(out.getvalue(), FORMATS[form], bare.width, bare.height)


def listed(domain_id: int) -> list[dict[str, Any]]:
    """The company's pictures for the editor, without their bytes."""
    images = Image.objects.filter(domain_id=domain_id).defer("data")
    return [as_json(image) for image in images]


def as_json(image: Image) -> dict[str, Any]:
    """What pages know of a picture; `path` follows /boards/images/ for people and /screen/images/ for TVs."""
    size = {"width": image.width, "height": image.height}
    return {"id": image.pk, "name": image.name, "path": f"{image.pk}/{image.digest}/", **size}


def paths(domain_id: int, layout: dict[str, Any]) -> dict[str, str]:
    """Where the pictures of a layout are, by their ids as text; without those that are gone."""
    wanted = set(_used(layout))
    if not wanted:
        return {}
    found = Image.objects.filter(domain_id=domain_id, pk__in=wanted).values_list("pk", "digest")
    return {str(pk): f"{pk}/{digest}/" for pk, digest in found}


def uses(image: Image) -> list[str]:
    """The names of the boards whose published form or draft shows this picture."""
    drafts = Draft.objects.filter(board__domain_id=image.domain_id).exclude(content=None)
    layouts = [(board.name, board.layout) for board in Board.objects.filter(domain_id=image.domain_id)]
    layouts += [(draft.board.name, (draft.content or {}).get("layout")) for draft in drafts.select_related("board")]
    return sorted({name for name, layout in layouts if image.pk in _used(layout)})


def _used(layout: Any) -> Iterator[int]:
    cards = layout.get("cards") if isinstance(layout, dict) else None
    return (card["image"] for card in cards or () if card.get("image") is not None)


def remove(image: Image) -> None:
    """Delete a picture that no board shows. Raises Refused."""
    boards = uses(image)
    if boards:
        raise Refused(_("“%(name)s” stands on %(boards)s.") % {"name": image, "boards": ", ".join(boards)})
    audit.note(image.domain_id, "picture deleted", image.name)
    image.delete()
