"""What callers, providers and colleagues write is shown as text: nothing runs and nothing is fetched (S12, S13)."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Dialog, Page, Request, TimeoutError, WebSocketRoute

from accounts.csv_export import cell
from accounts.models import Person
from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage, answered
from tests.harness.browser import Pages
from tests.harness.static_files import PAGES
from tests.security.company import Company
from tests.security.hostile import CORPUS, FIT, LONG
from wallboard.alerts.models import Alert
from wallboard.calls.models import Leg
from wallboard.contacts.models import Contact
from wallboard.desk.models import Note
from wallboard.live import feeds
from wallboard.queues.models import Queue
from wallboard.sockets import snapshots

UNTOUCHED = """() => ({
    hit: window.hit === undefined && top.hit === undefined,
    foreign: document.querySelectorAll(
        "iframe, object, embed, base, svg script, script:not([src]):not([type]), img[src=x]").length,
    handlers: [...document.querySelectorAll("*")].filter((node) => [...node.attributes].some((each) =>
        each.name.startsWith("on") || /^javascript:/i.test(each.value))).length,
    wide: document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth,
})"""
MISSING = """(texts) => {
    const found = [...document.querySelectorAll("input, textarea")].map((field) => field.value);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { data, parentNode } = walker.currentNode;
        if (parentNode.localName !== "script") found.push(data);
    }
    const shown = found.join("\\n");
    return texts.filter((text) => !shown.includes(text.trim()));
}"""
ALL_SHOWN = f"""(texts) => {{
    document.getElementById("members-more")?.click();  // a long list shows its beginning first
    return ({MISSING})(texts).length === 0;
}}"""
UNSHOWN = """(wanted) => Object.entries(wanted).flatMap(([place, texts]) => {
    const shown = new Set([...document.querySelectorAll(place)].map((node) => node.textContent));
    const first = (text) => text.trim().split(/\\s+/)[0];  // of a long name of a person, more does not fit
    const firsts = new Set([...shown].map(first));
    const isThere = (text) => (place === ".person-name" ? firsts.has(first(text)) : shown.has(text));
    return texts.filter((text) => !isThere(text)).map((text) => `${place}: ${text}`);
})"""
CALM = {"hit": True, "foreign": 0, "handlers": 0, "wide": 0}
SHOWN_CALLS = 2  # a board with six queues has room for so many in any case
Watch = Callable[[Page], Page]


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Fails for any dialog, and for anything that is asked of another host."""
    told: list[str] = []

    def closed(dialog: Dialog) -> None:
        told.append(dialog.message)
        dialog.dismiss()

    def asked(request: Request) -> None:
        if "evil" in request.url:
            told.append(request.url)

    def on(page: Page) -> Page:
        page.on("dialog", closed)
        page.on("request", asked)
        return page

    yield on
    assert told == []


def parts(size: int) -> Iterator[list[str]]:
    yield from (FIT[begin : begin + size] for begin in range(0, len(FIT), size))


def test_the_corpus_is_large_enough() -> None:
    assert len(set(CORPUS)) >= 200


@pytest.mark.parametrize("who", ["supervisor", "screen"])
def test_names_on_a_board_are_text(who: str, ours: Company, pages: Pages, watch: Watch) -> None:
    path = f"/boards/{ours.board.slug}/" if who == "supervisor" else "/screen/"
    client = ours.browser(who)
    feed = "calls" if who == "supervisor" else "wall"
    board = BoardPage(watch(pages.open(width=1920, height=1080)), client, ours.board, path, feed)
    for texts in parts(6):
        queues, people = fake_feeds.queues(6), fake_feeds.people(6)
        abouts = [document for key, document in queues.items() if key.startswith("about:")]
        persons = [document for key, document in people.items() if key != "events"]
        for text, *named in zip(texts, abouts, persons, strict=False):
            for each in named:
                each["name"] = text
        board.snapshot("queues", queues)
        board.snapshot("people", people)
        board.snapshot(f"board:{ours.board.pk}", {"today": fake_feeds.today()})
        ends = [*((text, text) for text in texts), *(("", f"# {text}") for text in texts)]
        for begin in range(0, len(ends), SHOWN_CALLS):
            shown = ends[begin : begin + SHOWN_CALLS]
            board.snapshot(feed, between(shown))
            sides = [name or number for name, number in shown]
            wanted = {".queue-card-name": texts, ".person-name": texts, ".call-near": sides, ".call-far": sides}
            board.page.wait_for_function(f"(wanted) => ({UNSHOWN})(wanted).length === 0", arg=wanted, timeout=5000)
            assert board.page.evaluate(UNTOUCHED) == CALM, texts


def between(ends: list[tuple[str, str]]) -> fake_feeds.Docs:
    """Calls in which both ends are a stranger of this name and number."""
    calls = fake_feeds.calls(len(ends))
    for key, (name, number) in zip([key for key in calls if key != "events"], ends, strict=True):
        end = {"name": name, "number": number, "extension": ""}
        calls[key] |= {"from": end, "to": end}
    return calls


