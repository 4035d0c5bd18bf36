"""No text outside gettext: every page in a language of ⟦brackets⟧, as the server writes it and as scripts fill it."""

import re
from typing import Any
from zoneinfo import available_timezones

import pytest
from django.utils import translation
from playwright.sync_api import Browser

from tests.boards import fake_feeds
from tests.harness import pseudo
from tests.security.company import Company
from tests.security.test_every_page import SETTLED, Serving, pages_of
from wallboard.setup import regions

# Names and addresses that no language has another word for; the rest of the company's data carries its own word.
DATA = r"""(?xi) https?://\S* | \S+@\S+ | \S*\.(?:com|test|example|org)\b | (?-i:\b[A-Z0-9]{3}\ [A-Z0-9]{3}\b)
    | \b(?:CSV|XLSX|AM|PM|API|URL|OK|TV|CRM|QR|UTC|STARTTLS|TLS)\b"""
SERVICES = (
    "Slack|Microsoft Teams|Mattermost|Discord|Google Chat|Telegram|ntfy|Pushover|PagerDuty|Opsgenie|Twilio|ClickSend"
)
IN_BROWSER: tuple[str, ...] = (
    "boards:board",
    "boards:edit",
    "boards:home",
    "desk:desk",
    "calls:calls",
    "calls:people",
    "reports:reports",
)
IN_BROWSER += ("screens:tv", "screens:screens", "alerts:alerts", "accounts:account")
DRAWN = "() => document.documentElement.outerHTML"


def test_words_outside_brackets_are_found() -> None:
    page = """<title>⟦a⟧</title><p title="bad">⟦all <b>of</b> it⟧ 12:00</p><p>⟦a⟧ and ⟦b⟧</p><p dir="auto">Ana</p>
        <p><bdi>Ana</bdi> ⟦called⟧</p><input placeholder="⟦a⟧ ⟦b⟧" value="typed"><input type="submit" value="Go">
        <script>const plain = 1</script><p>a · – 5</p><p>data</p>"""

    assert pseudo.outside_gettext(page, "data") == ["title: bad", "p: and", "value: Go"]


def own_words(company: Company) -> str:
    """What matches data of this company: whatever has its word in it, extensions and numbers."""
    zones = (zone.replace("_", " ") for zone in sorted(available_timezones(), key=len, reverse=True))
    with translation.override("en"):  # browsers name them anew: static/js/pages/regions.js
        lands = sorted((name for _code, name in regions.country_choices()), key=len, reverse=True)
    names = map(re.escape, [*fake_feeds.NAMES, *fake_feeds.QUEUES, *zones, *lands, *SERVICES.split("|")])
    return rf"{DATA}|(?<!\w)(?:{'|'.join(names)})(?!\w)|\S*{re.escape(company.word)}\S*(?:\ \w+)?"


@pytest.mark.django_db
@pytest.mark.timeout(200)
def test_no_page_says_anything_outside_gettext(ours: Company, browser: Browser) -> None:
    with pseudo.speaking_pseudo():
        pages = pages_of(ours)
    found: dict[str, Any] = {}
    for shown in pages:
        if wrong := pseudo.outside_gettext(shown.answer.content.decode(), own_words(ours)):
            found[shown.name] = wrong
    context = browser.new_context(viewport={"width": 1280, "height": 1024}, reduced_motion="reduce")
    serving = Serving(context.new_page(), ours)
    for shown in pages:
        if shown.name in IN_BROWSER:
            serving.open(shown)
            serving.page.wait_for_function(SETTLED)
            if wrong := pseudo.outside_gettext(serving.page.evaluate(DRAWN), own_words(ours)):
                found[f"{shown.name}, drawn"] = wrong
    context.close()

    assert [f"{name}: {each}" for name, wrong in found.items() for each in wrong] == []
    assert set(IN_BROWSER) <= {shown.name for shown in pages}
