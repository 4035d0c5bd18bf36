"""The mail as mail programs show it: on a desk and on a phone, in light and dark."""

import os
from datetime import timedelta
from email.message import EmailMessage
from html import escape

import pytest

from accounts.models import Domain, Person
from tests.harness.browser import Pages
from tests.reports.mails.test_making import ALL, MONDAY, parts_of
from tests.reports.test_day_figures import leg, sample
from wallboard.notifications.channels.email import letter
from wallboard.notifications.messages import Message
from wallboard.notifications.models import Delivery, Destination
from wallboard.queues.models import Queue
from wallboard.reports.mails import making
from wallboard.reports.models import ReportMail

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
LOOK = """() => ({
    wide: document.scrollingElement.scrollWidth - innerWidth,
    broken: [...document.images].filter((each) => !each.naturalWidth || !each.alt).length,
    dark: getComputedStyle(document.querySelector(".sheet")).backgroundColor !== "rgb(255, 255, 255)",
    ink: getComputedStyle(document.querySelector("h1")).color,
})"""


@pytest.fixture
def mail(domain: Domain, ana: Person, ana_mail: Destination, support: Queue, sales: Queue) -> EmailMessage:
    """A week with late queues, a long name, and calls."""
    Queue.objects.filter(pk=sales.pk).update(name="Complaints and returns of the northern branches, second line")
    for hour in range(60):
        sample(support, MONDAY - timedelta(hours=30 + hour), late=60 * (hour % 3 == 0), waiting=4)
        sample(sales, MONDAY - timedelta(hours=30 + hour), late=60 * (hour % 2 == 0), waiting=9)
        began = MONDAY - timedelta(hours=30 + hour)
        leg(domain, f"call {hour}", began, to_user="101", is_answered=hour % 4 != 0, ringing_at=began, ended_at=began)
    report = ReportMail.objects.create(domain=domain, parts=ALL)
    report.people.add(ana)
    making.make_now(report, MONDAY)
    delivery = Delivery.objects.get()
    return letter("wall@example.com", "ana@example.com", Message(id=delivery.uid.hex, **delivery.content))


@pytest.mark.parametrize("width", [600, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_can_be_read(width: int, scheme: str, mail: EmailMessage, pages: Pages) -> None:
    found = parts_of(mail)
    html = found["text/html"].get_content()
    for name, part in found.items():
        if part["Content-ID"]:
            data = "".join(part.get_payload().split())
            html = html.replace(f"cid:{name.removesuffix('.png')}", f"data:image/png;base64,{data}")
    page = pages.open(width=width, height=1400)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.route("**/*", lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))

    page.goto("http://testserver/mail")

    if folder := os.environ.get("WALLBOARD_PICTURES"):
        page.screenshot(path=f"{folder}/mail-{width}-{scheme}.png", full_page=True)
    told = page.evaluate(LOOK)
    assert (told["wide"], told["broken"], told["dark"]) == (0, 0, scheme == "dark")
    assert told["ink"] == ("rgb(243, 244, 246)" if scheme == "dark" else "rgb(17, 24, 39)")
    assert escape("Complaints and returns") in html
