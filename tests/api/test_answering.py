"""What every address of the API does: limits, errors, tags, cursors, and what attackers try with them."""

from base64 import urlsafe_b64encode

import pytest
from django.test import Client

from tests.api.conftest import MakeProgram, Program, problem
from wallboard.api import answering, pacing, paging
from wallboard.api.resources import queues
from wallboard.contacts import address_book
from wallboard.contacts.address_book import ContactInput
from wallboard.contacts.models import Contact


def test_unknown_addresses_and_methods_are_problems(program: Program) -> None:
    assert problem(program.ask("nowhere"))[0] == 404
    assert problem(program.ask("contacts/abc"))[0] == 404
    assert problem(program.ask("boards/a%0Ab"))[0] == 404
    assert problem(program.ask(f"contacts/{10**30}"))[0] == 404
    answer = program.ask("queues", "DELETE")
    assert problem(answer) == (405, "This address takes GET, HEAD.")
    assert answer.headers["Allow"] == "GET, HEAD"
    assert program.ask("contacts", "PATCH").headers["Allow"] == "GET, HEAD, POST"


def test_without_a_token_not_even_addresses_are_told() -> None:
    assert problem(Client().get("/api/v1/nowhere"))[0] == 401
    assert problem(Client().get("/api/"))[0] == 401


def test_a_scope_that_is_missing_is_named(make_program: MakeProgram) -> None:
    only = make_program("people")

    assert problem(only.ask("queues")) == (403, "The token lacks the scope “queues”.")
    assert problem(only.ask("contacts", "POST", json={"name": "x", "numbers": ["1"]}))[0] == 403
    assert only.ask("people").status_code == 200


def test_a_fault_of_ours_and_what_others_refuse_are_problems_too(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret words")

    monkeypatch.setattr(answering, "written", broken)
    answer = program.ask("queues")
    assert problem(answer)[0] == 500
    assert b"secret" not in answer.content
    assert problem(program.ask("queues%00"))[0] == 400
    assert problem(program.ask("queues", headers={"Host": "evil.example"}))[0] == 400


def test_bodies_are_json_of_a_bounded_size(program: Program) -> None:
    def sent(text: str, kind: str = "application/json") -> int:
        return problem(program.ask("contacts", "POST", data=text, content_type=kind))[0]

    assert sent("a=b", "application/x-www-form-urlencoded") == 415
    assert sent("{") == 400
    assert sent("[" * 60_000) in (400, 422)
    assert sent('{"name": "\\ud800", "numbers": ["1"]}') in (400, 422)
    assert problem(program.ask("contacts", "POST", json={"name": "x" * 70_000, "numbers": ["1"]}))[0] == 413
    assert problem(program.ask("contacts", "POST", json={"name": "x", "numbers": ["1"], "domain": 2}))[0] == 422
    assert not Contact.objects.exists()


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=201", "limit=x", "unknown=1", "cursor=" + "x" * 600, "q=" + "x" * 101]
)
def test_a_query_that_is_not_understood_is_refused(program: Program, query: str) -> None:
    assert problem(program.ask(f"contacts?{query}"))[0] == 400


def hostile(text: bytes) -> str:
    return urlsafe_b64encode(text).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    [
        "%%%",
        "AAAA",
        hostile(b"[]"),
        hostile(b'["x"]'),
        hostile(b'["a\\u0000", 1]'),
        hostile(b'["x\' OR 1=1 --", "y"]'),
        hostile(b'["x", 99999999999999999999999]'),
        hostile(b'[{"__class__":"x"}, 1]'),
        hostile(b"[" * 300),
        "ü",
    ],
)
def test_a_cursor_that_is_none_is_refused(program: Program, cursor: str) -> None:
    assert problem(program.ask("contacts", data={"cursor": cursor}))[0] == 400


def test_a_cursor_that_names_another_place_gives_no_right(program: Program) -> None:
    answer = program.ask("contacts", data={"cursor": hostile(b'["x\' OR 1=1 --", 1]')})

    assert answer.json() == {"items": [], "next": None, "is_cut": False}


def test_pages_follow_one_another_without_a_gap(program: Program) -> None:
    domain = program.token.domain
    for number in range(5):
        address_book.save(domain, ContactInput(f"Same name{number // 2}", numbers=(f"+49309018{10 + number}",)))
    found, cursor = [], ""
    while True:
        page = program.ask("contacts", data={"limit": 2, "cursor": cursor}).json()
        found += [row["id"] for row in page["items"]]
        if not (cursor := page["next"] or ""):
            break

    assert found == list(Contact.objects.order_by("name", "pk").values_list("pk", flat=True))
    assert paging.decode("", paging.ByName) is None


def test_an_answer_that_is_held_already_is_not_sent_again(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    first = program.ask("queues")
    monkeypatch.setattr(queues, "age_seconds", lambda at, now: 99)
    again = program.ask("queues", headers={"If-None-Match": f'"other", {first.headers["ETag"]}'})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert program.ask("queues", headers={"If-None-Match": '"other"'}).status_code == 200
    assert "Authorization" in first.headers["Vary"]
    assert "private" in first.headers["Cache-Control"]


def test_limits_are_told_and_hold(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "REQUESTS_PER_MINUTE", 2)
    monkeypatch.setattr(pacing, "_requests", type(pacing._requests)(60))
    answers = [program.ask("queues") for _ in range(3)]

    assert [each.status_code for each in answers] == [200, 200, 429]
    assert [each.headers["RateLimit-Remaining"] for each in answers] == ["1", "0", "0"]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 61
    problem(answers[-1])


def test_pages_of_other_sites_read_nothing(program: Program) -> None:
    answer = program.ask("queues", headers={"Origin": "https://evil.example"})
    preflight = program.ask("queues", "OPTIONS", headers={"Origin": "https://evil.example"})

    assert not [name for each in (answer, preflight) for name in each.headers if name.startswith("Access-Control")]
    assert preflight.status_code == 405
