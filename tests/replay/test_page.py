"""The replay's page: who may open it, at which moment, and the ways to it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import company_day, limits
from accounts.models import Domain, Person
from tests.boards.conftest import SignIn
from tests.replay.replay_page import ALERT, rows
from wallboard.boards import editing, layout, time_zones
from wallboard.boards.editor import drafts
from wallboard.boards.models import Board
from wallboard.replay import moments

PATH = "/boards/main/replay/"


def settings_of(client: Client, query: str = "") -> dict[str, Any]:
    """What the page's script is told."""
    answer = client.get(PATH + query)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.context["page"]
    return found


def test_agents_replay_without_numbers_and_whoever_is_signed_out_not_at_all(board: Board, sign_in: SignIn) -> None:
    assert settings_of(sign_in("supervisor"))["feeds"]["calls"] == "calls"
    assert settings_of(sign_in("agent"))["feeds"]["calls"] == "wall"
    assert Client().get(PATH).status_code == 302


def test_a_board_beyond_the_limit_is_not_replayed(board: Board, sign_in: SignIn) -> None:
    client = sign_in("supervisor")
    limits.set_limit(Person.objects.latest("pk"), ["502"], None)
    grid = layout.parse(
        {"rows": 6, "cards": [{"id": "a", "kind": "queue", "x": 0, "y": 0, "w": 4, "h": 3, "queues": ["501"]}]}
    )
    editing.update(board, editing.BoardInput("Service desk", "dark", "", grid))

    assert client.get(PATH).status_code == 404


def test_the_moment_is_that_of_the_board_s_clock(board: Board, sign_in: SignIn) -> None:
    told = settings_of(sign_in("supervisor"), "?at=2026-11-22T10:40:00")["replay"]

    assert (told["at"], told["day"]) == (1000 * ALERT, "2026-11-22")


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-13-01T00:00:00", "9999-12-31T23:59:59", "1" * 500, "0001-01-01"]
)
def test_nonsense_in_the_address_shows_the_newest_moment(board: Board, sign_in: SignIn, text: str) -> None:
    told = settings_of(sign_in("supervisor"), f"?at={text}&day={text}")["replay"]

    assert (told["at"], told["day"]) == (None, "")


def test_of_an_hour_that_comes_twice_the_address_says_which(domain: Domain) -> None:
    second = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    text = moments.written(second, domain)

    assert text == "2026-10-25T02:30:00+01:00"
    assert moments.parse(text, domain) == second
    assert moments.parse("2026-10-25T02:30:00", domain) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_an_alert_of_the_history_leads_to_the_moment_at_which_boards_show_it(board: Board, sign_in: SignIn) -> None:
    alert = rows(board)
    client = sign_in("supervisor")

    assert f'href="/alerts/{alert.pk}/replay/"' in client.get("/alerts/").content.decode()
    answer = client.get(f"/alerts/{alert.pk}/replay/")
    assert answer.headers["Location"] == f"{PATH}?at=2026-11-22T10:40:02"


def test_an_alert_beyond_the_limit_leads_nowhere(board: Board, sign_in: SignIn) -> None:
    alert = rows(board)
    client = sign_in("supervisor")
    limits.set_limit(Person.objects.latest("pk"), ["502"], None)

    assert client.get(f"/alerts/{alert.pk}/replay/").status_code == 404


def test_board_and_report_lead_to_the_replay(board: Board, sign_in: SignIn) -> None:
    rows(board)
    client = sign_in("supervisor")

    assert f'href="{PATH}"' in client.get("/boards/main/").content.decode()
    report = client.get("/reports/?first=2026-11-22&last=2026-11-22&queue=501").content.decode()
    assert 'href="/replay/2026-11-22/?queue=501"' in report
    assert client.get("/replay/2026-11-22/?queue=501").headers["Location"] == f"{PATH}?day=2026-11-22"
    assert client.get("/replay/nonsense/").status_code == 404


def test_a_draft_is_laid_over_yesterday_for_those_who_edit_it(board: Board, sign_in: SignIn) -> None:
    client = sign_in("supervisor")
    wanted = editing.BoardInput("Service desk", "dark", "", layout.Layout(sections=("queues",)))
    state = drafts.draft_state(board)
    drafts.save(board, wanted, state.version, state.board_version)

    told = settings_of(client, "?draft=1")["replay"]

    assert told["draft"]["layout"]["sections"] == ["queues"]
    assert told["day"] < company_day.start(time_zones.domain_in_board_zone(board), timezone.now()).date().isoformat()
    assert settings_of(sign_in("agent"), "?draft=1")["replay"]["draft"] is None
    assert f'href="{PATH}?draft=1"' in client.get("/boards/main/edit/").content.decode()
