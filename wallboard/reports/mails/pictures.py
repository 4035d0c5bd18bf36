"""Charts of a mail as PNG pictures: bars by hour or day, drawn without a name, since a font of ours has no script."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1120, 320  # shown at half the size: sharp on phones
FOOT, TOP, SIDE = 44, 40, 8
INK, LINE, PAPER = "#4b5563", "#d1d5db", "#ffffff"
GOOD, BAD = "#2563eb", "#c2410c"
MOST_LABELS = 16


@dataclass(frozen=True, slots=True)
class Bar:
    """One hour or day: `value` in the colour of the chart, `rest` of it in another one on top. None: not measured."""

    label: str
    value: int | None
    rest: int = 0


def chart(bars: Sequence[Bar], *, colour: str = GOOD) -> bytes:
    """The bars as a PNG, with the highest of them written above and the labels below."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(30)
    most = max((each.value + each.rest for each in bars if each.value is not None), default=0)
    floor, step = HEIGHT - FOOT, (WIDTH - 2 * SIDE) / max(1, len(bars))
    every = -(-len(bars) // MOST_LABELS)
    draw.line((SIDE, TOP, WIDTH - SIDE, TOP), fill=LINE, width=2)
    draw.text((SIDE, 2), str(most), fill=INK, font=font)
    for number, each in enumerate(bars):
        left = SIDE + number * step
        if number % every == 0:
            draw.text((left + step / 2, HEIGHT - FOOT / 2), each.label, fill=INK, font=font, anchor="mm")
        if each.value is not None and most:
            height, rest = ((floor - TOP) * part / most for part in (each.value, each.rest))
            sides = (left + step * 0.12, left + step * 0.88)
            if each.value:
                draw.rectangle((sides[0], floor - height, sides[1], floor), fill=colour)
            if each.rest:
                draw.rectangle((sides[0], floor - height - rest, sides[1], floor - height), fill=BAD)
    draw.line((SIDE, floor, WIDTH - SIDE, floor), fill=INK, width=2)
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
