"""Charts of a mail as PNG pictures: bars by hour or day, drawn without a name, since a font of ours has no script."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from wallboard.reports import heat_map, trends

WIDTH, HEIGHT = 1120, 320  # shown at half the size: sharp on phones
FOOT, TOP, SIDE = 44, 40, 8
INK, LINE, PAPER, DARK = "#4b5563", "#d1d5db", "#ffffff", "#111827"
GOOD, BAD = "#2563eb", "#c2410c"
MOST_LABELS = 16
STRIP_WIDTH, STRIP_HEIGHT = 960, 56  # a row of the heat map; its name stands beside it, in the mail itself
SHADES = ("#f6f5f1", "#fde7e1", "#facbbc", "#f7ab92", "#f0673a")
TREND_SCALE = 3


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
    return _png(image)


def heat_head(hours: Sequence[str]) -> bytes:
    """The hours above the rows of a heat map, as numbers."""
    return _strip([("".join(filter(str.isdecimal, hour)), PAPER) for hour in hours])


def heat_row(cells: Sequence[heat_map.Cell]) -> bytes:
    """A row of a heat map: the shade of each hour with its value, a hyphen where nothing was measured."""
    return _strip([(cell.text, SHADES[cell.shade]) if cell.is_measured else ("-", PAPER) for cell in cells])


def trend(drawn: trends.Trend) -> bytes:
    """The bars of a queue with the line of its target; what they are stands beside it, in the mail itself."""
    foot = trends.TOP + trends.HEIGHT
    image = Image.new("RGB", (trends.WIDTH * TREND_SCALE, (foot + 6) * TREND_SCALE), PAPER)
    draw = ImageDraw.Draw(image)

    def box(x: float, y: float, width: float, height: float, colour: str) -> None:
        left, top = round(x * TREND_SCALE), round(y * TREND_SCALE)
        # A rectangle has its last line and column as well.
        right, below = max(left, round((x + width) * TREND_SCALE) - 1), round((y + height) * TREND_SCALE) - 1
        draw.rectangle((left, top, right, below), fill=colour)

    for tick in drawn.ticks:
        box(tick.x, trends.TOP, 0.4, trends.HEIGHT, LINE)
    for x, width in drawn.gaps:
        box(x, foot - 2, width, 2, LINE)
    for bar in drawn.bars:
        box(bar.x, bar.y, bar.width, bar.height, BAD if bar.is_over else GOOD)
    if drawn.target_y is not None:
        for dash in range(0, trends.WIDTH, 8):
            box(dash, drawn.target_y, 5, 1, INK)
    box(0, foot, trends.WIDTH, 0.7, INK)
    return _png(image)


def _strip(cells: Sequence[tuple[str, str]]) -> bytes:
    image = Image.new("RGB", (STRIP_WIDTH, STRIP_HEIGHT), PAPER)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(26)
    step = STRIP_WIDTH / max(1, len(cells))
    for number, (text, colour) in enumerate(cells):
        left = number * step
        draw.rectangle((left + 2, 2, left + step - 3, STRIP_HEIGHT - 3), fill=colour)
        draw.text((left + step / 2, STRIP_HEIGHT / 2), text, fill=DARK, font=font, anchor="mm")
    return _png(image)


def _png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
