"""What axe finds on a page, once the page stands still: halfway through a fade every contrast is too low."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

STANDS_STILL = "() => !document.getAnimations().some((each) => each instanceof CSSTransition)"

# What passed is not told: on a large page it is a megabyte.
RUN = """(options) => axe.run(options).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]))"""


def violations(page: Page, rules: str | list[str] = "") -> list[str]:
    """One line per broken rule, with the elements that break it; `rules` are tags of axe's, or its rules, or all."""
    page.wait_for_function(STANDS_STILL)
    # Nor are style sheets read again, those that they import from where the page lies.
    options: dict[str, object] = {"resultTypes": ["violations"], "preload": False}
    if rules:
        options["runOnly"] = rules
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(RUN, options)
    return [f"{name}: {', '.join(part[:110] for part in parts[:3])}" for name, parts in found]
