"""What axe finds on a page, once the page stands still: halfway through a fade every contrast is too low."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

STANDS_STILL = "() => !document.getAnimations().some((each) => each instanceof CSSTransition)"


def violations(page: Page, rules: str | list[str] = "") -> list[str]:
    """One line per broken rule, with the elements that break it; `rules` are tags of axe's, or its rules, or all."""
    page.wait_for_function(STANDS_STILL)
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = rules
    found = Axe().run(page, options=options)
    return [
        f"{each['id']}: {', '.join(node['html'][:110] for node in each['nodes'][:3])}"
        for each in found.response["violations"]
    ]
