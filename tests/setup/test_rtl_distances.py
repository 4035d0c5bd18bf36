"""From right to left every element keeps its distances: those to the left are those to the right, and else equal."""

import pytest

from tests.boards.conftest import Show, SignIn
from wallboard.boards.models import Board
from wallboard.setup import brands

PAGES = (
    "/boards/main/",
    "/people/",
    "/calls/",
    "/reports/",
    "/alerts/",
    "/targets/",
    "/targets/hours/",
    "/screens/",
    "/desk/contacts/",
    "/desk/contacts/books/",
    "/setup/",
    "/setup/notifications/",
    "/setup/callers/",
    "/accounts/",
    "/manage/",
)
WIDTHS = (390, 1000, 1920)
# Read twice on one page: as it stands, and without the mirrored sheet from left to right.
UNLIKE = """() => {
  const names = ["margin-left", "margin-right", "padding-left", "padding-right", "border-left-width",
    "border-right-width", "margin-top", "margin-bottom", "padding-top", "padding-bottom"];
  const all = [...document.querySelectorAll("body, body *:not(svg *):not(option)")]
    .filter((node) => node.checkVisibility() && !node.closest("[dir=ltr], input, select"));
  const of = (node, style) => names.map((name) => style[name]);
  const read = () => all.map((node) => of(node, getComputedStyle(node)));
  const turned = read();
  const sheet = document.querySelector("link[href*='/brand/mirrored/']");
  document.documentElement.dir = "ltr";
  sheet.disabled = true;
  const usual = read();
  sheet.disabled = false;
  document.documentElement.dir = "rtl";
  const swap = [1, 0, 3, 2, 5, 4, 6, 7, 8, 9];
  const near = (a, b) => a === b || Math.abs(parseFloat(a) - parseFloat(b)) < 1;
  const named = (node) => `${node.closest("[id], [class]").className} ${node.tagName.toLowerCase()}`;
  return [...new Set(all.flatMap((node, index) => names.flatMap((name, each) => {
    const [is, was] = [turned[index][each], usual[index][swap[each]]];
    return near(is, was) ? [] : [`${named(node)} ${name}: ${is}, not ${was}`];
  })))];
}"""


@pytest.mark.parametrize("path", PAGES)
def test_distances_are_those_from_left_to_right(show: Show, sign_in: SignIn, board: Board, path: str) -> None:
    brands.save(board.domain, brands.BrandInput(direction="rtl"))
    page = show(*(WIDTHS[-1], 900), path=path, client=sign_in("administrator"))
    for width in WIDTHS:
        page.page.set_viewport_size({"width": width, "height": 900})
        page.settle()

        assert page.page.evaluate(UNLIKE) == [], width
