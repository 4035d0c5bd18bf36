"""A supervisor limited to queues and a team: no page, export or answer tells anything of the rest (S9)."""

import json

import pytest
from django.db import transaction
from django.urls import reverse

from accounts import limits
from accounts.limits import EVERYTHING, Limit
from accounts.models import AuditEntry
from tests.security import two_floors
from tests.security.asks import asks, further, was_refused
from tests.security.company import Company
from tests.security.two_floors import HIDDEN, Floors
from wallboard.boards import editing, layout
from wallboard.calls import visible_calls
from wallboard.calls.log import search as call_log
from wallboard.calls.log.filters import CallFilter
from wallboard.calls.models import Leg
from wallboard.matrix import AUDIENCE_OF, AUDIENCES

TVS = {f"boards:{name}" for name in ("screens", "make_screen", "pair_screen", "change_screen", "revoke_screen")}
BOTH = Limit(frozenset({"810"}), frozenset({"121"}))


@pytest.fixture
def floors(ours: Company) -> Floors:
    return two_floors.made(ours)


def told(text: str) -> list[str]:
    squeezed = text.replace(" ", "").replace("-", "")
    return [each for each in (HIDDEN, "9999900") if each in squeezed]


def test_no_answer_tells_anything_of_the_rest(floors: Floors) -> None:
    client = floors.browser()
    mine = [name for name, audience in AUDIENCE_OF.items() if "supervisor" in AUDIENCES[audience]]
    asked = [ask for name, ask in asks(floors.company, "supervisor").items() if name in mine]
    for ask in [*asked, *further(floors.company)]:
        if ask.name.startswith("accounts:logout"):
            continue
        with transaction.atomic():
            answer = ask.send(client)
            transaction.set_rollback(True)
        assert told(answer.content.decode(errors="replace")) == [], (ask.name, answer.status_code)
        assert was_refused(answer) or ask.name not in TVS, ask.name


def test_the_same_pages_tell_it_to_who_sees_all(floors: Floors) -> None:
    client = floors.company.browser("administrator")
    for path in ("/calls/", "/calls/?as=csv", "/reports/", "/reports/?as=csv", "/", "/desk/call-backs/"):
        assert told(client.get(path).content.decode()) != [] or path == "/desk/call-backs/", path
    assert "9999900" in client.get(asks_path("desk:call_backs")).content.decode().replace(" ", "")


def asks_path(name: str) -> str:
    return reverse(name)


def test_ones_own_is_still_there(floors: Floors) -> None:
    client = floors.browser()
    calls = client.get("/calls/").content.decode()

    assert calls.count("shown caller") >= 4
    assert "shown queue" in client.get("/reports/").content.decode()
    assert "shown board" in client.get("/").content.decode()
    assert "11111004" in client.get(asks_path("desk:call_backs")).content.decode().replace(" ", "")


@pytest.mark.parametrize("number", ["+493099999001", HIDDEN, "122"])
def test_a_search_finds_nothing_of_the_rest(number: str, floors: Floors) -> None:
    found = call_log.search(floors.company.domain.pk, CallFilter(number), limit=limits.of(floors.supervisor))

    assert found == ()
    assert call_log.search(floors.company.domain.pk, CallFilter(number)) != ()


@pytest.mark.parametrize("act", ["take", "done", "snooze"])
def test_a_call_back_of_the_rest_is_not_ones_to_change(act: str, floors: Floors) -> None:
    numbers = {"hidden": f"{two_floors.HIDDEN_NUMBER}4", "shown": f"{two_floors.SHOWN_NUMBER}4"}
    answers = {
        name: floors.browser().post(
            asks_path("desk:change_call_back"),
            json.dumps({"number": number, "act": act}),
            content_type="application/json",
        )
        for name, number in numbers.items()
    }

    assert {name: answer.json()["is_done"] for name, answer in answers.items()} == {"hidden": False, "shown": True}


def test_a_call_back_of_both_floors_tells_only_of_ones_own(floors: Floors) -> None:
    rows = {}
    for role in ("supervisor", "administrator"):
        told_to = floors.company.browser(role).get(asks_path("desk:call_backs")).json()
        [rows[role]] = [row for row in told_to["rows"] if row["number"] == two_floors.BOTH_FLOORS]

    assert [rows["supervisor"][key] for key in ("name", "times", "owner")] == ["shown caller", 1, "a colleague"]
    assert [rows["administrator"][key] for key in ("name", "times", "owner")] == ["zebra caller", 2, "zebra person"]


def test_boards_that_name_the_rest_are_not_there(floors: Floors) -> None:
    client, slug = floors.browser(), floors.boards[HIDDEN].slug
    for path in (f"/boards/{slug}/", f"/boards/{slug}/edit/"):
        assert client.get(path).status_code == 404
    assert client.post(f"/boards/{slug}/remove/").status_code == 404
    assert client.get("/boards/shown-board/").status_code == 200


