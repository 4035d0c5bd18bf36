"""What the company's own program says of a caller, on the card at the desk."""

import json

from playwright.sync_api import expect

from tests.desk.desk_site import DeskSite
from tests.desk.locators import NARROW, SHOTS, WIDE, name
from tests.harness.browser import Pages
from tests.notifications.channels.receivers import answer, receiving

RECORD = {
    "title": "Hanna Brandt, Brandt Werkzeuge GmbH & Co. KG",
    "lines": [
        {"label": "Contract", "text": "Gold until May 2027, four hours to answer"},
        {"label": "Open invoices", "text": "2"},
        {"label": "Note", "text": "<img src=x onerror=alert(1)>"},
    ],
    "links": [{"label": "Open in the CRM", "url": "https://crm.example.com/customers/17"}],
}
SAVE = """
from accounts.models import Domain
from wallboard.setup.callers import records
records.save(Domain.objects.get(), {url!r}, is_on=True)
"""


# It stays set up: to the tests after this one it is a program that is away, which no card shows.
def test_the_record_joins_the_card_as_text_and_links(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    with receiving(lambda handler: answer(handler, 200, json.dumps(RECORD).encode())) as crm:
        desk_site.manage("shell", "-v0", "-c", SAVE.format(url=crm.url))
        wide = desk_site.desk(pages, mia, **WIDE)
        desk_site.ring(mia, name="Hanna Brandt")
        expect(name(wide)).to_have_text("Hanna Brandt")
        record = wide.locator(".desk-record")
        expect(record).to_contain_text("Gold until May 2027")
        expect(record).to_contain_text("<img src=x onerror=alert(1)>")
        expect(record.get_by_role("link", name="Open in the CRM")).to_have_attribute("rel", "noopener noreferrer")
        wide.screenshot(path=SHOTS / "desk-record.png")
        wide.set_viewport_size({"width": 390, "height": NARROW["height"]})
        assert wide.evaluate("document.documentElement.scrollWidth") <= 390
        wide.screenshot(path=SHOTS / "desk-record-narrow.png")
