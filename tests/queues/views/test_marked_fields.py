"""What is wrong in targets and hours is marked where it stands, at a desk and on a phone."""

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.boards.conftest import SignIn
from tests.harness.answers import show_answer
from tests.harness.axe import violations
from tests.harness.browser import Pages
from tests.queues.views.test_hours import saved
from tests.queues.views.test_targets import posted, sales
from tests.security.test_every_page import FORMS
from wallboard.queues.models import Queue

__all__ = ["sales"]
PICTURES = os.environ.get("WALLBOARD_PICTURES", "")  # a folder for pictures of every state
MARKED = """() => [...document.querySelectorAll("[aria-invalid=true]")].map((node) => {
  const style = getComputedStyle(node);
  const message = document.getElementById(node.getAttribute("aria-describedby").split(" ").at(-1));
  const [cell, words] = [node.getBoundingClientRect(), message.getBoundingClientRect()];
  return {
    name: node.name, isFocused: node === document.activeElement, frame: `${style.borderWidth} ${style.borderStyle}`,
    message: message.textContent.trim(), isBeside: words.top >= cell.bottom - 1 && words.top - cell.bottom < 30,
    isOnScreen: cell.top >= 0 && cell.bottom <= innerHeight,
  };
})"""


@pytest.mark.console_may_say("400")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("which", ["targets", "hours"])
def test_what_is_wrong_is_marked_where_it_stands(
    pages: Pages, sign_in: SignIn, sales: Queue, which: str, width: int, scheme: Any
) -> None:
    client = sign_in("supervisor")
    if which == "targets":
        answer = client.post("/targets/", posted(sales, waiting_watch="5", waiting_late="4", available_late_below="x"))
    else:
        answer = saved(client, day0="9 till 5", day1="8 to 5", closed_days="25.12.")
    page = pages.open(width=width, height=844, locale="en-GB", color_scheme=scheme, bypass_csp=True)
    show_answer(page, answer)

    found = page.evaluate(MARKED)
    _picture(page, f"{which}-{width}-{scheme}")

    names = {
        "targets": [f"q{sales.pk}-{name}" for name in ("waiting_watch", "waiting_late", "available_late_below")],
        "hours": ["day0", "day1", "closed_days"],
    }
    assert [each["name"] for each in found] == names[which]
    assert [each["isFocused"] for each in found] == [True, False, False]
    assert {each["frame"] for each in found} == {"2px solid"}
    assert all(each["message"] for each in found)
    assert all(each["isBeside"] for each in found)
    assert found[0]["isOnScreen"]
    assert page.evaluate(FORMS) == []
    assert violations(page) == []


def _picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"form-{name}.png", full_page=True)