def test_a_board_cannot_be_made_to_name_the_rest(floors: Floors) -> None:
    board = floors.boards["shown"]
    content = {"name": "x", "theme": "dark", "notice": "", "layout": {"sections": ["queues"], "queues": ["820", "866"]}}
    posted = {"content": content, "version": 0, "board_version": board.version}
    answer = floors.browser().post("/boards/shown-board/draft/", json.dumps(posted), content_type="application/json")
    floors.browser().post(
        "/boards/shown-board/edit/", {"name": "x", "theme": "dark", "sections": "queues", "queue": ["866", "810"]}
    )

    board.refresh_from_db()
    assert answer.status_code == 400
    assert layout.parse(board.layout).queues == ("810",)


def test_tvs_are_for_those_who_see_all(floors: Floors) -> None:
    answer = floors.browser().get("/screens/")

    assert (answer.status_code, "some queues and people only" in answer.content.decode()) == (403, True)


def test_an_administrator_gives_and_takes_limits(floors: Floors) -> None:
    client, person = floors.company.browser("administrator"), floors.company.people["agent"]
    client.post(f"/people/{person.pk}/limit/", {"every_queue": "", "queues": ["810"], "team": floors.team.pk})
    person.refresh_from_db()
    assert limits.of(person) == Limit(frozenset({"810"}), limits.members(floors.team.pk))
    assert "810" in str(AuditEntry.objects.filter(what="limit changed").latest("pk").changes)

    client.post(f"/people/{person.pk}/limit/", {"every_queue": "1", "team": ""})
    person.refresh_from_db()
    assert limits.of(person) == EVERYTHING


def test_a_limit_follows_a_person_down_and_leaves_administrators_alone(floors: Floors) -> None:
    floors.supervisor.role = "agent"
    assert limits.of(floors.supervisor).is_set
    floors.supervisor.role = "administrator"
    assert not limits.of(floors.supervisor).is_set


def test_a_team_that_somebody_is_limited_to_stays(floors: Floors) -> None:
    client = floors.company.browser("administrator")
    names = [str(person) for person in floors.team.people.all()]
    listed = client.get("/teams/").content.decode()
    assert names
    assert all(f"<bdi>{name}</bdi>" in listed for name in names)

    client.post(f"/teams/{floors.team.pk}/remove/")
    assert limits.of(floors.supervisor).people is not None

    limits.set_limit(floors.supervisor, ["810"], None)
    client.post(f"/teams/{floors.team.pk}/remove/")
    assert not floors.company.domain.teams.filter(pk=floors.team.pk).exists()


CALLS = [
    # queues it came through, people on it; seen with: both limits, queue 810 only, team of 121 only
    (["810"], [], (True, True, True)),
    (["866"], [], (False, False, True)),
    (["810"], ["121"], (True, True, True)),
    (["810"], ["122"], (False, True, False)),
    (["866"], ["121"], (False, False, True)),
    ([], ["121"], (True, False, True)),
    ([], ["122"], (False, False, False)),
    ([], [], (False, False, True)),
]


@pytest.mark.parametrize(("queues", "persons", "seen"), CALLS)
def test_which_calls_are_seen(queues: list[str], persons: list[str], seen: tuple[bool, ...]) -> None:
    sights = (BOTH, Limit(queues=BOTH.queues), Limit(people=BOTH.people))

    assert tuple(sight.shows_call(queues, persons) for sight in sights) == seen
    assert EVERYTHING.shows_call(queues, persons)


def test_the_database_judges_calls_as_the_feeds_do(floors: Floors) -> None:
    Leg.objects.all().delete()
    for number, (queues, persons, _seen) in enumerate(CALLS):
        for queue in queues:
            person = persons[0] if persons else ""
            two_floors.call(floors.company, f"+4930000{number}", str(number), queue=queue, person=person)
        if not queues:
            two_floors.call(floors.company, f"+4930000{number}", str(number), person=persons[0] if persons else "+49")
    domain_id = floors.company.domain.pk
    sights = (BOTH, Limit(queues=BOTH.queues), Limit(people=BOTH.people))

    rows = [visible_calls.shown(Leg.objects.all(), domain_id, each) for each in sights]
    found = [set(each.values_list("from_name", flat=True)) for each in rows]
    for number, (queues, persons, seen) in enumerate(CALLS):
        if queues or persons:
            assert tuple(f"{number} caller" in names for names in found) == seen, (queues, persons)


def test_a_wish_without_limit_sees_boards_of_all_queues(floors: Floors) -> None:
    editing.create(floors.company.domain, editing.BoardInput("all of them"), slug="all-of-them")

    assert floors.browser().get("/boards/all-of-them/").status_code == 200
