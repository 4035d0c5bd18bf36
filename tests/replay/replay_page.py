"""A recorded hour of a made-up call floor, and the replay's page in a browser: Django has answered before."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, quote

import msgspec
from django.test import Client
from playwright.sync_api import Page, Route

from accounts import leases
from accounts.models import Person
from tests.boards import fake_feeds
from tests.boards.board_page import ORIGIN, answered
from tests.harness.static_files import PAGES
from wallboard.alerts.models import Alert
from wallboard.boards import layout
from wallboard.boards.models import Board
from wallboard.live.since import News
from wallboard.queues.models import Queue, Sample
from wallboard.replay.recorder import LEASE_SECONDS, Recorder

BEGIN = 1_795_338_300  # Sunday 22 November 2026, 10:05:00 in Berlin
END = BEGIN + 2700
ALERT = BEGIN + 2100  # 10:40:00
GAP = (BEGIN + 1200, BEGIN + 1500)  # 10:25 to 10:30
STEP = 5


def floor_at(second: int, board: Board, queues: int, people: int) -> dict[str, dict[str, Any]]:
    """What every feed held: from the alert on the first queue has callers who wait longer and longer."""
    of_queues = fake_feeds.queues(queues)
    late = second >= ALERT
    first = fake_feeds.queue(1, waiting=1 + (second // 30) % 5, longest_wait=second % 60)
    if late:
        since = 1000 * (ALERT - 60)
        first = fake_feeds.queue(0, waiting=9, longest_wait=120 + second - ALERT, since=since)
    of_queues["queue:501"] = first
    alert = {"id": 1, "kind": "level", "queue": "501", "person": "", "name": "Support", "level": "late", "facts": {}}
    alert |= {"reason": "longest_wait", "since": 1000 * (ALERT - 60), "raised_at": 1000 * ALERT}
    alert |= {"acknowledged_by": "", "acknowledged_at": None}
    return {
        "queues": of_queues,
        "people": fake_feeds.people(people),
        "calls": fake_feeds.calls(4, masked=False),
        "wall": fake_feeds.calls(4),
        "alerts": {"1": alert} if late else {},
        f"board:{board.pk}": {
            "board": msgspec.to_builtins(layout.board_document(board)[1]),
            "today": fake_feeds.today(),
        },
    }


def rows(board: Board, queues: int = 6, people: int = 12) -> Alert:
    """What the database has of that day: queues, people, minutes in which it went wrong, and the alert."""
    made = [Queue(domain=board.domain, number=str(501 + index), name=f"Queue {501 + index}") for index in range(queues)]
    first, *_ = Queue.objects.bulk_create(made)
    persons = [Person(domain=board.domain, extension=str(101 + index), name=f"P{index}") for index in range(people)]
    Person.objects.bulk_create(persons)
    none = {"readings": 12, "waiting": 1, "most_waiting": 1, "agents": 3, "least_available": 0, "watch_seconds": 0}
    for minute in range(30, 45):
        at = datetime.fromtimestamp(BEGIN + 60 * minute, UTC)
        late = 60 if at.timestamp() >= ALERT else 0
        Sample.objects.create(queue=first, minute=at, late_seconds=late, nobody_seconds=60 - late, **none)
    began, raised = (datetime.fromtimestamp(second, UTC) for second in (ALERT - 60, ALERT))
    about = {"domain": board.domain, "queue": first, "subject": first.number, "level": "late", "worst": "late"}
    return Alert.objects.create(began_at=began, raised_at=raised, reason="longest_wait", **about)


def record(monkeypatch: Any, board: Board, *, queues: int = 6, people: int = 12, step: int = STEP) -> None:
    """Record the hour, without five minutes of it."""
    lease = leases.acquire(f"record:{board.domain_id}", LEASE_SECONDS)
    assert lease is not None
    recorder = Recorder(board.domain_id, lease)
    before: dict[str, dict[str, str]] = {}
    for second in range(BEGIN, END, step):
        if GAP[0] <= second < GAP[1]:
            continue
        monkeypatch.setattr(fake_feeds, "now_ms", lambda at=second: 1000 * at)
        held = {
            feed: {key: msgspec.json.encode(each).decode() for key, each in documents.items()}
            for feed, documents in floor_at(second, board, queues, people).items()
        }
        recorder.take(second, {feed: _news(before.get(feed), texts) for feed, texts in held.items()})
        if not recorder.positions:  # after a pause it begins anew
            recorder.take(second, {feed: _news(None, texts) for feed, texts in held.items()})
        before = held
    recorder.flush()


def _news(before: dict[str, str] | None, texts: dict[str, str]) -> News:
    if before is None:
        return News(is_whole=True, position="1-x", documents=texts)
    gone = dict.fromkeys(before.keys() - texts.keys(), "")
    changed = {key: text for key, text in texts.items() if before.get(key) != text}
    return News(position="1-x", documents=changed | gone)


class Answers:
    """A day's recording as the page may ask for it, in any stretch or moment: Django has answered for all of it."""

    def __init__(self, client: Client, told: dict[str, Any], slug: str) -> None:
        self.changes: list[dict[str, Any]] = []
        begin, end = told["first"], told["last"] + 1000
        while begin < end:
            part = client.get(f"/boards/{slug}/replay/frames/?from={begin}&until={end}").json()
            begin = part["until"]
            for feed, held in part["feeds"].items():
                known = {"unknown": True} if held is None else {"snapshot": held}
                self.changes.append({"at": part["from"], "feed": feed, **known})
            self.changes += part["changes"]

    def answer(self, query: dict[str, int]) -> dict[str, Any]:
        """What the server says to this query."""
        begin = query["from"] if "from" in query else query["at"]
        end = query.get("until", begin + 1000)
        state: dict[str, Any] = {}
        for change in self.changes:
            if change["at"] <= begin:
                state[change["feed"]] = self.followed(state.get(change["feed"]) or {}, change)
        changes = [each for each in self.changes if begin < each["at"] < end]
        return {"from": begin, "until": end, "feeds": state, "changes": changes, "gaps": []}

    @staticmethod
    def followed(held: dict[str, Any], change: dict[str, Any]) -> dict[str, Any] | None:
        """What a feed held after a change; None where it was not known."""
        if "unknown" in change:
            return None
        before = {} if "snapshot" in change else held
        told = before | change.get("snapshot", {}) | change.get("set", {})
        return {key: each for key, each in told.items() if key not in change.get("del", ())}


