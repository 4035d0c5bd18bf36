"""Modules that were put together run as they do apart, in their order; what cannot be put together is refused."""

import re
from pathlib import Path
from typing import Any

import esprima
import pytest
from django.conf import settings
from playwright.sync_api import Browser, Route

from wallboard import bundles
from wallboard.bundles import CannotBundle

STATIC = Path(settings.BASE_DIR) / "static"
PAGES = sorted(str(path.relative_to(STATIC)) for path in (STATIC / bundles.PAGES).glob("*.js"))
ORIGIN = "http://testserver"
MODULES = {
    "js/pages/page.js": """
/* What follows is no import:
import { wrong } from "../lib/wrong.js";
export const nothing = 0; */
import "../lib/first.js";
import { Counter, count as counted,
  LIMIT } from "../lib/counter.js";
import * as sums from "./sums.js";
import { late } from "./late.js";
const name = "import { a } from './b.js'"; // a name that other modules have, too
const counter = new Counter();
counted();
const path = "/screens/*", other = "*/all"; // no comment between them
window.ran.push([name, path, other, LIMIT, counter.kind, sums.total([1, 2]), sums.name, sums.$worst(), typeof this]);
late().then((word) => window.ran.push([word]));
""",
    "js/pages/sums.js": """
import { LIMIT } from "../lib/counter.js";
export const name = "sums";
export function total(list) { return list.reduce((sum, each) => sum + each, LIMIT); }
export function $worst() { return "worst"; }
""",
    "js/pages/late.js": 'export async function late() { return "late"; }\n',
    "js/lib/first.js": 'import "./counter.js";\nwindow.ran.push(["first"]);\n',
    "js/lib/counter.js": """
const name = "counter";
let runs = 0;
export const LIMIT = 10;
export class Counter { get kind() { return name + runs; } }
export function count() { runs += 1; window.ran.push(["counted", runs]); }
window.ran.push(["counter"]);
""",
}


def written(name: str) -> str:
    """The text of one of our own modules."""
    return (STATIC / name).read_text()


def ran(browser: Browser, files: dict[str, str]) -> Any:
    """What the page's modules told when a browser ran them."""

    def served(route: Route) -> None:
        text = files.get(route.request.url.removeprefix(f"{ORIGIN}/"))
        if text is None:
            script = '<script type="module" src="/js/pages/page.js"></script>'
            route.fulfill(body=f"<script>window.ran = []</script>{script}", content_type="text/html")
        else:
            route.fulfill(body=text, content_type="text/javascript")

    page = browser.new_page()
    page.route("**/*", served)
    page.goto(f"{ORIGIN}/")
    page.wait_for_function("window.ran.length >= 5")
    found = page.evaluate("window.ran")
    page.close()
    return found


def test_a_page_runs_as_its_modules_do(browser: Browser) -> None:
    whole = bundles.bundle("js/pages/page.js", MODULES.__getitem__)

    apart = ran(browser, MODULES)
    assert apart == ran(browser, {"js/pages/page.js": whole})
    assert apart[:3] == [["counter"], ["first"], ["counted", 1]]


def test_each_module_comes_once_after_all_that_it_imports() -> None:
    found = list(bundles.in_order("js/pages/page.js", MODULES.__getitem__))

    assert found == [*("js/lib/counter.js", "js/lib/first.js", "js/pages/sums.js", "js/pages/late.js"), found[-1]]
    assert list(bundles.in_order("js/pages/late.js", MODULES.__getitem__)) == ["js/pages/late.js"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('import b from "./b.js";', "import b from"),
        ('import { b } from "library";', "import { b }"),
        ("export default 1;", "export default"),
        ("export let changes = 1;", "export let"),
        ('export { b } from "./b.js";', "export { b }"),
        ('import("./b.js").then(run);', 'import("./b.js")'),
        ("const here = import.meta.url;", "import.meta"),
        ('import "./circle.js";', "js/circle.js imports js/page.js, which imports it"),
    ],
)
def test_what_is_written_otherwise_is_refused(text: str, told: str) -> None:
    files = {"js/page.js": text, "js/b.js": "", "js/circle.js": 'import "./page.js";'}

    with pytest.raises(CannotBundle, match=re.escape(told)):
        bundles.bundle("js/page.js", files.__getitem__)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_can_be_put_together(name: str) -> None:
    whole = bundles.bundle(name, written)

    assert not re.search(r"^(import|export)\b", whole, re.MULTILINE)
    assert whole.count("const m") >= len(bundles.in_order(name, written))
    if name == "js/pages/tv.js":
        esprima.parseModule(whole)


def test_two_scripts_of_a_page_share_nothing_but_what_they_may_have_twice() -> None:
    """Each has its own copy of what both import: what such a module keeps must not count for the other."""
    beside = ("js/pages/figures.js", "js/pages/alert-badge.js", "js/pages/sheets.js")
    shared = set[str]()
    for other in beside:
        ours = set(bundles.in_order(other, written))
        for page in PAGES:
            shared |= ours & set(bundles.in_order(page, written)) if page != other else set()

    keeping = {name for name in shared if re.search(r"^(export )?let ", written(name), re.MULTILINE)}

    assert keeping == {"js/lib/about-box.js"}, "its words alone are kept twice; what is open stands at the box"
    assert re.findall(r"^let (\w+)", written("js/lib/about-box.js"), re.MULTILINE) == ["known"]
