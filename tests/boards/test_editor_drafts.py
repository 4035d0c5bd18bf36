"""A draft is kept by itself, seen by editors only, published at once, and loses nothing when two people write it."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from threading import Barrier, Thread
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client

from accounts.models import AuditEntry, Domain, Person
from tests.boards.conftest import SignIn
from wallboard.boards import editing
from wallboard.boards.editing import BoardInput
from wallboard.boards.editor import drafts, editors_online
from wallboard.boards.editor.drafts import Outdated
from wallboard.boards.layout import BadLayout, Layout
from wallboard.boards.models import Board, Draft
from wallboard.sockets import snapshots

CLOCK = {"id": "c1", "kind": "clock", "x": 0, "y": 0, "w": 3, "h": 2, "title": "", "size": "normal", "zone": ""}
GRID = {"rows": 6, "cards": [CLOCK]}


def content(**more: Any) -> dict[str, Any]:
    return {"name": "Service desk", "theme": "dark", "notice": "", "layout": GRID, **more}


def board_input(**more: Any) -> BoardInput:
    return drafts.parse_input(content(**more))


def post(client: Client, path: str, **body: Any) -> Any:
    return client.post(f"/boards/main/{path}/", json.dumps(body), content_type="application/json")


def test_a_draft_is_kept_and_boards_do_not_show_it(board: Board) -> None:
    before = snapshots.documents(board.domain_id, f"board:{board.pk}")["board"]

    state = drafts.save(board, board_input(name="Night"), 0, board.version)

    assert (state.is_draft, state.version, state.content["name"]) == (True, 1, "Night")
    assert state.published["name"] == "Service desk"
    assert snapshots.documents(board.domain_id, f"board:{board.pk}")["board"] == before
    assert Board.objects.get().version == board.version


def test_a_published_draft_is_the_board_and_the_draft_is_over(board: Board) -> None:
    drafts.save(board, board_input(name="Night"), 0, board.version)

    saved = drafts.publish(board, 1)

    state = drafts.draft_state(board)
    assert (saved.name, saved.version, saved.layout["rows"]) == ("Night", board.version + 1, 6)
    assert (state.is_draft, state.version, state.content) == (False, 2, state.published)


def test_a_discarded_draft_leaves_the_published_board(board: Board) -> None:
    drafts.save(board, board_input(name="Night"), 0, board.version)

    state = drafts.discard(board, 1)

    assert (state.is_draft, state.version, state.content["name"]) == (False, 2, "Service desk")


def test_a_draft_like_the_published_board_is_none(board: Board) -> None:
    drafts.save(board, board_input(name="Night"), 0, board.version)

    assert not drafts.save(board, editing.current_input(board), 1, board.version).is_draft


def test_what_was_never_saved_can_be_discarded(board: Board) -> None:
    state = drafts.discard(board, 0)

    assert (state.is_draft, state.version) == (False, 1)


@pytest.mark.parametrize("act", ["save", "publish", "discard"])
def test_who_builds_on_an_old_version_is_told_the_new_one(board: Board, act: str) -> None:
    drafts.save(board, board_input(name="Theirs"), 0, board.version)
    late: dict[str, Callable[[], object]] = {
        "save": lambda: drafts.save(board, board_input(name="Mine"), 0, board.version),
        "publish": lambda: drafts.publish(board, 0),
        "discard": lambda: drafts.discard(board, 0),
    }

    with pytest.raises(Outdated) as told:
        late[act]()

    assert (told.value.state.version, told.value.state.content["name"]) == (1, "Theirs")
    assert drafts.draft_state(board).content["name"] == "Theirs"


def test_a_draft_does_not_run_over_what_was_published_meanwhile(board: Board) -> None:
    drafts.save(board, board_input(name="Draft"), 0, board.version)
    editing.update(board, replace(editing.current_input(board), notice="From the form"))

    with pytest.raises(Outdated):
        drafts.publish(board, 1)
    with pytest.raises(Outdated) as told:
        drafts.save(board, board_input(), 1, board.version)
    state = told.value.state
    assert (state.version, state.published["notice"]) == (1, "From the form")
    assert state.base is not None
    assert state.base["notice"] == board.notice

    merged = drafts.save(board, board_input(name="Draft", notice="From the form"), 1, board.version + 1)
    assert merged.base is None
    assert drafts.publish(board, merged.version).notice == "From the form"


@pytest.mark.django_db(transaction=True)
def test_of_two_saves_at_once_one_is_refused(transactional_db: None, domain: Domain) -> None:
    board = editing.create(domain, BoardInput("Board"), slug="main")
    Draft.objects.create(board=board)
    start, ends = Barrier(2), []

    def save(name: str) -> None:
        start.wait()
        try:
            ends.append(drafts.save(board, board_input(name=name), 0, board.version).content["name"])
        except Outdated:
            ends.append("")
        finally:
            connection.close()

    threads = [Thread(target=save, args=(name,)) for name in ("One", "Two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert ends.count("") == 1
    assert drafts.draft_state(board).content["name"] in ends


BAD = [
    (content(name="  "), "name"),
    (content(name="x" * 121), "120"),
    (content(name="a\0b"), "name"),
    (content(notice="x" * 201), "200"),
    (content(notice=None), "notice"),
    (content(theme="pink"), "dark"),
    (content(layout={"rows": 2, "cards": []}), "rows"),
    (content(layout={"rows": 6, "cards": [CLOCK, {**CLOCK, "id": "c2"}]}), "Clock"),
    (content(layout="x"), "layout"),
    ("x", "board"),
    (None, "board"),
]


@pytest.mark.parametrize(("bad", "named"), BAD)
def test_nonsense_is_refused_with_a_sentence(bad: object, named: str) -> None:
    with pytest.raises(BadLayout, match=named):
        drafts.parse_input(bad)


def test_spaces_around_a_name_are_dropped() -> None:
    assert drafts.parse_input(content(name=" North \n wing ")).name == "North wing"


def test_the_page_keeps_publishes_and_discards(board: Board, sign_in: SignIn) -> None:
    client = sign_in("supervisor")

    saved = post(client, "draft", content=content(name="Night"), version=0, board_version=board.version)
    late = post(client, "draft", content=content(name="Late"), version=0, board_version=board.version)
    published = post(client, "publish", version=1)
    again = post(client, "publish", version=1)
    post(client, "draft", content=content(name="Day"), version=2, board_version=board.version + 1)
    discarded = post(client, "discard", version=3)

    assert [each.status_code for each in (saved, late, published, again, discarded)] == [200, 409, 200, 409, 200]
    assert late.json()["state"]["content"]["name"] == "Night"
    assert late.json()["state"]["saved_by"] == "Supervisor"
    assert published.json()["state"]["published"]["name"] == "Night"
    assert discarded.json()["state"]["content"]["name"] == "Night"


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "{",
        "[" * 5000,
        json.dumps({"content": content(), "version": "1", "board_version": 1}),
        json.dumps({"content": content(), "version": -1, "board_version": 1}),
        json.dumps({"content": content(), "version": True, "board_version": 1}),
        json.dumps({"content": content(name="")}),
        json.dumps({"content": content(layout={"rows": 6, "cards": [{**CLOCK, "x": 11}]})}),
    ],
)
def test_a_bad_post_changes_nothing(board: Board, sign_in: SignIn, body: str) -> None:
    answer = sign_in("supervisor").post("/boards/main/draft/", body, content_type="application/json")

    assert answer.status_code == 400
    assert len(answer.json()["error"]) > 10
    assert not Draft.objects.exclude(content=None).exists()


@pytest.mark.parametrize("text", ["a\0", "a\ud800"])
def test_text_that_no_database_keeps_is_refused_wherever_it_stands(board: Board, sign_in: SignIn, text: str) -> None:
    client = sign_in("supervisor")
    people = {"id": "c1", "kind": "people", "x": 0, "y": 0, "w": 4, "h": 2, "people": [text]}
    for more in (
        {"layout": {"sections": ["queues"], "queues": [text]}},
        {"layout": {"rows": 6, "cards": [people]}},
        {"layout": {"rows": 6, "cards": [{**CLOCK, "title": text}]}},
        {"name": text},
        {"notice": text},
    ):
        answer = post(client, "draft", content=content(**more), version=0, board_version=board.version)

        assert answer.status_code == 400, more
        assert len(answer.json()["error"]) > 10


def test_an_editor_hears_only_what_is_new(board: Board, sign_in: SignIn) -> None:
    client = sign_in("supervisor")
    drafts.save(board, board_input(), 0, board.version)
    address = f"/boards/main/draft/?tab=tab12345&board_version={board.version}&version="

    assert client.get(f"{address}0").json()["state"]["version"] == 1
    assert client.get(f"{address}1").json()["state"] is None


def test_editors_know_of_each_other(board: Board, redis_url: str) -> None:
    assert editors_online.other_editors(board, "tab-one", "Ana") == []
    assert editors_online.other_editors(board, "tab-two", "Ben") == ["Ana"]
    assert editors_online.other_editors(board, "tab-one", "Ana") == ["Ben"]

    editors_online.leave(board, "tab-two", "Ben")
    assert editors_online.other_editors(board, "tab-one", "Ana") == []


def test_nobody_is_said_to_edit_while_redis_is_away(board: Board) -> None:
    assert editors_online.other_editors(board, "tab-one", "Ana") == []


def test_drafts_are_noted_once_for_each_published_version(board: Board) -> None:
    for version in range(3):
        drafts.save(board, board_input(name=f"Night {version}"), version, board.version)
    drafts.publish(board, 3)

    noted = list(AuditEntry.objects.order_by("pk").values_list("what", flat=True))
    assert noted.count("draft changed") == 1
    assert noted[-1] == "board changed"


def test_the_form_without_scripts_leaves_the_cards_of_a_grid_alone(board: Board, sign_in: SignIn) -> None:
    board = editing.update(board, board_input())
    before = editing.current_input(board)
    client = sign_in("supervisor")

    page = client.get("/boards/main/edit/").content.decode()
    client.post("/boards/main/edit/", {"name": "Renamed", "theme": "light", "notice": "New"})

    now = editing.current_input(Board.objects.get())
    assert 'name="sections"' not in page
    assert (now.name, now.theme, now.notice) == ("Renamed", "light", "New")
    assert now.layout == before.layout == board_input().layout


def test_a_new_board_begins_with_the_starter(domain: Domain, sign_in: SignIn) -> None:
    client = sign_in("supervisor")

    client.post("/boards/new/", {"name": "Plain"})
    client.post("/boards/new/", {"name": "Floor", "starter": "floor"})
    client.post("/boards/new/", {"name": "Odd", "starter": "nonsense"})

    layouts = {each.name: editing.current_input(each).layout for each in Board.objects.all()}
    assert layouts["Plain"] == Layout()
    assert layouts["Floor"].cards is not None
    assert set(layouts) == {"Plain", "Floor"}
    assert Person.objects.exists()


def test_a_draft_that_waits_is_marked_for_editors_on_the_list_and_on_the_board(board: Board, sign_in: SignIn) -> None:
    ana = Person.objects.create(domain=board.domain, extension="150", name="Ana")
    board_input = replace(editing.current_input(board), notice="Soon")
    with time_machine.travel(datetime(2026, 3, 4, 9, 31, tzinfo=UTC), tick=False):
        drafts.save(board, board_input, 0, board.version, by=ana)
    supervisor, agent = sign_in("supervisor"), sign_in("agent")
    mark = "draft by Ana, 4 Mar 10:31"  # by the clock of the company, in Berlin

    assert [mark in supervisor.get(path).content.decode() for path in ("/", "/boards/main/")] == [True, True]
    assert mark not in agent.get("/boards/main/").content.decode()
    drafts.publish(board, drafts.draft_state(board).version)
    assert [mark in supervisor.get(path).content.decode() for path in ("/", "/boards/main/")] == [False, False]