class ReplayPage:
    """The page in a browser, with everything that it can ask for."""

    def __init__(self, page: Page, client: Client, board: Board, at: str, query: str = "") -> None:
        self.page = page
        base = f"/boards/{board.slug}/replay/"
        path = f"{base}?at={quote(at, safe=':')}{query}"
        day = f"{base}day/?day={at[:10]}"
        self.answers = answered(client, path, "/figures/") | {day: client.get(day)}
        self.recorded = Answers(client, self.answers[day].json(), board.slug)
        self.answers[path].headers.pop("Cross-Origin-Opener-Policy", None)
        page.route(PAGES, self._answer)
        page.route_web_socket("**/live/**", lambda socket: None)
        page.goto(ORIGIN + path)
        page.wait_for_selector('body[data-replay="shown"], body[data-replay="gap"]')
        self.settle()

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if "/replay/frames/?" in path:
            query = {name: int(value) for name, value in parse_qsl(path.partition("?")[2])}
            route.fulfill(json=self.recorded.answer(query))
            return
        answer = self.answers[path]
        route.fulfill(status=answer.status_code, headers=dict(answer.headers), body=answer.content)

    def settle(self) -> None:
        """Wait until the cards of the moment are drawn."""
        self.page.wait_for_function(
            "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 60)))"
        )

    def text(self, selector: str) -> str:
        return self.page.locator(selector).first.inner_text()
