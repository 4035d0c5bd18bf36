"""The card of an embed link as a PNG, for mails and pages that show nothing but pictures."""

from functools import lru_cache
from io import BytesIO
from itertools import groupby
from pathlib import Path

from django.conf import settings
from PIL import Image, ImageDraw, ImageFont

from wallboard.boards.themes import DARK_THEMES
from wallboard.screens.embeds.figures import Told

WIDTH, HEIGHT, SIDE = 800, 480, 32  # shown at half the size: sharp on phones
TOP, STEP, FOOT = 96, 50, HEIGHT - 56
COLUMNS = (470, 620, WIDTH - SIDE)  # where figures of a queue end
LATIN, EXTENDED, ARABIC = "inter-latin", "inter-latin-ext", "vazirmatn-arabic"
LEAST_SIZE = 20
LIGHT = {"paper": "#ffffff", "ink": "#14171c", "soft": "#4b5563", "old": "#9a3412"}
DARK = {"paper": "#171d25", "ink": "#f3f4f6", "soft": "#aab2bd", "old": "#fdba74"}
LEVELS = {"late": "#e2552a", "watch": "#d99a00"}


def png(told: Told, theme: str) -> bytes:
    """The picture; old figures are written in the colour of a warning, never as those of now."""
    colours = DARK if theme in DARK_THEMES else LIGHT
    image = Image.new("RGB", (WIDTH, HEIGHT), colours["paper"])
    draw = ImageDraw.Draw(image)
    ink = colours["soft" if told.is_old else "ink"]
    _write(draw, (SIDE, 28), told.title, 34, colours["ink"], most=WIDTH - 2 * SIDE)
    if told.value:
        _write(draw, (SIDE, 150), told.value, 170, ink, most=WIDTH - 2 * SIDE)
    for head, end in zip(told.heads, COLUMNS, strict=False):
        _write(draw, (end, TOP - 8), head, 22, colours["soft"], anchor="ra", most=140)
    for number, row in enumerate(told.rows):
        y = TOP + 30 + number * STEP
        if row.level in LEVELS and not told.is_old:
            draw.rounded_rectangle((SIDE, y + 4, SIDE + 10, y + 36), 3, fill=LEVELS[row.level])
        _write(draw, (SIDE + 24, y), row.name, 30, ink, most=COLUMNS[0] - SIDE - 130)
        for text, end in zip(row.figures, COLUMNS, strict=True):
            _write(draw, (end, y), text, 32, ink, anchor="ra", most=140)
    if told.more:
        _write(draw, (WIDTH - SIDE, FOOT), told.more, 22, colours["soft"], anchor="ra", most=240)
    _write(draw, (SIDE, FOOT), told.note, 24, colours["old" if told.is_old else "soft"], most=500)
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _write(
    draw: ImageDraw.ImageDraw, at: tuple[int, int], text: str, size: int, fill: str, *, most: int, anchor: str = "la"
) -> None:
    """The text, smaller or cut where it is wider than `most`."""
    while _width(text, size) > most and size > LEAST_SIZE:
        size -= 2
    while _width(text, size) > most and len(text) > 2:
        text = text[:-2].rstrip() + "…"
    x, y = float(at[0]), at[1]
    if anchor == "ra":
        x -= _width(text, size)
    for name, run in _runs(text):
        font = _loaded(name, size)
        draw.text((x, y + size), run, fill=fill, font=font, anchor="ls")
        x += font.getlength(run)


def _width(text: str, size: int) -> float:
    return sum(_loaded(name, size).getlength(run) for name, run in _runs(text))


def _runs(text: str) -> list[tuple[str, str]]:
    """Pieces of one font each, from left to right: each of the carried fonts has the letters of one range only."""
    pieces = groupby(text, lambda letter: (_font_of(letter), letter == " "))
    runs = [(name, "".join(letters)) for (name, _is_space), letters in pieces]
    return runs[::-1] if any(name == ARABIC for name, _run in runs) else runs


def _font_of(letter: str) -> str:
    if 0x0600 <= ord(letter) < 0x0700:
        return ARABIC
    return EXTENDED if ord(letter) > 0xFF and letter not in "–…" else LATIN


@lru_cache(maxsize=64)
def _loaded(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(Path(settings.FILES_DIR) / "static" / "fonts" / f"{name}.woff2"), size)
