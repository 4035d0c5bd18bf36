"""What somebody does in the editor with hands and eyes: walks by Tab, drags, touches, and reads what is said."""

import re
from typing import Any

from playwright.sync_api import Page, expect

Box = dict[str, float]


def said(page: Page, text: str) -> None:
    expect(page.locator(".editor-message")).to_contain_text(text)


def saved(page: Page) -> None:
    expect(page.locator(".draft-state")).to_contain_text("Saved as draft")


def places(page: Page) -> list[tuple[str, ...]]:
    """Name, column and row of the cards as they are drawn next, in the order of Tab."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    labels = page.eval_on_selector_all(".handle", "(nodes) => nodes.map((node) => node.getAttribute('aria-label'))")
    return [tuple(re.split(r"\. Column |, row |, ", label)[:3]) for label in labels]


def handle(page: Page, name: str) -> Any:
    return page.locator(".handle", has=page.locator(f".handle-name:text-is('{name}')"))


def box_of(page: Page, name: str) -> Box:
    """Where the card is once it stands still."""
    page.wait_for_function("() => document.getAnimations().length === 0")
    box = handle(page, name).bounding_box()
    assert box is not None
    return Box(**box)


def tab_to(page: Page, words: str) -> None:
    """Walk by Tab alone to what is called so."""
    for _ in range(80):
        page.keyboard.press("Tab")
        name = page.evaluate("(document.activeElement.getAttribute('aria-label') || document.activeElement.innerText)")
        if name and name.startswith(words):
            return
    raise AssertionError(f"Tab never reaches {words}")


def drag(page: Page, box: Box, dx: float, dy: float) -> None:
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=4)
    page.mouse.up()


def touch(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """One finger, as Chromium hears it from the screen."""
    cdp = page.context.new_cdp_session(page)
    between = [(start[0] + (end[0] - start[0]) * n / 4, start[1] + (end[1] - start[1]) * n / 4) for n in range(5)]
    for kind, (x, y) in [("touchStart", between[0]), *[("touchMove", point) for point in between[1:]]]:
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def move(page: Page, name: str, key: str) -> None:
    handle(page, name).focus()
    page.keyboard.press(key)


def starts(text: str) -> Any:
    return re.compile("^" + re.escape(text))
