"""The board fills its screen: nothing scrolls, nothing is cut off, and figures can be read from afar."""

import pytest
from playwright.sync_api import expect

from tests.boards import fake_feeds
from tests.boards.conftest import Show

SIZES = {"720p": (1280, 720), "1080p": (1920, 1080), "4k": (3840, 2160), "portrait": (1080, 1920)}
COUNTS = {1: (4, 2), 6: (24, 5), 12: (100, 9), 40: (300, 20)}

# Every box with text of its own must lie inside the window, must not be cut off and must not lie on another one.
MEASURE = """() => {
  const visible = (node, card) => {
    const own = node.getBoundingClientRect();
    const rect = { left: own.left, right: own.right, top: own.top, bottom: own.bottom };
    for (let each = node; each !== card; each = each.parentElement) {
      const box = each.getBoundingClientRect();
      if (getComputedStyle(each).overflow !== "hidden") continue;
      if (rect.top >= box.bottom - 2) return { width: 0 }; // on a line that is not seen
      Object.assign(rect, { left: Math.max(rect.left, box.left), right: Math.min(rect.right, box.right) });
    }
    return Object.assign(rect, { width: rect.right - rect.left, height: rect.bottom - rect.top });
  };
  const wrong = [];
  const size = { w: window.innerWidth, h: window.innerHeight };
  if (document.documentElement.scrollHeight > size.h) wrong.push("the page scrolls down");
  if (document.documentElement.scrollWidth > size.w) wrong.push("the page scrolls sideways");
  const cards = Array.from(document.querySelectorAll(".queue-card, .total, .person, .call"));
  for (const card of cards) {
    const box = card.getBoundingClientRect();
    const name = card.className + " " + card.textContent.trim().slice(0, 40);
    if (box.width < 8 || box.height < 8) wrong.push(name + " has no size");
    const isOutside = box.right > size.w + 1 || box.bottom > size.h + 1 || box.left < -1 || box.top < -1;
    if (isOutside) wrong.push(name + " is outside");
    const texts = Array.from(card.querySelectorAll("*")).filter((each) => {
      const own = Array.from(each.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim());
      const style = getComputedStyle(each);
      return own && each.offsetParent && style.clip !== "rect(0px, 0px, 0px, 0px)" && style.position !== "absolute";
    });
    const rects = texts.map((each) => [each, visible(each, card)]).filter((pair) => pair[1].width > 1);
    for (const [each, rect] of rects) {
      const isWide = rect.right > box.right + 1.5 || rect.left < box.left - 1.5;
      if (isWide || rect.bottom > box.bottom + 1.5 || rect.top < box.top - 3)
        wrong.push(name + ": " + each.className + " is cut off");
    }
    for (let one = 0; one < rects.length; one += 1) for (let other = one + 1; other < rects.length; other += 1) {
      const [a, b] = [rects[one][1], rects[other][1]];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const contains = rects[one][0].contains(rects[other][0]) || rects[other][0].contains(rects[one][0]);
      if (!contains && wide > 1 && high > 0.3 * Math.min(a.height, b.height))
        wrong.push(name + ": " + rects[one][0].className + " lies on " + rects[other][0].className);
    }
  }
  return wrong;
}"""
SMALLEST = """() => Math.min(...Array.from(document.querySelectorAll(".board *")).filter((each) => {
  const own = Array.from(each.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim());
  const isHeard = getComputedStyle(each).clip === "rect(0px, 0px, 0px, 0px)" || each.closest(".only-heard");
  return own && each.offsetParent && !isHeard;
}).map((each) => parseFloat(getComputedStyle(each).fontSize)))"""

READABLE = 23.5  # px on a 1080p screen, from five metres


def unit_of(width: int, height: int) -> float:
    """How many px a px of a 1080p screen has here; one of 4K is larger, and its letters are a fifth smaller."""
    unit = min(max(width, height) / 1920, min(width, height) / 1080)
    return unit if unit < 2 else unit * 0.8


@pytest.mark.parametrize("queues", COUNTS)
@pytest.mark.parametrize("size", SIZES)
def test_the_board_fills_its_screen_without_scrolling(show_tv: Show, size: str, queues: int) -> None:
    tv = show_tv(*SIZES[size])

    tv.fill(queues, *COUNTS[queues])

    expect(tv.page.locator(".queue-card")).to_have_count(queues)
    assert tv.page.evaluate(MEASURE) == []
    assert tv.page.evaluate(SMALLEST) >= READABLE * unit_of(*SIZES[size])
    assert tv.page.locator(".person").count() >= min(12, COUNTS[queues][0])
    assert all(tv.page.locator(".person-name").all_inner_texts()), "nobody is only a square"
    foot = tv.page.locator(".board-foot").bounding_box()
    assert foot is not None
    assert foot["y"] + foot["height"] > SIZES[size][1] * 0.95


@pytest.mark.parametrize("queues", [1, 2, 3, 4, 6, 8])
def test_figures_can_be_read_from_afar(show_tv: Show, queues: int) -> None:
    tv = show_tv(1920, 1080)

    tv.fill(queues, 16, 4)
    tv.page.locator(".queue-card-figure").first.wait_for()

    sizes = "(nodes) => nodes.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    assert min(tv.page.eval_on_selector_all(".queue-card-figure", sizes)) >= 96
    assert tv.page.evaluate(SMALLEST) >= READABLE


@pytest.mark.parametrize("figures", [{"waiting": 128, "longest_wait": 4000, "average_wait": 3700}, {"waiting": 12}])
@pytest.mark.parametrize("queues", [6, 12, 40])
def test_large_figures_stay_inside_their_card(show_tv: Show, queues: int, figures: dict[str, int]) -> None:
    tv = show_tv(1280, 720)
    tv.fill(queues, 12, 3)

    tv.news("queues", {f"queue:{501 + index}": fake_feeds.queue(index, **figures) for index in range(queues)})
    tv.settle()

    assert tv.page.evaluate(MEASURE) == []


def test_a_long_name_is_shortened_and_nothing_else_suffers(show_tv: Show) -> None:
    tv = show_tv(1280, 720)
    tv.fill(6, 12, 3)
    name = "Ersatzteile und Reklamationen Werkstatt Nord"

    tv.news("queues", {"about:501": {**fake_feeds.about(0), "name": name}})
    tv.settle()

    assert tv.page.evaluate(MEASURE) == []


@pytest.mark.parametrize("size", [(390, 844), (768, 1024)])
def test_small_screens_scroll_down_only(show: Show, size: tuple[int, int]) -> None:
    shown = show(*size)

    shown.fill(6, 24, 5)

    wide, high = shown.page.evaluate(
        "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert wide == size[0]
    assert high > size[1]