def fill(company: Company, texts: list[str]) -> None:
    """Put the texts wherever the company keeps text of others."""
    now, numbers = timezone.now(), count(1)
    for text in texts:
        plain, number = text.replace("\0", ""), next(numbers)
        began = now - timedelta(seconds=number)
        queue = Queue.objects.create(domain=company.domain, number=f"9{number:03}", name=plain[:100])
        Alert.objects.create(
            domain=company.domain,
            subject=queue.number,
            queue=queue,
            level="late",
            worst="late",
            began_at=began,
            raised_at=began,
        )
        Person.objects.create(domain=company.domain, extension=f"7{number:03}", name=plain)
        Leg.objects.create(
            domain=company.domain, from_call_id=f"h{number}", to_call_id="x", from_state="ended", to_state="ended",
            from_number=plain, from_name=plain, to_user=f"7{number:03}", to_name=plain, first_seen_at=began,
            heard_at=began, ended_at=now, by_call_id=plain, from_domain=plain, to_number=plain, queue=queue.number,
        )  # fmt: skip
        Contact.objects.create(domain=company.domain, name=plain[:120], company=plain[:120])
        Note.objects.create(domain=company.domain, person=company.people["agent"], call_id=f"h{number}", text=plain)
    company.board.name, company.board.notice = texts[0][:120], texts[1]
    company.board.save()


NAMES = [text.replace("\0", "") for text in FIT]
SHORT = [name[:100] for name in NAMES]  # as long as a queue's name may be
FIRST = [name.split()[0] for name in NAMES if name.split()]  # of a long name of a person more does not fit everywhere
SCRIPTS = [name for name in NAMES if "script" in name]
BY_NAME = sorted(name[:120] for name in NAMES)  # as long as a contact's may be
SERVED: dict[str, dict[str, list[str]]] = {  # what stands there in any case; the company's own rows move it a little
    "supervisor": {
        "/calls/": NAMES[:40],
        "/calls/?page=2": NAMES[50:90],
        "/calls/?page=5": NAMES[-5:],
        "/reports/": SHORT,
        "/boards/new/": [],
        "/": NAMES[:2],
        "/screens/": NAMES[:1],
        "/alerts/": SHORT,
        "/people/": FIRST,
        "/targets/": SHORT,
        "/desk/contacts/": BY_NAME[:45],
        "/desk/contacts/?page=3": BY_NAME[105:145],
    },
    "administrator": {
        "/accounts/people/": NAMES[:40],
        "/accounts/people/?page=3": NAMES[100:140],
        "/setup/": [],
        "/setup/queues/": SHORT,
        "/boards/a-board/edit/": SHORT,
    },
    "superuser": {
        "/admin/calls/leg/": NAMES[:90],
        "/admin/queues/queue/": SHORT[:90],
        "/admin/accounts/person/": NAMES[:90],
        "/admin/desk/note/": NAMES[120:190],
        "/admin/boards/board/": NAMES[:1],
        "/admin/accounts/person/?q=script": SCRIPTS[:20],
    },
}


@pytest.mark.parametrize("who", SERVED)
def test_names_on_served_pages_are_text(who: str, ours: Company, pages: Pages, watch: Watch) -> None:
    fill(ours, FIT)
    client, served = ours.browser(who), SERVED[who]
    told_to = [
        fake_feeds.ping(),
        *(whole(ours, feed) for feed in ("people", "queues", "alerts")),
    ]
    answers = answered(client, *served, "/admin/jsi18n/", "/screens/state/")
    for path, held in served.items():
        page = watch(pages.open(width=1280, height=900))
        page.route(PAGES, partial(BoardPage._answer, SimpleNamespace(answers=answers)))  # type: ignore[arg-type]
        page.route_web_socket("**/live/**", partial(tell, told_to))
        answers[path].headers.pop("Cross-Origin-Opener-Policy", None)
        page.goto(f"http://testserver{path}")
        with suppress(TimeoutError):
            page.wait_for_function(ALL_SHOWN, arg=held, timeout=10_000)
        assert page.evaluate(MISSING, held) == [], path
        told = page.evaluate(UNTOUCHED)
        assert {**told, "wide": 0 if who == "superuser" else told["wide"]} == CALM, path
        page.close()


def whole(company: Company, feed: str) -> dict[str, Any]:
    """What a page is told first of that feed."""
    found = snapshots.documents(company.domain.pk, feed)
    return {"feed": feed, "id": "1-test", "snapshot": {key: value for key, (_, value) in found.items()}}


def tell(frames: list[dict[str, Any]], socket: WebSocketRoute) -> None:
    for frame in frames:
        socket.send(feeds.encoded(frame))


@pytest.mark.parametrize("text", [*CORPUS, *LONG])
def test_an_export_holds_no_formula(text: str) -> None:
    kept = cell(text)

    assert kept.lstrip(" ")[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
    assert text in kept


def test_numbers_in_an_export_stay_readable() -> None:
    assert (cell("+49 30 901820"), cell("030 901820"), cell(-5)) == ("'+49 30 901820", "030 901820", "-5")
