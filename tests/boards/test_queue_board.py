"""Where the link of a message leads: to the board that draws the queue with the fewest others."""

import pytest
from django.test import Client

from accounts import limits
from accounts.models import Domain, Person
from tests.boards.conftest import SignIn
from wallboard.boards import editing, layout
from wallboard.boards.models import Board
from wallboard.queues.models import Queue


@pytest.fixture(autouse=True)
def queues(domain: Domain) -> list[Queue]:
    return [Queue.objects.create(domain=domain, number=number, name=number) for number in ("501", "502")]


@pytest.fixture
def client(sign_in: SignIn) -> Client:
    return sign_in("supervisor")


def leads_to(client: Client, number: str) -> str:
    return str(client.get(f"/boards/queue/{number}/")["Location"])


def test_it_is_the_board_with_the_fewest_other_queues(client: Client, domain: Domain, board: Board) -> None:
    every = leads_to(client, "501")
    own = {"id": "c1", "kind": "queue", "x": 0, "y": 0, "w": 4, "h": 4, "queues": ["501"]}
    editing.create(domain, editing.BoardInput("Own", layout=layout.parse({"rows": 8, "cards": [own]})), slug="own")

    assert every == "/boards/main/#queue-501"
    assert leads_to(client, "501") == "/boards/own/#queue-501"
    assert leads_to(client, "502") == "/boards/main/#queue-502"


def test_a_board_called_queue_has_its_own_pages(client: Client, board: Board) -> None:
    made = client.post("/boards/new/", {"name": "Queue", "starter": ""})["Location"]

    assert made == "/boards/queue/edit/"
    assert client.get("/boards/queue/").status_code == client.get(made).status_code == 200
    assert leads_to(client, "501").endswith("/#queue-501")
    assert client.post("/boards/queue/remove/")["Location"] == "/"
    assert not Board.objects.filter(slug="queue").exists()


def test_a_queue_on_no_board_leads_to_their_list(client: Client, board: Board) -> None:
    editing.update(board, editing.BoardInput("Main", layout=layout.Layout(queues=("502",))))

    assert leads_to(client, "501") == "/boards/"


def test_what_one_may_not_see_or_is_not_there_is_not_found(client: Client, domain: Domain, board: Board) -> None:
    limits.set_limit(Person.objects.get(domain=domain), ["502"], None)

    assert client.get("/boards/queue/501/").status_code == 404
    assert client.get("/boards/queue/999/").status_code == 404
