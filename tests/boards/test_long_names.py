"""Names that somebody else chose never widen a page."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import limits
from accounts.models import Domain, Person
from tests.accounts.test_pages_browser import too_wide
from tests.boards.conftest import Show, SignIn
from wallboard.boards import editing
from wallboard.boards.models import Board
from wallboard.calls.models import Leg
from wallboard.queues.models import Queue

LONG = "W" * 190


@pytest.fixture
def long_names(domain: Domain, board: Board) -> None:
    """A caller, people, queues, a team and a board whose names are one word as long as it may be."""
    Queue.objects.create(domain=domain, number="501", name=LONG[:120])
    for extension in ("101", "102"):
        Person.objects.create(domain=domain, extension=extension, name=LONG)
    limits.save_team(domain, LONG[:80], ["101", "102"])
    editing.create(domain, editing.BoardInput(LONG[:120], notice=LONG))
    now = timezone.now()
    for number, ended_at in enumerate((now, None)):
        Leg.objects.create(
            domain=domain, from_call_id=f"c{number}", to_call_id=f"t{number}", from_name=LONG, to_user="101",
            from_number="+4930901820",
            first_seen_at=now - timedelta(hours=1), heard_at=now - timedelta(hours=1), ended_at=ended_at,
            is_answered=True, active_at=now, 
        )  # fmt: skip


@pytest.mark.usefixtures("long_names")
@pytest.mark.parametrize("path", ["/calls/", "/", "/teams/", "/accounts/people/", "/reports/", "/targets/", "/alerts/"])
@pytest.mark.parametrize("width", [1280, 360])
def test_a_long_name_does_not_widen_a_page(show: Show, sign_in: SignIn, path: str, width: int) -> None:
    shown = show(width, 800, path=path, client=sign_in("administrator"))

    assert too_wide(shown.page) == []
