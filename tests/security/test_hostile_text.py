"""What callers, providers and colleagues write is shown as text: nothing runs and nothing is fetched (S12, S13)."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from types import SimpleNamespace

import pytest
from django.utils import timezone
from playwright.sync_api import Dialog, Page, Request

from accounts.models import Person
from tests.boards import floor
from tests.boards.showing import ShownBoard, answered
from tests.harness.browser import Pages
from tests.security.company import Company
from tests.security.hostile import CORPUS, FIT, LONG
from wallboard.calls.exports import cell
from wallboard.calls.models import Leg
from wallboard.desk.models import Note
from wallboard.queues.models import Queue

UNTOUCHED = """() => ({
    hit: window.hit === undefined && top.hit === undefined,
    foreign: document.querySelectorAll(
        "iframe, object, embed, base, svg script, script:not([src]):not([type]), img[src=x]").length,
    handlers: [...document.querySelectorAll("*")].filter((node) => [...node.attributes].some((each) =>
        each.name.startsWith("on") || /^javascript:/i.test(each.value))).length,
    wide: document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth,
})"""
MISSING = "(texts) => texts.filter((text) => !document.body.textContent.includes(text))"
CALM = {"hit": True, "foreign": 0, "handlers": 0, "wide": 0}
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
    board = ShownBoard(watch(pages.open(width=1920, height=1080)), client, ours.board, path, feed)
    for texts in parts(6):
        queues, people, calls = floor.queues(6), floor.people(6), floor.calls(6, masked=who == "screen")
        abouts = [document for key, document in queues.items() if key.startswith("about:")]
        persons = [document for key, document in people.items() if key != "events"]
        callers = [document["from"] for key, document in calls.items() if key != "events"]
        for text, *named in zip(texts, abouts, persons, callers, strict=False):
            for each in named:
                each["name"] = text
        board.snapshot("queues", queues)
        board.snapshot("people", people)
        board.snapshot(feed, calls)
        board.snapshot(f"board:{ours.board.pk}", {"today": floor.today()})
        board.page.wait_for_function(f"(texts) => ({MISSING})(texts).length === 0", arg=texts, timeout=5000)
        assert board.page.evaluate(UNTOUCHED) == CALM, texts


def fill(company: Company, texts: list[str]) -> None:
    """Put the texts wherever the company keeps text of others."""
    now, numbers = timezone.now(), count(1)
    for text in texts:
        plain, number = text.replace("\0", ""), next(numbers)
        Queue.objects.create(domain=company.domain, number=f"9{number:03}", name=plain[:100])
        Person.objects.create(domain=company.domain, extension=f"7{number:03}", name=plain)
        Leg.objects.create(
            domain=company.domain, from_call_id=f"h{number}", to_call_id="x", from_state="ended", to_state="ended",
            from_number=plain, from_name=plain, to_user=f"7{number:03}", to_name=plain, first_seen_at=now, heard_at=now,
            ended_at=now, by_call_id=plain, from_domain=plain,
        )  # fmt: skip
        Note.objects.create(domain=company.domain, person=company.people["agent"], call_id=f"h{number}", text=plain)
    company.board.name, company.board.notice = texts[0][:120], texts[1]
    company.board.save()


SERVED = {
    "supervisor": ["/calls/", "/calls/?page=2", "/calls/?page=5", "/reports/", "/boards/new/", "/", "/screens/"],
    "administrator": ["/accounts/people/", "/accounts/people/?page=3", "/setup/", "/boards/a-board/edit/"],
    "superuser": [
        *("/admin/calls/leg/", "/admin/queues/queue/", "/admin/accounts/person/", "/admin/desk/note/"),
        *("/admin/boards/board/", "/admin/accounts/person/?q=script"),
    ],
}


@pytest.mark.parametrize("who", SERVED)
def test_names_on_served_pages_are_text(who: str, ours: Company, pages: Pages, watch: Watch) -> None:
    fill(ours, FIT)
    client = ours.browser(who)
    answers = answered(client, *SERVED[who], "/admin/jsi18n/")
    for path in SERVED[who]:
        page = watch(pages.open(width=1280, height=900))
        page.route("**/*", partial(ShownBoard._answer, SimpleNamespace(answers=answers)))  # type: ignore[arg-type]
        page.route_web_socket("**/live/**", lambda socket: None)
        answers[path].headers.pop("Cross-Origin-Opener-Policy", None)
        page.goto(f"http://testserver{path}")
        told = page.evaluate(UNTOUCHED)
        assert {**told, "wide": 0 if who == "superuser" else told["wide"]} == CALM, path
        page.close()


@pytest.mark.parametrize("text", [*CORPUS, *LONG])
def test_an_export_holds_no_formula(text: str) -> None:
    kept = cell(text)

    assert kept.lstrip(" ")[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
    assert text in kept


def test_numbers_in_an_export_stay_readable() -> None:
    assert (cell("+49 30 901820"), cell("030 901820"), cell(-5)) == ("'+49 30 901820", "030 901820", "-5")
